import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allowAll } from '../../fixtures/allow-all.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';
import {
  accessDenied,
  directoryNotFound,
  isRequired,
  mustBeOneOf,
  noFilesMatched,
  unclosedBrace,
} from '../../fixtures/tool-texts.ts';

/*
 * What the tests and issue threads of comparable assistants ask of their search tools, answered as the tool catalogue has it.
 */

let tools: ToolHarness;
beforeAll(() => {
  tools = new ToolHarness({ consent: allowAll, folders: ['extra'] });
  for (const [path, content] of Object.entries(FILES)) tools.put(path, content);
  symlinkSync('gone', join(tools.workspace, 'dead.txt'));
  symlinkSync('/etc', join(tools.workspace, 'etc'));
});
afterAll(() => {
  expect(existsSync(join(tools.workspace, 'pwned'))).toBe(false);
  return tools.dispose();
});

const FILES: Readonly<Record<string, string | Uint8Array>> = {
  'fileA.txt': 'hello world\nsecond line with world',
  'fileB.js': 'const foo = "bar";\nfunction baz() { return "hello"; }',
  'sub/fileC.txt': 'another world in sub dir',
  'sub/fileD.md': '# Markdown file\nThis is a test.',
  '..env': 'world in ..env',
  '.github/workflows/ci.yml': 'needle',
  'repo/.github/workflows/ci.yml': 'needle',
  'app/[id]/(main)/page.tsx': 'needle2',
  'feed.rss': `<rss>${'<item>x</item>'.repeat(3)}</rss>`,
  'crlf.txt': 'one\r\ntwo\r\n\r\nthree\r\n',
  'multi.ts': 'function many(\n  a,\n  b\n) {\n  return a;\n}\n',
  'go.go': 'func x(v interface{}) {\n\tm := map[string]interface{}{}\n}\n',
  'umlaut.txt': 'ÄÖÜ straße ΑΒΓ\n',
  '-dash': 'needle -e x',
  'col:on.txt': 'needle',
  'A/x.cs': 'kept',
  'A/x.csx': 'kept',
  'empty.txt': '',
  '.gitignore': 'sub\n*.md\n',
  'picture.PNG': 'needle',
  '../extra/e.ts': 'needle3',
};

/** Lines of paths, without what all of them begin with. */
const shown = (text: string) => text.replaceAll(`${tools.workspace}/`, '').replaceAll(`${tools.base}/`, '../');
const NONE = 'No matches found';
const DENIED = accessDenied('directory', '../ws');

test.each<[Record<string, unknown>, string]>([
  [{ pattern: 'world' }, '..env\nfileA.txt\nsub/fileC.txt'],
  [{ pattern: 'world', path: 'sub/../fileA.txt' }, 'fileA.txt'],
  [{ pattern: 'world', path: 'fileA.txt', output_mode: 'count' }, 'fileA.txt:2\nTotal matches: 2'],
  [{ pattern: 'world|hello', output_mode: 'count', head_limit: 1 }, '..env:1\nTotal matches: 5'],
  [
    { pattern: 'hello', glob: '*.js', output_mode: 'content', line_numbers: 'true' },
    'fileB.js:2:function baz() { return "hello"; }',
  ],
  [{ pattern: 'This', path: 'sub' }, 'sub/fileD.md'],
  [{ pattern: 'HELLO' }, NONE],
  [{ pattern: 'HELLO', case_insensitive: true }, 'fileA.txt\nfileB.js'],
  [{ pattern: '(?i)HELLO' }, 'fileA.txt\nfileB.js'],
  [{ pattern: 'foo.*bar', output_mode: 'Content' }, 'fileB.js:const foo = "bar";'],
  [{ pattern: '<item>', path: 'feed.rss', output_mode: 'count' }, 'feed.rss:1\nTotal matches: 1'],
  [{ pattern: '-e', output_mode: 'content' }, '-dash:needle -e x'],
  [{ pattern: '--files' }, NONE],
  [{ pattern: "'; touch pwned; '" }, NONE],
  [{ pattern: '$(touch pwned)' }, NONE],
  [{ pattern: '^two$', output_mode: 'content' }, 'crlf.txt:two'],
  [{ pattern: '^$', path: 'crlf.txt', output_mode: 'count' }, 'crlf.txt:1\nTotal matches: 1'],
  [{ pattern: '\\r', path: 'crlf.txt' }, NONE],
  [{ pattern: 'many\\(.*\\)', path: 'multi.ts' }, NONE],
  [{ pattern: 'many\\(.*\\)', path: 'multi.ts', multiline: true }, 'multi.ts'],
  [
    { pattern: 'many\\([^)]*\\)', multiline: true, output_mode: 'content' },
    'multi.ts:function many(\nmulti.ts:  a,\nmulti.ts:  b\nmulti.ts:) {',
  ],
  [{ pattern: 'a,', path: 'multi.ts', output_mode: 'content', context_after: '1' }, 'multi.ts:  a,\nmulti.ts-  b'],
  [{ pattern: 'a,', path: 'multi.ts', output_mode: 'content', context_before: -1 }, 'multi.ts:  a,'],
  [{ pattern: 'a,', path: 'multi.ts', context_before: 2 }, 'multi.ts'],
  [{ pattern: 'interface{}', output_mode: 'count' }, 'go.go:2\nTotal matches: 2'],
  [{ pattern: 'map\\[string\\]' }, 'go.go'],
  [{ pattern: '{ return' }, 'fileB.js'],
  [{ pattern: '(?<=hello )world', output_mode: 'content' }, 'fileA.txt:hello world'],
  [{ pattern: '(\\w)\\1', path: 'fileA.txt', output_mode: 'content' }, 'fileA.txt:hello world'],
  [{ pattern: 'äöü', case_insensitive: true }, 'umlaut.txt'],
  [{ pattern: '\\p{Greek}{3}' }, 'umlaut.txt'],
  [{ pattern: 'needle', glob: '.github/workflows/*.yml' }, '.github/workflows/ci.yml'],
  [
    { pattern: 'needle', glob: '**/.github/**/*.{yml,yaml}' },
    '.github/workflows/ci.yml\nrepo/.github/workflows/ci.yml',
  ],
  [{ pattern: 'needle', glob: './repo/**' }, 'repo/.github/workflows/ci.yml'],
  [{ pattern: 'needle2', path: 'app/[id]' }, 'app/[id]/(main)/page.tsx'],
  [{ pattern: 'needle2', path: 'app/[id]/(main)/page.tsx', glob: '*.tsx' }, 'app/[id]/(main)/page.tsx'],
  [{ pattern: 'needle2', path: 'app/[id]/(main)/page.tsx', glob: '*.js' }, NONE],
  [{ pattern: 'needle', glob: '*.PNG' }, 'picture.PNG'],
  [{ pattern: 'needle3', path: '../extra' }, '../extra/e.ts'],
  [{ pattern: '.', path: 'empty.txt' }, NONE],
  [{ pattern: 'world', output_mode: 'lines' }, mustBeOneOf('output_mode', ['files_with_matches', 'content', 'count'])],
  [{ pattern: 'hello', path: 'nonexistent' }, directoryNotFound('nonexistent')],
  [{ pattern: 'hello', path: 'dead.txt' }, directoryNotFound('dead.txt')],
  [{ pattern: 'root', path: 'etc' }, DENIED],
  [{ pattern: 'root', path: '..' }, DENIED],
  [{ pattern: '' }, isRequired('pattern')],
])('grep %j', async (input, expected) => {
  expect(shown(await tools.text('grep', input))).toBe(expected);
});

test.each(['[[', 'foo(', '*', '(?<name', 'a{2,1}'])('grep %s is no expression', async (pattern) => {
  expect(await tools.call('grep', { pattern })).toEqual({
    text: expect.stringMatching(/^Error: Regex error: .+/),
    isError: true,
  });
});

test.each<[Record<string, unknown>, string]>([
  [{ query: 'Hello' }, 'fileA.txt:1: hello world\nfileB.js:2: function baz() { return "hello"; }'],
  [{ query: 'HELLO', case_sensitive: true }, ''],
  [
    { query: 'world', recursive: 'false' },
    '..env:1: world in ..env\nfileA.txt:1: hello world\nfileA.txt:2: second line with world',
  ],
  [{ query: 'world', directory: './sub/' }, 'sub/fileC.txt:1: another world in sub dir'],
  [{ query: 'kept', pattern: '*.cs' }, 'A/x.cs:1: kept'],
  [{ query: 'kept', pattern: 'x.*' }, 'A/x.cs:1: kept\nA/x.csx:1: kept'],
  [{ query: 'kept', pattern: '**/*.{cs,csx}' }, 'A/x.cs:1: kept\nA/x.csx:1: kept'],
  [{ query: 'needle', pattern: '*.png' }, ''],
  [{ query: 'needle', pattern: '*.PNG' }, ''],
  [{ query: 'needle', directory: 'A', pattern: '' }, ''],
  [{ query: 'many(' }, 'multi.ts:1: function many('],
  [{ query: 'a,\n  b' }, 'multi.ts:2:   a,\nmulti.ts:3:   b'],
  [{ query: 'one\r\ntwo' }, 'crlf.txt:1: one\ncrlf.txt:2: two'],
  [{ query: '^three$', regex: true }, 'crlf.txt:4: three'],
  [{ query: 'a.b' }, ''],
  [{ query: '[' }, 'go.go:2: \tm := map[string]interface{}{}'],
  [{ query: 'needle3', directory: '../extra' }, '../extra/e.ts:1: needle3'],
  [{ query: '' }, isRequired('query', 'Error searching code: ')],
  [{ query: 'x', directory: 'fileA.txt' }, directoryNotFound('fileA.txt')],
  [{ query: 'x', directory: '../../etc' }, DENIED],
])('search_code %j', async (input, expected) => {
  expect(shown(await tools.text('search_code', input))).toBe(expected);
});

test.each<[Record<string, unknown>, string]>([
  [{ pattern: '*.js' }, 'fileB.js'],
  [{ pattern: '*.JS' }, noFilesMatched('*.JS')],
  [{ pattern: '**/*.tsx' }, 'app/[id]/(main)/page.tsx'],
  [{ pattern: 'app/[id]/(main)/page.tsx' }, 'app/[id]/(main)/page.tsx'],
  [{ pattern: 'sub/*.{md,txt}' }, 'sub/fileC.txt\nsub/fileD.md'],
  [{ pattern: '{sub,A}/*.{md,cs}' }, 'A/x.cs\nsub/fileD.md'],
  [{ pattern: 'sub/{fileC.txt,none/x}' }, 'sub/fileC.txt'],
  [{ pattern: 'sub/**' }, 'sub/fileC.txt\nsub/fileD.md'],
  [{ pattern: './/sub//*.md' }, 'sub/fileD.md'],
  [{ pattern: '**/**/*.md' }, 'sub/fileD.md'],
  [{ pattern: 'sub/file[!C]*' }, 'sub/fileD.md'],
  [{ pattern: 'file?.txt' }, 'fileA.txt'],
  [{ pattern: '.github/**/*.yml' }, '.github/workflows/ci.yml'],
  [{ pattern: '**/.github/*/*' }, '.github/workflows/ci.yml\nrepo/.github/workflows/ci.yml'],
  [{ pattern: '**/*.yml' }, noFilesMatched('**/*.yml')],
  [{ pattern: '.*' }, '..env\n.gitignore'],
  [{ pattern: 'dead.*' }, noFilesMatched('dead.*')],
  [{ pattern: 'sub' }, noFilesMatched('sub')],
  [{ pattern: '*', path: 'etc' }, DENIED],
  [{ pattern: '/etc/*' }, DENIED],
  [{ pattern: '../*' }, DENIED],
  [{ pattern: '../extra/*' }, '../extra/e.ts'],
  [{ pattern: '*', path: 'fileA.txt' }, directoryNotFound('fileA.txt')],
  [{ pattern: '*.{ts' }, unclosedBrace('*.{ts')],
  [{ pattern: '' }, isRequired('pattern')],
])('glob %j', async (input, expected) => {
  expect(shown(await tools.text('glob', input))).toBe(expected);
});
