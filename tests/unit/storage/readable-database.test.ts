import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openReadable, openWritable, type ReadableDatabase } from '../../../src-main/storage/database/connection.ts';
import { createDatabase } from '../../../src-main/storage/database/migrate.ts';
import { openDatabase } from '../../../src-main/storage/database/open-database.ts';
import { openProfileFolder } from '../../../src-main/storage/database/profile-folder.ts';
import { MIGRATIONS } from '../../../src-main/storage/database/schema.ts';
import { indexTitle } from '../../../src-main/storage/search/search-index.ts';
import { temporaryFolder } from '../../fixtures/temporary-profile.ts';

const INSERT = "INSERT INTO facts (key, value, marks, updated_ms) VALUES ('a', 'b', '[]', 0)";

/** The compiler reports each of these lines; if it no longer does, the line above it is an error. */
const WRITES: Readonly<Record<string, (readable: ReadableDatabase) => unknown>> = {
  // @ts-expect-error A query of a reader can't be run.
  statement: (readable) => readable.statement(INSERT).run(),
  // @ts-expect-error A reader has no transactions.
  transaction: (readable) => readable.transaction(() => indexTitle(readable, 1, 'title')),
  // @ts-expect-error A reader does not reach SQLite itself.
  database: (readable) => readable.database.exec(INSERT),
  // @ts-expect-error What writes can't be handed a reader.
  function: (readable) => indexTitle(readable, 1, 'title'),
};

test.each(Object.entries(WRITES))('nothing is written through a readable database: %s', (_, write) => {
  const file = join(temporaryFolder(), 'steward.db');
  createDatabase(file, MIGRATIONS);
  const readable = openReadable(file);
  try {
    expect(() => write(readable)).toThrow(/readonly/);
    expect(readable.statement('SELECT count(*) AS n FROM facts').get()).toEqual({ n: 0 });
  } finally {
    readable.close();
  }
});

test('what reads takes a writable database too', () => {
  const file = join(temporaryFolder(), 'steward.db');
  createDatabase(file, MIGRATIONS);
  const writable = openWritable(file);
  try {
    writable.statement(INSERT).run();
    const firstFact = (database: ReadableDatabase) => database.statement('SELECT value FROM facts').get();
    expect(firstFact(writable)).toEqual({ value: 'b' });
  } finally {
    writable.close();
  }
});

test('what reads a profile is given a reader, though the connection behind it can write', async () => {
  const context = { now: () => new Date(), notice: () => undefined, migrations: MIGRATIONS };
  const database = await openDatabase(openProfileFolder(temporaryFolder()), context);
  onTestFinished(() => database.close());
  const count = 'SELECT count(*) AS n FROM facts';
  // @ts-expect-error Only `write` gets statements that run.
  database.read((connection) => connection.statement(count).run());
  database.write((connection) => connection.statement(INSERT).run());
  expect(database.read((connection) => connection.statement(count).get())).toEqual({ n: 1 });
});
