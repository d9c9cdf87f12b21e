import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqlite, type SqliteDatabase } from '../../../src-main/base/sqlite.ts';
import type { Migration } from '../../../src-main/storage/database/migrations/migration.ts';
import { MIGRATIONS } from '../../../src-main/storage/database/schema.ts';

const FOLDER = 'src-main/storage/database/migrations';
/** Numbers as in the file names → SHA-256 of the statements. A line is added, never changed: profiles have these schemas. */
const RELEASED: Readonly<Record<string, string>> = JSON.parse(
  readFileSync('tests/fixtures/profiles/migrations.json', 'utf8'),
);

/** Runs all migrations; what each executed, as written: SQLite keeps the text of `CREATE` with its white space. */
function statementsOf(migrations: readonly Migration[]): string[] {
  const database = openSqlite(':memory:');
  const executed: string[] = [];
  const recording = new Proxy(database, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]) => {
        executed.push(...given.map(String));
        return member.apply(target, given);
      };
    },
  }) as SqliteDatabase;
  try {
    return migrations.map(({ up }) => {
      executed.length = 0;
      up(recording);
      return executed.join('\n');
    });
  } finally {
    database.close();
  }
}

const numbered = (index: number) => String(index + 1).padStart(4, '0');

test('a migration that was released executes what it executed then', () => {
  const hashes = statementsOf(MIGRATIONS).map((text) => createHash('sha256').update(text).digest('hex'));
  expect(Object.fromEntries(hashes.map((hash, index) => [numbered(index), hash]))).toEqual(RELEASED);
});

test('the order of the migrations is that of their files', async () => {
  const files = readdirSync(FOLDER).filter((name) => /^\d{4}-/.test(name));
  expect(files.map((name) => name.slice(0, 4))).toEqual(MIGRATIONS.map((_, index) => numbered(index)));
  for (const [index, name] of files.sort().entries()) {
    const exported: Record<string, unknown> = await import(join(process.cwd(), FOLDER, name));
    expect(Object.values(exported), name).toContain(MIGRATIONS[index]);
  }
});
