import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqlite, type SqliteDatabase } from '../../../src-main/base/sqlite.ts';
import { BASE_SCHEMA, createBaseSchema } from '../../../src-main/storage/database/migrations/base-schema.ts';
import { MIGRATIONS } from '../../../src-main/storage/database/schema.ts';

const FOLDER = 'src-main/storage/database/migrations';
/**
 * Numbers of the schemas, the base first → SHA-256 of the statements. A line is added, never changed: profiles have
 * these schemas.
 */
const RELEASED: Readonly<Record<string, string>> = JSON.parse(
  readFileSync('tests/fixtures/profiles/migrations.json', 'utf8'),
);

/**
 * Makes the newest schema; what each step executed, as written: SQLite keeps the text of `CREATE` with its white space.
 */
function executedStatements(): string[] {
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
    return [createBaseSchema, ...MIGRATIONS.map(({ up }) => up)].map((step) => {
      executed.length = 0;
      step(recording);
      return executed.join('\n');
    });
  } finally {
    database.close();
  }
}

const numbered = (schema: number) => String(schema).padStart(4, '0');

test('the base, and a migration that was released, execute what they executed then', () => {
  const hashes = executedStatements().map((text) => createHash('sha256').update(text).digest('hex'));
  expect(Object.fromEntries(hashes.map((hash, index) => [numbered(BASE_SCHEMA + index), hash]))).toEqual(RELEASED);
});

test('the order of the migrations is that of their files', async () => {
  const files = readdirSync(FOLDER).filter((name) => /^\d{4}-/.test(name));
  expect(files.map((name) => name.slice(0, 4))).toEqual(
    MIGRATIONS.map((_, index) => numbered(BASE_SCHEMA + 1 + index)),
  );
  for (const [index, name] of files.sort().entries()) {
    const exported: Record<string, unknown> = await import(join(process.cwd(), FOLDER, name));
    expect(Object.values(exported), name).toContain(MIGRATIONS[index]);
  }
});
