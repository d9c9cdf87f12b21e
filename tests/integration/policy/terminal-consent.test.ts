import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { ConsentRequest } from '../../../src-main/policy/consent.ts';
import { FolderTree } from '../../fixtures/folder-tree.ts';
import { needTerminal } from '../../fixtures/machine-needs.ts';
import { nothingSaid } from '../../fixtures/memory-ports.ts';

const PROGRAM = fileURLToPath(new URL('ask-on-terminal.ts', import.meta.url));

const tree = new FolderTree();

beforeEach(needTerminal);
afterAll(() => tree.remove());

const command: ConsentRequest = {
  kind: 'tool',
  id: '1',
  reason: { code: 'command' },
  tool: 'bash',
  input: { command: 'npm test' },
  access: [{ kind: 'command', class: 'execute', command: { kind: 'shell', line: 'npm test' }, directory: '/w' }],
  classes: ['execute'],
  previews: [],
  marks: [],
  offers: [
    {
      label: 'run "npm test" in /w',
      tool: null,
      matcher: { kind: 'exact-command', line: 'npm test', directory: '/w' },
    },
  ],
  rulesMeet: false,
  review: [],
  boundTo: 'hash',
  ...nothingSaid,
  conversationId: 'conversation-1',
};

/** A user at a pseudo-terminal (util-linux `script`), who types when they have read what they wait for. */
function atTerminal({ go = tree.path, promptAfterMs }: { go?: string; promptAfterMs?: number } = {}) {
  const slower = promptAfterMs === undefined ? {} : { CONSENT_PROMPT_AFTER_MS: String(promptAfterMs) };
  const child = spawn('script', ['-qefc', `"${process.execPath}" "${PROGRAM}"`, '/dev/null'], {
    env: { ...process.env, CONSENT_REQUEST: JSON.stringify(command), CONSENT_GO: go, TERM: 'xterm', ...slower },
  });
  let screen = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (screen += text));
  const ended = once(child, 'close');
  return {
    type: (keys: string) => child.stdin.write(keys),
    sees: (text: string) => expect.poll(() => screen, { timeout: 20_000 }).toContain(text),
    outcome: async () => {
      await ended;
      return /outcome=(.*?)\r?\n/.exec(screen)?.[1];
    },
    screen: () => screen,
    /** Reacts as soon as the text is on the screen. */
    onSeeing: (text: string, react: () => void) => {
      const look = () => {
        if (!screen.includes(text)) return;
        child.stdout.off('data', look);
        react();
      };
      child.stdout.on('data', look);
    },
  };
}

test('a user at a terminal reads the question and answers it, and the program can end', async () => {
  const user = atTerminal();
  await user.sees('Your answer: ');
  expect(user.screen()).toContain('run "npm test" in /w');
  user.type('a\n');
  expect(JSON.parse((await user.outcome()) ?? '')).toMatchObject({ answer: 'allow', scope: 'always', by: 'user' });
});

test('keys typed before the question could be read are not an answer', async () => {
  const user = atTerminal({ go: tree.at('go') });
  user.type('y\ny\n');
  await user.sees('y\r\ny\r\n');
  tree.file('go');
  await user.sees('Your answer: ');
  user.type('n not now\n');
  expect(JSON.parse((await user.outcome()) ?? '')).toEqual({ answer: 'deny', by: 'user', word: 'not now' });
});

test('the beginning of a line that was typed before is not the beginning of the answer', async () => {
  const user = atTerminal({ go: tree.at('go-on') });
  user.type('y');
  await user.sees('y');
  tree.file('go-on');
  await user.sees('Your answer: ');
  user.type('\n');
  await user.sees('Please answer y, c, a or n.');
  await expect.poll(() => user.screen().split('Your answer: ')).toHaveLength(3);
  user.type('n\n');
  expect(JSON.parse((await user.outcome()) ?? '')).toEqual({ answer: 'deny', by: 'user' });
});

test('keys typed while a question can only be read are not an answer, and are not echoed', async () => {
  const user = atTerminal({ promptAfterMs: 3_000 });
  user.onSeeing('n  no (', () => user.type('y\nyes\ny'));
  await user.sees('Your answer: ');
  expect(user.screen()).not.toContain('yes\r\n');
  user.type('n later\n');
  expect(JSON.parse((await user.outcome()) ?? '')).toEqual({ answer: 'deny', by: 'user', word: 'later' });
});

test('Ctrl-C withdraws a question that cannot be answered yet', async () => {
  const user = atTerminal({ promptAfterMs: 600_000 });
  user.onSeeing('n  no (', () => setTimeout(() => user.type('\u0003'), 200));
  expect(await user.outcome()).toBe('Error: interrupted');
  expect(user.screen()).toContain('This is no longer asked.');
});

test('Ctrl-C withdraws the question', async () => {
  const user = atTerminal();
  await user.sees('Your answer: ');
  user.type('\u0003');
  expect(await user.outcome()).toBe('Error: interrupted');
  expect(user.screen()).toContain('This is no longer asked.');
});

test('Ctrl-D is a no', async () => {
  const user = atTerminal();
  await user.sees('Your answer: ');
  user.type('\u0004');
  expect(JSON.parse((await user.outcome()) ?? '')).toMatchObject({ answer: 'deny', by: 'default' });
});
