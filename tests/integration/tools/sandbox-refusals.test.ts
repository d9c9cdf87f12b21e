import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { needSandbox } from '../../fixtures/machine-needs.ts';
import { no } from '../../fixtures/memory-ports.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';

let tools: ToolHarness;
beforeEach((context) => {
  needSandbox(context);
  tools = new ToolHarness({ consent: { ask: async () => no }, remembers: true });
  tools.put('README.md', 'hello\n');
  tools.put('.env', 'KEY=value-of-env\n');
  const path = tools.workspace;
  tools.rules.add({ label: `work freely in ${path}`, tool: null, matcher: { kind: 'work-freely', path } }, null);
});
afterEach(() => tools?.dispose());

const off = 'If the command needs that, use sandbox "off" with a reason: the user is asked.]';

/** The result of a command, and what its card says the sandbox refused. */
async function run(command: string, more: object = {}) {
  const { result } = await tools.turn('bash', { command, ...more });
  const { card, text } = result;
  return { text, refused: card?.kind === 'terminal' ? card.refused : undefined };
}

test.each([
  ['a write outside', 'touch /usr/local/made', { kind: 'write', what: '/usr/local/made' }],
  ['a write of Node', `node -e "fs.writeFileSync('/etc/made', '')"`, { kind: 'write', what: '/etc/made' }],
  ['a local service', `node -e "net.connect(5432, '127.0.0.1')"`, { kind: 'service', what: '127.0.0.1:5432' }],
  ['a socket', `node -e "net.connect('/run/x.sock')"`, { kind: 'socket', what: '/run/x.sock' }],
  ['a secret file', 'cat .env', { kind: 'secret', what: '.env' }],
  ['a namespace', 'unshare --net true', { kind: 'rights' }],
])('%s is named in the result and on the card', async (_, command, refusal) => {
  const { text, refused } = await run(command);
  expect(refused).toEqual([refusal]);
  expect(text).toMatch(/\n\[it probably (?:wanted|needs) [^\n]+\]\n\[sandbox: [^\n]+\]\n\[exit code \d+\]$/);
  expect(text).toContain(off);
});

test('a host is named where nobody is asked for it', async () => {
  const { text, refused } = await run(`node -e "fetch('https://api.example.com/')"`, { sandbox: 'read-only' });
  expect(refused).toEqual([{ kind: 'network', what: 'api.example.com' }]);
  expect(text).toContain(off);
});

test('a file that is known to be closed is named also where the command ended well', async () => {
  const { text, refused } = await run('cat .env; ls');
  expect(refused).toEqual([{ kind: 'secret', what: '.env' }]);
  expect(text).toMatch(/\n\[it probably wanted to open the secret file `\.env`\]$/);
});

test('what Git could not write is protected, and a change of the folder itself needs no more than to be asked for', async () => {
  execFileSync('git', ['init', '-q'], { cwd: tools.workspace });
  const kept = await run('git config core.editor vim');
  expect(kept.refused).toEqual([{ kind: 'kept', what: '.git/config' }]);
  const looking = await run('touch made', { sandbox: 'read-only' });
  expect(looking.refused).toEqual([{ kind: 'write', what: 'made' }]);
  expect(looking.text).toContain('use sandbox "folder".]');
  const outside = await run('touch /etc/made', { sandbox: 'read-only' });
  expect(outside.text).toContain(off);
});

test.each(['run_command', 'execute_command'])('%s says it too', async (tool) => {
  const { result } = await tools.turn(tool, { command: 'touch /etc/made' });
  expect(result.text).toContain('\n[it probably wanted to write `/etc/made`]\n[sandbox: ');
  expect(result.card).toMatchObject({ refused: [{ kind: 'write', what: '/etc/made' }] });
});

test('a failure of another kind, a command that succeeded, and one outside say nothing of it', async () => {
  const errors = `node -e "console.error('getaddrinfo EAI_AGAIN example.com')"`;
  for (const command of ['cat missing.txt', 'node -e "process.exit(3)"', errors]) {
    const { text, refused } = await run(command);
    expect(refused).toBeUndefined();
    expect(text).not.toContain('probably');
  }
});
