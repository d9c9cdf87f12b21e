import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { builtOutput } from '../../../scripts/built-output.mjs';
import { askRig, eventsOf, ofType, parseEvents } from '../../fixtures/ask.ts';
import { needLinux } from '../../fixtures/machine-needs.ts';
import { type MessagesApi, startMessagesApi } from '../../fixtures/messages-api/server.ts';

let api: MessagesApi | undefined;
afterEach(async () => {
  await api?.close();
  api = undefined;
});

const MODEL = ['--model', 'claude-sonnet-4-5'];
const bash = (command: string) => ({
  blocks: [{ type: 'tool_use', name: 'bash', input: { command, timeout: 600_000 } } as const],
});

/** Processes whose command line holds the marker; this one is not asked. */
function processesWith(marker: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return line.includes(marker) ? [`${pid} ${line}`] : [];
      } catch {
        // The process ended between the two looks.
        return [];
      }
    });
}

async function eventually(check: () => boolean): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!check()) {
    if (Date.now() > deadline) throw new Error('It did not happen within 30 s');
    await sleep(20);
  }
}

test('Ctrl-C during a command ends its whole tree, exit 130, and the conversation can continue', async (context) => {
  needLinux(context, 'processes are looked for in /proc');
  const marker = `987.${process.pid}1`;
  api = await startMessagesApi({ turns: [bash(`sleep ${marker} & sleep ${marker}; touch late`), { text: 'fine' }] });
  const ask = askRig({ api: api.url });
  const child = await ask.start(['--json', '--approve', 'all', ...MODEL, 'wait']);
  child.stdin.end();
  const seen = [];
  for await (const event of eventsOf(child)) {
    seen.push(event);
    if (event.type !== 'decision') continue;
    await eventually(() => processesWith(marker).length >= 2);
    child.kill('SIGINT');
  }
  const code = child.exitCode ?? (await new Promise((resolve) => child.once('close', resolve)));
  expect(code).toBe(130);
  expect(processesWith(marker)).toEqual([]);
  expect(existsSync(join(ask.workspace, 'late'))).toBe(false);
  expect(ofType(seen, 'tool_result')).toMatchObject([{ outcome: 'stopped', calledBy: 'model' }]);
  expect(seen.at(-1)).toEqual({ type: 'done', stopReason: 'interrupted' });
  expect(await ask.events([...MODEL, '--conversation', 'last', 'go on'])).toMatchObject({ code: 0 });
});

test('Ctrl-C during an answer stops the stream and keeps what was said', async () => {
  api = await startMessagesApi({ turns: [{ endless: 'text' }, { text: 'fine' }] });
  const ask = askRig({ api: api.url });
  const child = await ask.start(['--json', ...MODEL, 'talk']);
  child.stdin.end();
  const seen = [];
  for await (const event of eventsOf(child)) {
    seen.push(event);
    // A second one would end the process at once.
    if (event.type === 'text' && ofType(seen, 'text').length === 1) child.kill('SIGINT');
  }
  expect(seen.at(-1)).toEqual({ type: 'done', stopReason: 'interrupted' });
  await eventually(() => api?.hungUp() === 1);
  const next = await ask.events([...MODEL, '--conversation', 'last', 'go on']);
  expect(next.code).toBe(0);
  expect(JSON.stringify(api.requests[1]?.body)).toContain(ofType(seen, 'text')[0]?.text.slice(0, 10));
});

test('a closed output pipe stops the turn and leaves a usable conversation', async () => {
  api = await startMessagesApi({ turns: [{ endless: 'text' }, { text: 'fine' }] });
  const ask = askRig({ api: api.url });
  const child = await ask.start(['--json', ...MODEL, 'talk']);
  child.stdin.end();
  child.stdout.once('data', () => child.stdout.destroy());
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect(code).toBe(130);
  expect(await ask.events([...MODEL, '--conversation', 'last', 'go on'])).toMatchObject({ code: 0 });
});

test('two processes at once on one profile: both answer, and one conversation takes one turn at a time', async () => {
  api = await startMessagesApi({
    answer: ({ body }) => {
      const { messages } = body as { messages: unknown[] };
      return JSON.stringify(messages.at(-1)).includes('three') ? { endless: 'text' } : { text: 'done' };
    },
  });
  const ask = askRig({ api: api.url });
  const both = await Promise.all([ask.events([...MODEL, 'one']), ask.events([...MODEL, 'two'])]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  const id = ofType(both[0]?.events ?? [], 'start')[0]?.conversationId ?? '';
  const first = await ask.start(['--json', ...MODEL, '--conversation', id, 'three']);
  first.stdin.end();
  await new Promise<void>((resolve) => {
    first.stdout.on('data', (chunk: Buffer) => {
      if (chunk.includes('"text"')) resolve();
    });
  });
  const second = await ask.events([...MODEL, '--conversation', id, 'four']);
  expect(second.code).toBe(1);
  expect(ofType(second.events, 'error')).toMatchObject([{ code: 'conversation_busy' }]);
  first.kill('SIGKILL');
  await new Promise((resolve) => first.once('close', resolve));
  const { code, events } = await ask.events([...MODEL, '--conversation', id, 'five']);
  expect([code, ...ofType(events, 'error')]).toEqual([0]);
});

test('with a closed stdin there is no one to ask', async () => {
  api = await startMessagesApi({ turns: [bash('touch made'), { text: 'ok' }] });
  const ask = askRig({ api: api.url });
  const { events } = await ask.events([...MODEL, 'go']);
  expect(ofType(events, 'decision')).toMatchObject([{ answer: 'deny', by: 'default' }]);
  expect(ofType(events, 'tool_result')).toMatchObject([{ outcome: 'declined' }]);
  expect(existsSync(join(ask.workspace, 'made'))).toBe(false);
});

test('a workspace that is missing, or a file, is refused with what to do, exit 2', async () => {
  const ask = askRig();
  writeFileSync(join(ask.workspace, 'file'), '');
  for (const name of ['missing', 'file']) {
    const { code, stderr } = await ask.run(['--workspace', join(ask.workspace, name), 'hello']);
    expect(code).toBe(2);
    expect(stderr).toContain(join(ask.workspace, name));
    expect(stderr).toContain('Choose another with --workspace or workingDirectory in config.json.');
  }
  const asJson = await ask.run(['--json', '--workspace', join(ask.workspace, 'missing'), 'hello']);
  expect(parseEvents(asJson.stdout).map((event) => event.type)).toEqual(['error', 'done']);
});

test('Ctrl-C while the prompt is being read from standard input ends at once, exit 130', async () => {
  const child = await askRig().start(['--json', '-']);
  const closed = new Promise((resolve) => child.once('close', resolve));
  // More than a pipe holds: when it has gone, somebody reads.
  await new Promise((resolve) => child.stdin.write('x'.repeat(1_000_000), resolve));
  child.kill('SIGINT');
  expect(await closed).toBe(130);
});

test('output to a full disk is a readable error, exit 1', async (context) => {
  needLinux(context, 'only Linux has /dev/full');
  const ask = askRig();
  const entry = join(await builtOutput(), 'ask.js');
  for (const flags of [[], ['--json']]) {
    const words = [entry, '--profile', ask.profile, '--workspace', ask.workspace, ...flags, 'list the files here'];
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, words, {
      stdio: ['ignore', full, 'pipe'],
      env: { HOME: ask.profile, PATH: process.env.PATH ?? '' },
    });
    closeSync(full);
    const code = new Promise((resolve) => child.once('close', resolve));
    const said = child.stderr === null ? '' : await text(child.stderr);
    expect(said).toContain('ENOSPC');
    expect(said).not.toContain('    at ');
    expect(await code).toBe(1);
  }
});
