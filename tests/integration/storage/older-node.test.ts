import { spawnSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-profile.ts';

const from = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const external = [...builtinModules.map((name) => `node:${name}`), '@photostructure/sqlite'];
const PASS = 'older-node-scenario.ts';
const expected = {
  hits: 2,
  restored: ['user_message', 'block'],
  repaired: 2,
  unknown: 'conversation_unknown',
  notices: ['database_damaged'],
  aside: 3,
  leased: true,
  remembered: ['conversation 0', 'memory 1'],
};

/** The scenario as it would be shipped: bundled, with the worker beside it. */
async function bundle(scenario: string): Promise<string> {
  const outDir = temporaryFolder();
  symlinkSync(from('../../../node_modules'), join(outDir, 'node_modules'), 'junction');
  writeFileSync(join(outDir, 'package.json'), '{"type":"module"}');
  const input = {
    scenario: from(scenario),
    'storage-worker': from('../../../src-main/storage/worker/storage-worker.ts'),
  };
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: true,
      target: 'node20.18',
      outDir,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: {
        input,
        external,
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' },
      },
    },
    ssr: { noExternal: true },
  });
  return join(outDir, 'scenario.js');
}

function run([node, ...options]: readonly [string, ...string[]], script: string): unknown {
  const { stdout, stderr } = spawnSync(node, [...options, script], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

/**
 * A Node that has no `node:sqlite`: the product must run on it with the package that takes its place. Where the PATH
 * has none that is old enough, this one does without.
 */
function nodeWithoutSqlite(): readonly [string, ...string[]] {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  const script = "process.exit(process.getBuiltinModule?.('node:sqlite') === undefined ? 0 : 1)";
  const older = folders
    .map((folder) => join(folder, 'node'))
    .find((node) => spawnSync(node, ['-e', script]).status === 0);
  return older === undefined ? [process.execPath, '--no-experimental-sqlite'] : [older];
}

test('the bundle does all of it under this Node', async () => {
  expect(run([process.execPath], await bundle(PASS))).toEqual({ hasBuiltin: true, ...expected });
});

test('the bundle does all of it under a Node without node:sqlite', async () => {
  expect(run(nodeWithoutSqlite(), await bundle(PASS))).toEqual({ hasBuiltin: false, ...expected });
});

test('closing while the worker is inside SQLite does not abort a Node without node:sqlite', async () => {
  expect(run(nodeWithoutSqlite(), await bundle('closing-scenario.ts'))).toEqual({ closed: 60 });
});
