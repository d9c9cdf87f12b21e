import { closeSync, openSync, readSync } from 'node:fs';
import { USER_TABLE_NAMES, type UserTable } from './schema.ts';

/** Pages read at once. */
const STRETCH = 256;
const LEAF_OF_TABLE = 0x0d;
const LEAF_HEADER_SIZE = 8;

/**
 * Finds where our tables begin from the remains of the list of tables. The list outgrew the first page with the third
 * migration, so its rows are on separate pages and can be found when the first page is lost. Format:
 * https://sqlite.org/fileformat.html#b_tree_pages.
 */
export function rootPagesIn(file: string, pageSize: number): ReadonlyMap<UserTable, number> {
  const found = new Map<UserTable, number>();
  const stretch = Buffer.alloc(STRETCH * pageSize);
  const handle = openSync(file, 'r');
  try {
    for (let position = 0; ; position += stretch.length) {
      const length = readSync(handle, stretch, 0, stretch.length, position);
      for (let start = 0; start + pageSize <= length; start += pageSize) {
        for (const [table, page] of listedOn(stretch.subarray(start, start + pageSize))) found.set(table, page);
      }
      if (length < stretch.length) return found;
    }
  } finally {
    closeSync(handle);
  }
}

function listedOn(page: Buffer): [UserTable, number][] {
  if (page[0] !== LEAF_OF_TABLE) return [];
  const cells = Math.min(page.readUInt16BE(3), Math.floor((page.length - LEAF_HEADER_SIZE) / 2));
  return Array.from({ length: cells }, (_, index) => page.readUInt16BE(LEAF_HEADER_SIZE + 2 * index)).flatMap(
    (start) => {
      const row = schemaRow(page.subarray(start));
      return row === undefined ? [] : [row];
    },
  );
}

/** A cell that contains `table, NAME, NAME, ROOT PAGE, CREATE TABLE NAME (…`; none of our tables has such rows. */
function schemaRow(cell: Buffer): [UserTable, number] | undefined {
  const [payload, afterPayload] = varint(cell, 0);
  const [, record] = varint(cell, afterPayload);
  const [headerLength, firstType] = varint(cell, record);
  if (payload > cell.length || headerLength > payload) return undefined;
  const types: number[] = [];
  for (let at = firstType; at < record + headerLength; ) {
    const [type, next] = varint(cell, at);
    types.push(type);
    at = next;
  }
  const [kind, name, table, root, sql, ...others] = types;
  if (others.length > 0 || root === undefined || root < 1 || root > 4) return undefined;
  let at = record + headerLength;
  const text = (type: number | undefined) => {
    if (type === undefined || type < 13 || type % 2 === 0) return undefined;
    const length = (type - 13) / 2;
    at += length;
    return cell.toString('utf8', at - length, at);
  };
  const words = [text(kind), text(name), text(table)];
  const known = USER_TABLE_NAMES.find((each) => each === words[1]);
  if (known === undefined || words[0] !== 'table' || words[2] !== known || at + root > cell.length) return undefined;
  const page = cell.readUIntBE(at, root);
  at += root;
  return page > 1 && text(sql)?.startsWith(`CREATE TABLE ${known} (`) ? [known, page] : undefined;
}

/** The value, and where the next one begins. Values here are small; anything larger is not a row of the list. */
function varint(bytes: Buffer, start: number): [value: number, next: number] {
  let value = 0;
  for (let at = start; at < start + 8; at++) {
    const byte = bytes[at] ?? 0;
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return [value, at + 1];
  }
  return [Number.MAX_SAFE_INTEGER, start + 9];
}
