import { closeSync, constants, copyFileSync, existsSync, openSync, readSync, statSync, writeSync } from 'node:fs';

/** SQLite's default; every database of ours is created with it. */
export const PAGE_SIZE = 4096;

/** Places in the database header, https://sqlite.org/fileformat.html#the_database_header. */
const HEADER = {
  writeVersion: 18,
  readVersion: 19,
  changeCounter: 24,
  pageCount: 28,
  firstFreePage: 32,
  freePages: 36,
  versionValidFor: 92,
};

const WRITE_AHEAD_LOG = 2;

/**
 * Copies a database whose first page (header and list of tables) is lost, and gives the copy the first page of a freshly
 * made one. Tables lie where the migrations put them, so the rest of the file makes sense again; if it does not, its rows
 * cannot be read and nothing is lost by having tried. Neither source file may be open in this process.
 */
export function copyWithFirstPageOf(fresh: string, damaged: string, copy: string): void {
  copyFileSync(damaged, copy, constants.COPYFILE_FICLONE);
  if (existsSync(`${damaged}-wal`)) copyFileSync(`${damaged}-wal`, `${copy}-wal`);
  const page = Buffer.alloc(PAGE_SIZE);
  const freshHandle = openSync(fresh, 'r');
  readSync(freshHandle, page, 0, PAGE_SIZE, 0);
  closeSync(freshHandle);
  page[HEADER.writeVersion] = WRITE_AHEAD_LOG;
  page[HEADER.readVersion] = WRITE_AHEAD_LOG;
  page.writeUInt32BE(Math.floor(statSync(damaged).size / PAGE_SIZE), HEADER.pageCount);
  page.writeUInt32BE(page.readUInt32BE(HEADER.changeCounter), HEADER.versionValidFor);
  page.writeUInt32BE(0, HEADER.firstFreePage);
  page.writeUInt32BE(0, HEADER.freePages);
  const handle = openSync(copy, 'r+');
  writeSync(handle, page, 0, PAGE_SIZE, 0);
  closeSync(handle);
}
