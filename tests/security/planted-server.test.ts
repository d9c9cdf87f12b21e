/**
 * A configured MCP server runs a file of a root, which an edit rule let be changed after text from outside was read: its
 * next start must not run that.
 */
import { existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { stdioConfig } from '../fixtures/mcp/connections.ts';
import { User, untrusted } from '../fixtures/memory-ports.ts';
import { startAssistant } from '../fixtures/running-assistant.ts';

const SOON = { timeout: 30_000, interval: 20 };

/** The server's command line in a workspace, which a test writes, and variables. */
type Entry = (workspace: string) => { command: string; args?: string[]; env?: Record<string, string> };
const node = process.execPath;
const SCRIPT: Entry = (workspace) => ({ command: node, args: [join(workspace, 'server.mjs')] });

/** Each runs `server.mjs` of the workspace. */
const FORMS: readonly (readonly [form: string, entry: Entry])[] = [
  ['a script', SCRIPT],
  ['a program', (workspace) => ({ command: join(workspace, 'start') })],
  [
    'a program of PATH',
    (workspace) => ({ command: 'start', env: { PATH: `${workspace}:${dirname(node)}:/usr/bin:/bin` } }),
  ],
  ['a folder in code', (workspace) => ({ command: 'sh', args: ['-c', `cd ${workspace}; exec "${node}" server.mjs`] })],
  ['an option', (workspace) => ({ command: node, args: [`--import=${workspace}/server.mjs`, '-e', '0'] })],
  [
    'a variable',
    (workspace) => ({ command: node, args: ['-e', '0'], env: { NODE_OPTIONS: `--import=${workspace}/server.mjs` } }),
  ],
  ['a link', (workspace) => ({ command: node, args: [join(dirname(workspace), 'link', 'server.mjs')] })],
];

async function started(entry: Entry) {
  const user = new User(() => ({ answer: 'allow', scope: 'reviewed', by: 'user' }));
  const running = await startAssistant({ consent: user });
  onTestFinished(() => running.stop());
  const { services } = running;
  const workspace = realpathSync(running.workspace);
  writeFileSync(join(workspace, 'start'), `#!/bin/sh\nexec "${node}" "${workspace}/server.mjs"\n`, { mode: 0o755 });
  writeFileSync(join(workspace, 'server.mjs'), `import fs from 'node:fs'; fs.writeFileSync('${workspace}/owned', '');`);
  symlinkSync(workspace, join(dirname(workspace), 'link'));
  mkdirSync(join(workspace, 'elsewhere'));
  const { unreviewedFiles } = services.storage;
  const plant = (path: string) => {
    const change = { hash: null, marks: [untrusted], conversationId: 'earlier', callId: 'call' };
    unreviewedFiles.add({ path, ...change });
  };
  const start = async () => {
    const { args = [], ...more } = entry(workspace);
    services.mcp.apply({ planted: stdioConfig(args, more) });
    await vi.waitFor(() => expect(services.mcp.get('planted')?.state.name).toBe('failed'), SOON);
    return services.mcp.get('planted')?.state;
  };
  const isOwned = () => existsSync(join(workspace, 'owned'));
  return { services, workspace, plant, start, isOwned };
}

test.each(FORMS)('named as %s, it starts only once the changes are reviewed', async (_form, entry) => {
  const { services, workspace, plant, start, isOwned } = await started(entry);
  plant(join(workspace, 'server.mjs'));
  expect(await start()).toMatchObject({
    problem: { code: 'unreviewed_files', paths: [join(workspace, 'server.mjs')] },
  });
  expect(isOwned()).toBe(false);
  expect(await services.review.run(new AbortController().signal)).toMatchObject({ kind: 'reviewed' });
  await vi.waitFor(() => expect(isOwned()).toBe(true), SOON);
});

test('an unreviewed file beside it counts, because it could be loaded', async () => {
  const { workspace, plant, start, isOwned } = await started(SCRIPT);
  plant(join(workspace, 'elsewhere/module.mjs'));
  expect(await start()).toMatchObject({ problem: { code: 'unreviewed_files' } });
  expect(isOwned()).toBe(false);
});

test('the control: with nothing unreviewed it starts, and so does one that names nothing in the root', async () => {
  const { start, isOwned } = await started(SCRIPT);
  expect(await start()).toMatchObject({ problem: { code: 'exited' } });
  expect(isOwned()).toBe(true);
  const other = await started(() => ({ command: node, args: ['-e', '0'] }));
  other.plant(join(other.workspace, 'server.mjs'));
  expect(await other.start()).toMatchObject({ problem: { code: 'exited' } });
});
