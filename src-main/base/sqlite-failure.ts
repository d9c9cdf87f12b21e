/** The primary result codes, https://sqlite.org/rescode.html. */
export const SQLITE = {
  ERROR: 1,
  PERM: 3,
  BUSY: 5,
  LOCKED: 6,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  TOOBIG: 18,
  CONSTRAINT: 19,
  MISMATCH: 20,
  NOTADB: 26,
};
/** What both bindings throw. */
export interface SqliteFailure extends Error {
  readonly errcode: number;
  readonly sqliteExtendedCode?: number;
}

export function isSqliteFailure(error: unknown): error is SqliteFailure {
  return error instanceof Error && typeof (error as Partial<SqliteFailure>).errcode === 'number';
}

export function extendedCode(error: SqliteFailure): number {
  return error.sqliteExtendedCode ?? error.errcode;
}

/** Another connection has locked the file. */
export function isBusy(error: unknown): boolean {
  return isSqliteFailure(error) && [SQLITE.BUSY, SQLITE.LOCKED].includes(error.errcode & 0xff);
}
