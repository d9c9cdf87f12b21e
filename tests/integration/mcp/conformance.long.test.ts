import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** The suite needs Node 22 or newer. */
const NODE = join(ROOT, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
const SUITE = join(ROOT, 'node_modules/@modelcontextprotocol/conformance');
const CLIENT = join(ROOT, 'tests/fixtures/mcp/conformance-client.ts');
/** Each scenario is a process that loads the same. */
const NODE_COMPILE_CACHE = mkdtempSync(join(tmpdir(), 'mcp-conformance-cache-'));
/** The suite would start all of them at once, and servers that wait for seconds close their connections. */
const AT_ONCE = 3;

/** What a client has to pass, by the suite's own list. Extensions are not on it. */
function requiredScenarios(revision: string): string[] {
  const list = readFileSync(join(SUITE, `requirements/${revision}.yaml`), 'utf8');
  const [, section = ''] = /^client:\n((?:[ #\n].*\n?)*)/m.exec(list) ?? [];
  return [...section.matchAll(/^ {2}- (\S+)$/gm)].map(([, name = '']) => name);
}

/** Empty if it passed, else what the suite says. */
async function failureOf(scenario: string, revision: string): Promise<string> {
  const suite = spawn(
    NODE,
    [
      join(SUITE, 'dist/index.js'),
      'client',
      '--scenario',
      scenario,
      '--spec-version',
      revision,
      '--command',
      `${NODE} ${CLIENT}`,
      '--timeout',
      '110000',
    ],
    { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NODE_COMPILE_CACHE } },
  );
  const code = new Promise<number | null>((done) => suite.once('close', done));
  const [said, complained] = await Promise.all([text(suite.stdout), text(suite.stderr)]);
  const passed = (await code) === 0 && !said.includes('SKIPPED');
  return passed ? '' : `${scenario}\n${said}\n${complained.slice(-3_000)}`;
}

for (const revision of ['2025-11-25', '2026-07-28']) {
  test(`what revision ${revision} requires of a client, through our own connection`, { timeout: 240_000 }, async () => {
    const scenarios = requiredScenarios(revision);
    expect(scenarios).toContain('auth/scope-step-up');
    const waiting = [...scenarios];
    const failures: string[] = [];
    const work = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        failures.push(await failureOf(next, revision));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    expect(failures.filter((failure) => failure !== '').join('\n')).toBe('');
    expect(failures).toHaveLength(scenarios.length);
  });
}
