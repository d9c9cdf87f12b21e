import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** The suite needs Node 22 or newer. */
const NODE = join(ROOT, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
const SUITE = join(ROOT, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
/** The suite starts a process per scenario, and each loads the same. */
const NODE_COMPILE_CACHE = mkdtempSync(join(tmpdir(), 'mcp-conformance-cache-'));
const FIXTURES = join(ROOT, 'tests/fixtures/mcp');

for (const revision of ['2025-11-25', '2026-07-28']) {
  test(`what revision ${revision} requires of a client, through our own connection`, { timeout: 240_000 }, async () => {
    const suite = spawn(
      NODE,
      [
        ...[SUITE, 'client', '--requirements', revision],
        ...['--command', `${NODE} ${join(FIXTURES, 'conformance-client.ts')}`],
        ...['--expected-failures', join(FIXTURES, 'conformance-expected-failures.yml')],
        ...['--timeout', '120000', '--output-dir', mkdtempSync(join(tmpdir(), 'mcp-conformance-'))],
      ],
      { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NODE_COMPILE_CACHE } },
    );
    const code = new Promise<number | null>((done) => suite.once('close', done));
    const [said, complained] = await Promise.all([text(suite.stdout), text(suite.stderr)]);
    expect(await code, `${said.slice(said.indexOf('SUITE SUMMARY'))}\n${complained.slice(-2_000)}`).toBe(0);
  });
}
