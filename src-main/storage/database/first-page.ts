import { closeSync, constants, copyFileSync, existsSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { openReadable } from './connection.ts';
import { USER_TABLE_NAMES, type UserTable } from './schema.ts';
import { rootPagesIn } from './schema-rows.ts';

/** SQLite's default; all our databases are created with it. */
export const PAGE_SIZE = 4096;

/** Offsets in the database header, https://sqlite.org/fileformat.html#the_database_header. */
const HEADER = {
  writeVersion: 18,
  readVersion: 19,
  changeCounter: 24,
  pageCount: 28,
  firstFreePage: 32,
  freePages: 36,
  versionValidFor: 92,
};
const HEADER_SIZE = 100;

const WRITE_AHEAD_LOG = 2;

interface Table {
  readonly name: UserTable;
  readonly rootpage: number;
  readonly sql: string;
}

/**
 * Copies a database whose first page (header and beginning of the list of tables) or whose list of tables is lost, and
 * gives the copy a first page that lists the tables of a newly created one. Tables added by later migrations begin
 * wherever the file ended at that time: the remains of its own list tell where. The others are where they are in a new
 * database, so the rest of the file becomes readable again; if not, its rows can't be read and nothing is lost by
 * trying. Neither source file may be open in this process.
 */
export function copyWithFirstPageOf(fresh: string, damaged: string, copy: string): void {
  copyFileSync(damaged, copy, constants.COPYFILE_FICLONE);
  if (existsSync(`${damaged}-wal`)) copyFileSync(`${damaged}-wal`, `${copy}-wal`);
  const page = Buffer.alloc(PAGE_SIZE);
  const freshHandle = openSync(fresh, 'r');
  readSync(freshHandle, page, 0, HEADER_SIZE, 0);
  closeSync(freshHandle);
  page[HEADER.writeVersion] = WRITE_AHEAD_LOG;
  page[HEADER.readVersion] = WRITE_AHEAD_LOG;
  const pages = Math.floor(statSync(damaged).size / PAGE_SIZE);
  page.writeUInt32BE(pages, HEADER.pageCount);
  page.writeUInt32BE(page.readUInt32BE(HEADER.changeCounter), HEADER.versionValidFor);
  page.writeUInt32BE(0, HEADER.firstFreePage);
  page.writeUInt32BE(0, HEADER.freePages);
  const listed = rootPagesIn(damaged, PAGE_SIZE);
  const tables = tablesOf(fresh)
    .map((table) => ({ ...table, rootpage: listed.get(table.name) ?? table.rootpage }))
    // A single table that begins beyond the end of the file would make SQLite reject all of them.
    .filter(({ rootpage }) => rootpage <= pages);
  listTables(page, tables);
  const handle = openSync(copy, 'r+');
  writeSync(handle, page, 0, PAGE_SIZE, 0);
  closeSync(handle);
}

/**
 * The tables without their indexes, and therefore without `UNIQUE`: reading rows doesn't need them, and the list must
 * fit on one page.
 */
function tablesOf(fresh: string): Table[] {
  const connection = openReadable(fresh);
  try {
    const find = connection.statement("SELECT rootpage, sql FROM sqlite_schema WHERE type = 'table' AND name = ?");
    return USER_TABLE_NAMES.map((name) => {
      const { rootpage, sql } = find.get(name) as Omit<Table, 'name'>;
      return { name, rootpage, sql: sql.replaceAll(' UNIQUE', '').replace(/\s+/g, ' ') };
    });
  } finally {
    connection.close();
  }
}

/** Makes this page the whole list of tables: a table leaf page, https://sqlite.org/fileformat.html#b_tree_pages. */
function listTables(page: Buffer, tables: readonly Table[]): void {
  let end = PAGE_SIZE;
  let pointer = HEADER_SIZE + 8;
  for (const [index, table] of tables.entries()) {
    const record = recordOf(table);
    const cell = Buffer.concat([varint(record.length), varint(index + 1), record]);
    if (end - cell.length < HEADER_SIZE + 8 + 2 * tables.length)
      throw new RangeError(`The list of tables does not fit on one page: ${table.name}`);
    end -= cell.copy(page, end - cell.length);
    page.writeUInt16BE(end, pointer);
    pointer += 2;
  }
  page[HEADER_SIZE] = 0x0d;
  page.writeUInt16BE(tables.length, HEADER_SIZE + 3);
  page.writeUInt16BE(end, HEADER_SIZE + 5);
}

/** A row of `sqlite_schema`: type, name, tbl_name, rootpage, sql; https://sqlite.org/fileformat.html#record_format. */
function recordOf({ name, rootpage, sql }: Table): Buffer {
  const texts = ['table', name, name, sql].map((text) => Buffer.from(text));
  const [type, named, table, statement] = texts.map((text) => varint(13 + 2 * text.length));
  const fourBytes = varint(4);
  const serialTypes = Buffer.concat([type, named, table, fourBytes, statement].filter((each) => each !== undefined));
  const root = Buffer.alloc(4);
  root.writeUInt32BE(rootpage);
  return Buffer.concat([varint(serialTypes.length + 1), serialTypes, ...texts.slice(0, 3), root, ...texts.slice(3)]);
}

/** Big-endian groups of seven bits, https://sqlite.org/fileformat.html#varint. `value` is below 16,384. */
function varint(value: number): Buffer {
  return value < 0x80 ? Buffer.from([value]) : Buffer.from([0x80 | (value >> 7), value & 0x7f]);
}
