import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Below, pathsOf, walk } from '../../../src-main/tools/shell/walk.ts';

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'steward-walk-')));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const make = (line: string) => execFileSync('bash', ['-ec', line], { cwd: base });
const found = (withLinked = false): Below => walk({ folder: base, withLinked }) ?? expect.unreachable();
/** Relative to the folder. */
const short = (paths: readonly string[]) => paths.map((path) => path.slice(base.length + 1)).toSorted();

test('files that may be secret by their names or those of folders around them, but no links and nothing installed', () => {
  make(
    'mkdir -p a/.SSH/x config/b .config/gh node_modules/p Node_Modules keys; touch a/.SSH/x/1 config/b/2 .config/gh/3',
  );
  make('touch .ENV.local node_modules/p/.env Node_Modules/.env keys/keys.ts; ln -s .ENV.local .env');
  expect(short(found().secretLike)).toEqual([
    '.ENV.local',
    '.config/gh/3',
    'Node_Modules/.env',
    'a/.SSH/x/1',
    'config/b/2',
  ]);
});

test('what is obeyed, once for a folder, and every repository', () => {
  make(
    'mkdir -p a/.Git/hooks .vscode/.git node_modules/p/.git node_modules/.husky; touch a/.Git/.envrc AGENTS.md node_modules/AGENTS.md',
  );
  make('ln -s nowhere .envrc');
  const { obeyed, repositories } = found();
  expect(short(obeyed.map(({ path }) => path))).toEqual(['.envrc', '.vscode', 'AGENTS.md', 'a/.Git']);
  expect(obeyed.filter(({ isLink }) => isLink).map(({ identity }) => identity.split(':').at(-1))).toEqual(['nowhere']);
  expect(short(repositories)).toEqual(['.vscode/.git', 'a/.Git', 'node_modules/p/.git']);
});

test('another entry of the same name has another identity', () => {
  make('touch .envrc');
  const [before] = found().obeyed;
  make('touch other; mv other .envrc');
  const [after] = found().obeyed;
  expect(after?.path).toBe(before?.path);
  expect(after?.identity).not.toBe(before?.identity);
});

test('files with several names, if they are wanted, but not those of Git', () => {
  make('mkdir -p .git node_modules; touch alone a; ln a node_modules/b; ln a .git/c; ln -s a link');
  expect(found().linked).toEqual([]);
  const { linked } = found(true);
  expect(short(linked.map(({ path }) => path))).toEqual(['a', 'node_modules/b']);
  expect(new Set(linked.map(({ identity, names }) => `${identity} ${names}`)).size).toBe(1);
  expect(linked[0]?.names).toBe(3);
});

test('names with a line break, and those that are not UTF-8, whose bytes are kept', () => {
  make(String.raw`mkdir -p $'a\nb/ü/\xff'; touch $'a\nb/ü/\xff/.env' $'a\nb/ü/.env'`);
  const { secretLike, lack } = found();
  expect(lack).toBeUndefined();
  expect(short(secretLike)).toEqual(['a\nb/\u00c3\u00bc/.env', 'a\nb/\u00c3\u00bc/\u00ff/.env']);
  expect(pathsOf(secretLike)).toBeUndefined();
  const utf8 = secretLike.filter((path) => !path.includes('\u00ff'));
  expect(pathsOf(utf8)).toEqual([join(base, 'a\nb/ü/.env')]);
});

test('it says so where a path is too long to be looked at', () => {
  make('n=$(printf %0200d 1); for i in {1..25}; do mkdir $n; cd $n; done');
  expect(found().lack).toBe('ENAMETOOLONG');
});

test('no more entries than wanted are looked at', () => {
  make('mkdir {1..20}; touch {1..20}/{1..29}');
  expect(walk({ folder: base, withLinked: false }, 600)).toBeDefined();
  expect(walk({ folder: base, withLinked: false }, 599)).toBeUndefined();
});
