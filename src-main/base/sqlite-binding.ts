/** The part of either binding that is needed to choose between them. */
export interface SqliteBinding {
  readonly DatabaseSync: new (path: string) => { prepare(sql: string): { get(): object | undefined }; close(): void };
}

/** `node:sqlite` has full-text search since this release; before it, back to 22.13, and in early 23, it lacks it. */
const COMPLETE_SINCE = '22.16';

export interface Bindings<Binding extends SqliteBinding> {
  /** `node:sqlite`, if this Node has one. */
  readonly builtin: Binding | undefined;
  readonly loadSubstitute: () => Binding;
  /** The value of `process.versions.node`. */
  readonly version: string;
  readonly say: (line: string) => void;
}

/** No SQLite here can search text. The message says which Node can. */
export class NoSqliteError extends Error {
  override readonly name = 'NoSqliteError';
  readonly code = 'NO_SQLITE';
}

/** What is built in, unless it lacks the full-text search with which conversations are found. */
export function selectBinding<Binding extends SqliteBinding>({
  builtin,
  loadSubstitute,
  version,
  say,
}: Bindings<Binding>): Binding {
  if (builtin !== undefined && searchesText(builtin)) return builtin;
  try {
    const substitute = loadSubstitute();
    if (builtin !== undefined)
      say(`The SQLite of Node ${version} has no full-text search; another one is used. Node ${COMPLETE_SINCE} has it.`);
    return substitute;
  } catch (error) {
    const lack = builtin === undefined ? 'has no SQLite' : 'has an SQLite without full-text search';
    throw new NoSqliteError(
      `Node ${version} ${lack}, and its substitute could not be loaded. Use Node ${COMPLETE_SINCE} or newer, or run npm ci.`,
      { cause: error },
    );
  }
}

function searchesText({ DatabaseSync }: SqliteBinding): boolean {
  const database = new DatabaseSync(':memory:');
  try {
    const row = database.prepare("SELECT sqlite_compileoption_used('ENABLE_FTS5') AS used").get();
    return row !== undefined && Object.values(row)[0] === 1;
  } finally {
    database.close();
  }
}
