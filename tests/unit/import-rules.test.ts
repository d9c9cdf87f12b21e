import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise } from 'dependency-cruiser';
import readOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import readTsConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const EXAMPLES = join(ROOT, 'tests/fixtures/import-rules');
const PASSING = 'passing';

const options = await readOptions(join(ROOT, '.dependency-cruiser.mjs'));
const tsConfig = readTsConfig(join(ROOT, 'tsconfig.json'));
const ruleNames = (options.ruleSet?.forbidden ?? []).flatMap(({ name }) => name ?? []);
const exampleNames = (await readdir(EXAMPLES)).sort();

/** Every way to import a module, from a module and from a component. */
const IMPORTING: readonly (readonly [way: string, extension: string, importing: (path: string) => string])[] = [
  ['values', 'ts', (path) => `import { name } from '${path}';\n\nexport const used = name;\n`],
  ['types alone', 'ts', (path) => `import type { Name } from '${path}';\n\nexport type Used = Name;\n`],
  ['values on demand', 'ts', (path) => `export const load = () => import('${path}');\n`],
  [
    'values in a component',
    'svelte',
    (path) => `<script lang="ts">\nimport { name } from '${path}';\n</script>\n\n{name}\n`,
  ],
  [
    'types alone in a component',
    'svelte',
    (path) =>
      `<script lang="ts">\nimport type { Name } from '${path}';\n\nlet { name }: { name: Name } = $props();\n</script>\n\n{name}\n`,
  ],
  ['values on demand in a component', 'svelte', (path) => `{#await import('${path}') then { name }}{name}{/await}\n`],
];
const TARGET = "export const name = '';\nexport type Name = string;\n";
const pairsOf = (rooms: readonly string[]) =>
  rooms.flatMap((from) => rooms.filter((to) => to !== from).map((to) => [from, to] as const));

/** `rule: importing file -> imported file` for every violation in a source tree, by the rules of this repository. */
async function violationsIn(tree: string): Promise<string[]> {
  const { output } = await cruise(await readdir(tree), { ...options, baseDir: tree }, undefined, { tsConfig });
  if (typeof output === 'string') throw new Error(`dependency-cruiser reported text: ${output}`);
  return output.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`).sort();
}

test('every import rule has a failing example, and every example a rule', () => {
  expect(exampleNames).toEqual([...ruleNames, PASSING].sort());
});

describe('an import rule refuses its failing example, and no other rule does', () => {
  test.each(ruleNames)('%s', async (name) => {
    const violations = await violationsIn(join(EXAMPLES, name));
    expect(violations).toEqual([expect.stringMatching(new RegExp(`^${name}: `))]);
  });
});

test('allowed imports pass all rules', async () => {
  expect(await violationsIn(join(EXAMPLES, PASSING))).toEqual([]);
});

describe('between rooms', () => {
  // The arrow of the design, top to bottom: a room imports from rooms below its own row.
  const ROWS = [
    ['desktop', 'ipc', 'headless', 'diagnostics'],
    ['assistant'],
    ['policy', 'models', 'tools', 'client-tools', 'mcp'],
    ['accounts', 'processes', 'network', 'secrets', 'storage', 'settings'],
    ['base'],
  ];
  const WITHIN_A_ROW = [
    'desktop diagnostics',
    'ipc diagnostics',
    'headless diagnostics',
    'tools policy',
    'accounts secrets',
    'accounts network',
    'processes secrets',
  ];
  const rooms = ROWS.flat();
  const rowOf = (room: string) => ROWS.findIndex((row) => row.includes(room));
  const pairs = rooms.flatMap((from) => rooms.filter((to) => to !== from).map((to) => ({ from, to })));

  test.each([
    ['values', (to: string) => `import { name } from '../${to}/target.ts';\n\nexport const used = name;\n`],
    ['types alone', (to: string) => `import type { Name } from '../${to}/target.ts';\n\nexport type Used = Name;\n`],
    ['values on demand', (to: string) => `export const load = () => import('../${to}/target.ts');\n`],
  ])('only the imports that the design names are allowed, for %s', async (_, importing) => {
    const files = Object.fromEntries(
      pairs.map(({ from, to }) => [`src-main/${from}/uses-${to}.ts`, importing(to)] as const),
    );
    for (const room of rooms)
      files[`src-main/${room}/target.ts`] = `export const name = '${room}';\nexport type Name = string;\n`;

    const forbidden = pairs.filter(
      ({ from, to }) => rowOf(from) >= rowOf(to) && !WITHIN_A_ROW.includes(`${from} ${to}`),
    );
    expect(await withTree(files, violationsIn)).toEqual(
      forbidden
        .map(({ from, to }) => `direction-${from}: src-main/${from}/uses-${to}.ts -> src-main/${to}/target.ts`)
        .sort(),
    );
  });
});

describe('between rooms of the renderer', () => {
  // The arrow of the design, top to bottom. The consent page stands beside it: nobody imports it, and it imports ui/
  // alone.
  const ROWS = [['app'], ['chat', 'settings', 'first-run'], ['tool-cards'], ['conversation'], ['ui']];
  const rowOf = (room: string) => ROWS.findIndex((row) => row.includes(room));
  const isAllowed = (from: string, to: string) =>
    from === 'consent' ? to === 'ui' : to !== 'consent' && rowOf(from) < rowOf(to);

  test.each(IMPORTING)(
    'only the imports that the design names are allowed, for %s',
    async (_, extension, importing) => {
      const pairs = pairsOf([...ROWS.flat(), 'consent']);
      const files = Object.fromEntries(
        pairs.map(([from, to]) => [`src-renderer/${from}/Uses-${to}.${extension}`, importing(`../${to}/target.ts`)]),
      );
      for (const [room] of pairs) files[`src-renderer/${room}/target.ts`] = TARGET;

      expect(await withTree(files, violationsIn)).toEqual(
        pairs
          .filter(([from, to]) => !isAllowed(from, to))
          .map(
            ([from, to]) =>
              `renderer-direction-${from}: src-renderer/${from}/Uses-${to}.${extension} -> src-renderer/${to}/target.ts`,
          )
          .sort(),
      );
    },
  );

  test.each(IMPORTING)('within chat/ the thread alone knows another, for %s', async (_, extension, importing) => {
    const pairs = pairsOf(['composer', 'thread', 'markdown']);
    const files = Object.fromEntries(
      pairs.map(([from, to]) => [`src-renderer/chat/${from}/Uses-${to}.${extension}`, importing(`../${to}/target.ts`)]),
    );
    for (const [room] of pairs) files[`src-renderer/chat/${room}/target.ts`] = TARGET;

    expect(await withTree(files, violationsIn)).toEqual(
      pairs
        .filter(([from, to]) => from !== 'thread' || to !== 'markdown')
        .map(
          ([from, to]) =>
            `renderer-direction-chat-${from}: src-renderer/chat/${from}/Uses-${to}.${extension} -> src-renderer/chat/${to}/target.ts`,
        )
        .sort(),
    );
  });
});

describe('a cycle is found', () => {
  const A = 'src-renderer/ui/A.svelte';
  const B = 'src-renderer/ui/B.svelte';
  const MODULE = 'src-renderer/ui/module.ts';
  const script = (text: string) => `<script lang="ts">\n${text}\n</script>\n\n<p></p>\n`;

  test.each([
    [
      'through components alone',
      { [A]: script("import B from './B.svelte';"), [B]: script("import A from './A.svelte';") },
    ],
    [
      'through a component and a module',
      {
        [A]: script("import { name } from './module.ts';"),
        [MODULE]: "export { default as name } from './A.svelte';\n",
      },
    ],
    [
      'through a type that a component imports',
      {
        [A]: script("import type { Name } from './module.ts';"),
        [MODULE]: "import A from './A.svelte';\n\nexport type Name = typeof A;\n",
      },
    ],
    [
      'through a component that is loaded on demand',
      {
        [A]: "{#await import('./B.svelte') then { default: B }}<B />{/await}\n",
        [B]: script("import A from './A.svelte';"),
      },
    ],
  ])('%s', async (_, files) => {
    expect(await withTree(files, violationsIn)).toEqual([expect.stringMatching(/^no-cycles: /)]);
  });

  test('but a component may contain itself', async () => {
    const files = { [A]: script("import A from './A.svelte';\nimport B from './B.svelte';"), [B]: '<p></p>\n' };
    expect(await withTree(files, violationsIn)).toEqual([]);
  });
});

async function withTree<T>(files: Readonly<Record<string, string>>, use: (tree: string) => Promise<T>): Promise<T> {
  const tree = await mkdtemp(join(tmpdir(), 'steward-import-rules-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(tree, path)), { recursive: true });
      await writeFile(join(tree, path), text);
    }
    return await use(tree);
  } finally {
    await rm(tree, { recursive: true, force: true });
  }
}
