import { expect, test } from 'vitest';
import { openSqlite } from '../../../src-main/base/sqlite.ts';
import {
  type Bindings,
  NoSqliteError,
  type SqliteBinding,
  selectBinding,
} from '../../../src-main/base/sqlite-binding.ts';

/** An SQLite that was compiled with full-text search or without it, as far as it says. */
function sqlite(hasSearch: boolean): SqliteBinding {
  class DatabaseSync {
    prepare(sql: string) {
      expect(sql).toContain('ENABLE_FTS5');
      return { get: () => ({ used: hasSearch ? 1 : 0 }) };
    }
    close() {
      return undefined;
    }
  }
  return Object.assign(Object.create(null), { DatabaseSync });
}

function select(given: Partial<Bindings<SqliteBinding>>) {
  const said: string[] = [];
  const substitute = sqlite(true);
  const bindings: Bindings<SqliteBinding> = {
    builtin: undefined,
    loadSubstitute: () => substitute,
    version: '22.13.0',
    say: (line) => void said.push(line),
    ...given,
  };
  return { substitute, said, selected: () => selectBinding(bindings) };
}

test('what is built in is used where it can search text', () => {
  const builtin = sqlite(true);
  const { selected, said } = select({ builtin });
  expect([selected(), said]).toEqual([builtin, []]);
});

test('where it can’t, the substitute is used, and a line says so', () => {
  const { selected, substitute, said } = select({ builtin: sqlite(false) });
  expect(selected()).toBe(substitute);
  expect(said).toEqual(['The SQLite of Node 22.13.0 has no full-text search; another one is used. Node 22.16 has it.']);
});

test('an old Node has none: the substitute is used without a word', () => {
  const { selected, substitute, said } = select({ version: '20.18.1' });
  expect([selected(), said]).toEqual([substitute, []]);
});

test.each([
  [undefined, 'Node 20.18.1 has no SQLite, and'],
  [sqlite(false), 'Node 20.18.1 has an SQLite without full-text search, and'],
])('without a substitute the message names the Node to use', (builtin, message) => {
  const loadSubstitute = () => {
    throw new Error("Cannot find module '@photostructure/sqlite'");
  };
  const { selected } = select({ builtin, loadSubstitute, version: '20.18.1' });
  expect(selected).toThrow(NoSqliteError);
  expect(selected).toThrow(message);
  expect(selected).toThrow('Use Node 22.16 or newer, or run npm ci.');
});

test('the one that is selected here searches text', () => {
  const database = openSqlite(':memory:');
  database.exec('CREATE VIRTUAL TABLE texts USING fts5(text)');
  database.exec("INSERT INTO texts VALUES ('steward keeps its log')");
  expect(database.prepare("SELECT text FROM texts WHERE texts MATCH 'log'").all()).toHaveLength(1);
  database.close();
});
