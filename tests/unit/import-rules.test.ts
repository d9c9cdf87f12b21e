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

test('what the rules allow passes them all', async () => {
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
