import { existsSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { ConversationLog } from '../../../src-main/assistant/conversation-log.ts';
import { ToolCalls } from '../../../src-main/assistant/tool-calls.ts';
import { flagConsent } from '../../../src-main/headless/flag-consent.ts';
import type { ConsentPort } from '../../../src-main/policy/consent.ts';
import type { AssessedCall } from '../../../src-main/tools/contract.ts';
import { defineTool } from '../../../src-main/tools/define-tool.ts';
import type { ConversationEvent } from '../../../src-preload/contract/events.ts';
import { allowAll } from '../../fixtures/allow-all.ts';
import { anyWords } from '../../fixtures/any-words.ts';
import { MemoryEvents } from '../../fixtures/memory-events.ts';
import { gateWith, User, yesOnce } from '../../fixtures/memory-ports.ts';
import { callServices } from '../../fixtures/message-calls.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';
import { accessDenied, toolDisabled } from '../../fixtures/tool-texts.ts';

let harness: ToolHarness | undefined;
afterEach(async () => {
  await harness?.dispose();
  harness = undefined;
});

function rig(consent: ConsentPort, maxResultChars = 40_000) {
  harness = new ToolHarness({ consent: allowAll });
  const store = new MemoryEvents();
  const stop = new AbortController();
  const { registry, workspace } = harness;
  const { gate } = gateWith(consent, { realWorkspace: workspace });
  const log = new ConversationLog(store, 'conversation-1', 'turn-1', () => undefined);
  const services = callServices(harness, gate, maxResultChars);
  const run = (...calls: { id: string; name: string; input: unknown }[]) =>
    new ToolCalls(services, log, 'model', stop.signal).run(calls);
  const ofType = <T extends ConversationEvent['type']>(type: T) => store.ofType(type);
  return { harness, registry, workspace, store, stop, log, run, ofType };
}

const write = (id: string, file_path: string, content = id) => ({
  id,
  name: 'write_file',
  input: { file_path, content },
});

test('Stop while a question is open: every call of the batch gets one decision and one result, and nothing ran', async () => {
  const user = new User(() => new Promise(() => undefined));
  const { run, stop, ofType, workspace } = rig(user);
  const ids = Array.from({ length: 50 }, (_, index) => `w${index}`);
  const done = run(...ids.map((id) => write(id, `${id}.txt`)));
  await expect.poll(() => user.asked.length).toBe(1);
  stop.abort(new Error('Stop'));
  await done;
  const decisions = ofType('decision');
  expect(decisions.map(({ id }) => id).sort()).toEqual([...ids].sort());
  expect(new Set(decisions.map(({ answer, reason }) => `${answer}: ${reason.code}`))).toEqual(
    new Set(['deny: stopped']),
  );
  expect(ofType('tool_result').map(({ outcome, isError }) => ({ outcome, isError }))).toEqual(
    ids.map(() => ({ outcome: 'stopped', isError: true })),
  );
  expect(ids.some((id) => existsSync(join(workspace, `${id}.txt`)))).toBe(false);
});

test('a path that leads outside by the time the user says yes is denied, and the other calls go on', async () => {
  const user = new User(() => {
    const { base, workspace } = harness ?? { base: '', workspace: '' };
    if (!existsSync(join(workspace, 'moved'))) {
      renameSync(join(workspace, 'sub'), join(workspace, 'moved'));
      symlinkSync(base, join(workspace, 'sub'));
    }
    return yesOnce;
  });
  const { run, ofType, harness: it } = rig(user);
  it.put('sub/a.txt', 'before');
  await run(write('out', 'sub/a.txt'), write('in', 'b.txt'));
  expect(
    ofType('decision')
      .map(({ id, answer, by }) => `${id} ${answer} ${by}`)
      .sort(),
  ).toEqual(['in allow user', 'out deny default']);
  expect(ofType('tool_result').find(({ id }) => id === 'out')?.text).toBe(accessDenied('file', it.workspace));
  expect(readFileSync(join(it.workspace, 'b.txt'), 'utf8')).toBe('in');
  expect(existsSync(join(it.base, 'a.txt'))).toBe(false);
});

test('the plan that runs is the one shown last; if the file changed while the user was asked, the second one', async () => {
  const user = new User((_, asked) => {
    if (asked === 1) harness?.put('f.txt', 'changed\n');
    return yesOnce;
  });
  const { run, ofType, harness: it } = rig(user);
  it.put('f.txt', 'old\n');
  await run({ id: 'e', name: 'edit', input: { file_path: 'f.txt', old_string: 'd\n', new_string: 'd!\n' } });
  const shown = user.asked.flatMap((request) => (request.kind === 'tool' ? request.previews : []));
  expect(shown).toMatchObject([
    { before: 'old\n', after: 'old!\n' },
    { before: 'changed\n', after: 'changed!\n' },
  ]);
  expect(readFileSync(join(it.workspace, 'f.txt'), 'utf8')).toBe('changed!\n');
  expect(ofType('tool_result')).toMatchObject([{ card: { patch: '@@ -1,1 +1,1 @@\n-changed\n+changed!' } }]);
});

test('where an event cannot be committed, nothing of the batch runs on after the failure is told', async () => {
  const { run, registry, store, ofType } = rig(flagConsent('all'));
  let isRunning = false;
  registry.register({
    category: 'core',
    tool: defineTool({
      name: 'wait',
      access: 'read',
      description: 'Waits until it is stopped',
      words: anyWords,
      input: z.object({}),
      async execute(_, { signal }) {
        isRunning = true;
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        isRunning = false;
        return 'stopped';
      },
    }),
  });
  registry.buildAll();
  store.refuse = (event) => event.type === 'tool_result' && event.id === 'full';
  await expect(
    run({ id: 'waits', name: 'wait', input: {} }, { id: 'full', name: 'get_date', input: {} }),
  ).rejects.toThrow('disk full');
  expect(isRunning).toBe(false);
  expect(ofType('tool_result').map(({ id }) => id)).toEqual(['waits']);
});

test('a tool that ignores Stop does not hold up the turn, and counts as stopped', async () => {
  const { run, registry, stop, ofType } = rig(flagConsent('all'));
  registry.register({
    category: 'core',
    tool: defineTool({
      name: 'deaf',
      access: 'read',
      description: 'Never ends',
      words: anyWords,
      input: z.object({}),
      async execute() {
        stop.abort(new Error('Stop'));
        return new Promise<string>(() => undefined);
      },
    }),
  });
  registry.buildAll();
  await run({ id: 'd', name: 'deaf', input: {} });
  expect(ofType('decision')).toMatchObject([{ answer: 'allow' }]);
  expect(ofType('tool_result')).toMatchObject([{ id: 'd', outcome: 'stopped', isError: true }]);
});

test('parts of a result, who called and the exit code of a command are kept with it', async () => {
  const { run, registry, ofType } = rig(flagConsent('all'));
  const image = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const;
  const camera = defineTool({
    name: 'camera',
    access: 'read',
    description: 'Takes a picture',
    input: z.object({}),
    words: anyWords,
    execute: async () => 'a picture',
  });
  const takePicture = async () => ({ text: 'a picture', isError: false, parts: [image] });
  const assess = async (): Promise<AssessedCall> => ({
    access: [{ class: 'read', kind: 'app' }],
    execute: takePicture,
  });
  registry.register({ category: 'mcp', tool: { ...camera, prepare: () => ({ assess }) } });
  registry.buildAll();
  await run({ id: 'p', name: 'camera', input: {} }, { id: 'b', name: 'bash', input: { command: 'exit 3' } });
  const [picture, command] = ['p', 'b'].map((id) => ofType('tool_result').find((result) => result.id === id));
  expect(picture).toMatchObject({ text: 'a picture', parts: [image], calledBy: 'model', outcome: 'completed' });
  expect(command).toMatchObject({ exitCode: 3, calledBy: 'model', outcome: 'completed' });
  expect(ofType('tool_call').map(({ calledBy }) => calledBy)).toEqual(['model', 'model']);
});

test('a disabled tool that is called anyway is refused by its name, and nothing runs', async () => {
  const { run, registry, ofType, workspace } = rig(flagConsent('all'));
  await registry.disable(['write_file']);
  await run({ id: 'w', name: 'WRITE', input: { path: 'a.txt', content: 'x' } });
  const words = { title: 'Write file', done: 'Wrote', about: 'a.txt', icon: 'pencil-line' };
  expect(ofType('tool_call')).toMatchObject([{ id: 'w', name: 'write_file', input: { path: 'a.txt' }, words }]);
  expect(ofType('decision')).toMatchObject([{ answer: 'deny', by: 'default', reason: { code: 'tool_disabled' } }]);
  expect(ofType('tool_result')).toMatchObject([{ text: toolDisabled('write_file'), outcome: 'failed' }]);
  expect(existsSync(join(workspace, 'a.txt'))).toBe(false);
});

test('a long result is kept whole and given to the model cut, with a notice', async () => {
  const { run, ofType, log, harness: it } = rig(flagConsent('none'), 1_000);
  it.put('long.txt', 'x'.repeat(85_000));
  it.put('empty.txt', '');
  log.append({ type: 'round_start', model: 'm' });
  for (const id of ['l', 'e'])
    log.append({ type: 'block', block: { type: 'tool_use', id, name: 'read_file', input: {} } });
  await run(
    { id: 'l', name: 'read_file', input: { file_path: 'long.txt' } },
    { id: 'e', name: 'read_file', input: { file_path: 'empty.txt' } },
  );
  const kept = Object.fromEntries(ofType('tool_result').map(({ id, text }) => [id, text.length]));
  expect(kept).toEqual({ l: 85_000, e: 0 });
  const notice = '\n\n[OUTPUT TRUNCATED: Showing 1,000 of 85,000 characters from read_file]';
  expect(log.history({ provider: 'scripted', model: 'm' }).messages.at(-1)?.content).toEqual([
    { type: 'tool_result', toolUseId: 'l', content: 'x'.repeat(1_000) + notice, isError: false },
    { type: 'tool_result', toolUseId: 'e', content: '(no output)', isError: false, isEmpty: true },
  ]);
});

test('after a file was read, requests to an unnamed host ask each time, to a host named by the user they do not', async () => {
  const user = new User(() => yesOnce);
  const { run, registry, ofType, log, harness: it } = rig(user);
  registry.register({
    category: 'core',
    tool: defineTool({
      name: 'visit',
      access: 'network',
      description: 'Visits a page',
      words: anyWords,
      input: z.object({ url: z.string() }),
      assess: async ({ url }) => ({
        access: [{ kind: 'request', class: 'network', url, host: new URL(url).hostname, method: 'GET' }],
        plan: { url },
      }),
      execute: async ({ url }, { mark }) => {
        mark({ kind: 'untrusted', source: url });
        return 'page';
      },
    }),
  });
  registry.buildAll();
  it.put('diary.md', 'dear diary');
  const visit = (id: string, url: string) => ({ id, name: 'visit', input: { url } });
  log.append({ type: 'user_message', content: [{ type: 'text', text: 'read diary.md and look at docs.example.org' }] });
  await run(visit('first', 'https://a.example.com/'));
  await run({ id: 'r', name: 'read_file', input: { path: 'diary.md' } });
  expect(user.asked).toHaveLength(0);
  await run(visit('named', 'https://docs.example.org/x'));
  expect(user.asked).toHaveLength(0);
  await run(visit('other', 'https://b.example.com/?q=dear'));
  await run(visit('again', 'https://b.example.com/'), visit('file-name', 'https://diary.md/'));
  expect(user.asked.map((request) => (request.kind === 'tool' ? request.input : undefined))).toEqual([
    { url: 'https://b.example.com/?q=dear' },
    { url: 'https://b.example.com/' },
    { url: 'https://diary.md/' },
  ]);
  expect(user.asked[0]).toMatchObject({
    marks: [
      { kind: 'untrusted', source: 'https://a.example.com/' },
      { kind: 'private', source: 'file diary.md' },
      { kind: 'untrusted', source: 'https://docs.example.org/x' },
    ],
  });
  expect(Object.fromEntries(ofType('decision').map(({ id, by }) => [id, by]))).toEqual({
    first: 'default',
    r: 'default',
    named: 'default',
    other: 'user',
    again: 'user',
    'file-name': 'user',
  });
});
