import { expect, test, vi } from 'vitest';
import { ConsentQueue, type GivenAnswer } from '../../src-main/ipc/consent/consent-queue.ts';
import { IpcError } from '../../src-main/ipc/ipc-error.ts';
import type { Access } from '../../src-main/policy/access.ts';
import { CallBatch } from '../../src-main/policy/call-batch.ts';
import type {
  ConsentAnswer,
  ConsentPort,
  ConsentRequest,
  ToolConsentRequest,
  ToolGroupConsentRequest,
} from '../../src-main/policy/consent.ts';
import { DiffPreview } from '../../src-main/policy/diff-preview.ts';
import { groupOf, likenessOf } from '../../src-main/policy/like-calls.ts';
import { questionOf } from '../../src-main/policy/question/question-of.ts';
import { gateCall, gateWith, never, nothingSaid, program, User, writeTo, yesOnce } from '../fixtures/memory-ports.ts';

const write = (name: string): ToolConsentRequest => {
  const path = `/w/${name}`;
  return {
    kind: 'tool',
    id: name,
    reason: { code: 'write' },
    tool: 'write_file',
    boundTo: name,
    conversationId: 'c',
    input: { path: name, content: name },
    classes: ['write'],
    marks: [],
    offers: [],
    rulesMeet: false,
    review: [],
    access: [{ class: 'write', kind: 'file', path, outsideRoots: false }],
    previews: [new DiffPreview({ path, before: null, after: name })],
    ...nothingSaid,
  };
};
const likes = (): ToolGroupConsentRequest => {
  const group = groupOf([write('a'), write('b')], 'c');
  if (group === undefined) throw new Error('They are alike');
  return group;
};
const group = likes();

/** A card that is shown and may be answered. */
async function shown(request: ConsentRequest) {
  let now = 0;
  const options = {
    waitingElsewhere: () => 0,
    theme: () => 'system' as const,
    titleOf: () => null,
    onChange: () => undefined,
    takePress: () => true,
  } as const;
  const queue = new ConsentQueue({ ...options, now: () => now });
  queue.composerShown('c');
  queue.stateAsked();
  const answered = queue.ask(request, never);
  const card = await vi.waitFor(
    () => {
      const { card } = queue.state();
      if (card === null) throw new Error('not drawn yet');
      return card;
    },
    { timeout: 30_000 },
  );
  now = 1_000;
  return { queue, card, answered };
}

const once = (id: string, calls?: readonly number[]): GivenAnswer => ({
  id,
  answer: 'once',
  passesVariables: false,
  ...(calls === undefined ? {} : { calls: [...calls] }),
});

test('ticks that do not fit what was shown answer nothing', async () => {
  const { queue, card, answered } = await shown(group);
  for (const calls of [undefined, [], [2], [0, 2], [-1], [0, 0], [0.5], [Number.NaN]])
    expect(() => queue.answer(once(card.id, calls)), JSON.stringify(calls)).toThrow(IpcError);
  // The question is still there, and takes what was shown.
  queue.answer(once(card.id, [1]));
  expect(await answered).toEqual({ ...yesOnce, calls: [1] });
});

test('ticks for a card without ticks answer nothing', async () => {
  const { queue, card, answered } = await shown(write('a'));
  expect(() => queue.answer(once(card.id, [0]))).toThrow(IpcError);
  queue.answer(once(card.id));
  expect(await answered).toEqual(yesOnce);
});

/** Asks about two writes of one message through the real gate. */
async function throughGate(consent: ConsentPort) {
  const { gate } = gateWith(consent);
  const batch = new CallBatch(2, 2);
  const asked = ['a', 'b'].map((name, index) =>
    gate.authorize(gateCall(writeTo(`/w/${name}`), { tool: 'write_file', input: { name } }), never, batch.place(index)),
  );
  return (await Promise.all(asked)).map(({ answer }) => answer);
}
const answering = (answer: object) => new User(() => answer as ConsentAnswer, { asksTogether: true });

test('the gate allows only what is ticked, whatever a surface answers', async () => {
  // The control: without ticks, a yes is one to all.
  expect(await throughGate(answering(yesOnce))).toEqual(['allow', 'allow']);
  for (const [calls, allowed] of [
    [[0], ['allow', 'deny']],
    [
      [1, 7],
      ['deny', 'allow'],
    ],
    [[], ['deny', 'deny']],
    [['0'], ['deny', 'deny']],
    [
      [Number.NaN, -1, 2],
      ['deny', 'deny'],
    ],
  ] as const)
    expect(await throughGate(answering({ ...yesOnce, calls })), JSON.stringify(calls)).toEqual(allowed);
});

test('approving several calls passes no withheld variables, and reviews no file', async () => {
  const { queue, card } = await shown(group);
  expect(() => queue.answer({ ...once(card.id, [0]), passesVariables: true } as GivenAnswer)).not.toThrow();
  const other = await shown(group);
  expect(() => other.queue.answer({ id: other.card.id, answer: 'reviewed' })).toThrow(IpcError);
  expect(() => other.queue.answer({ id: other.card.id, answer: 'always', offer: 0 })).toThrow(IpcError);
});

test('calls that send, are grave, or pass variables are never grouped', () => {
  const run = (more: object): Access => ({ ...program('make').access[0], ...more }) as Access;
  expect(likenessOf(write('a'))).toBe(likenessOf(write('b')));
  for (const more of [
    { classes: ['send'] },
    { consequences: [{ code: 'runs_script_from_internet' }] },
    { access: [run({ withheld: ['TOKEN'] })] },
    { review: [new DiffPreview({ path: '/w/x', before: null, after: 'x' })] },
    { reason: { code: 'changed_while_asked', asked: { code: 'write' } } },
  ])
    expect(likenessOf({ ...write('a'), ...more } as ToolConsentRequest), JSON.stringify(more)).toBeNull();
  expect(groupOf([write('a'), { ...write('b'), tool: 'edit' }], 'c')).toBeUndefined();
});

test('an argument is folded away only where a command, a change or an address says it already', () => {
  const split = (request: ToolConsentRequest) => {
    const part = questionOf(request).parts.find((each) => each.kind === 'arguments');
    if (part?.kind !== 'arguments') throw new Error('no arguments');
    return { open: part.values.map(({ name }) => name), folded: part.derived.map(({ name }) => name) };
  };
  const command = (line: string, input: Readonly<Record<string, unknown>>): ToolConsentRequest => ({
    ...write('a'),
    tool: 'bash',
    input,
    previews: [],
    classes: ['execute'],
    defaulted: ['timeout'],
    access: [{ kind: 'command', class: 'execute', command: { kind: 'shell', line }, directory: '/w' }],
  });
  expect(split(write('a'))).toEqual({ open: [], folded: ['path', 'content'] });
  expect(split(command('ls', { command: 'ls', timeout: 30 }))).toEqual({ open: [], folded: ['command', 'timeout'] });
  // What is not in the line is in view, whatever it is called.
  expect(split(command('ls', { command: 'ls', also: 'rm -rf /', count: 3 }))).toEqual({
    open: ['also', 'count'],
    folded: ['command'],
  });
  // A change that is not all that happens hides nothing, and neither does a tool that does not say what it touches.
  const elsewhere: Access = { class: 'write', kind: 'file', path: '/w/other', outsideRoots: false };
  expect(split({ ...write('a'), access: [...write('a').access, elsewhere] }).folded).toEqual([]);
  const noted = [new DiffPreview({ path: '/w/a', before: null, after: 'a', note: 'not text' })];
  expect(split({ ...write('a'), previews: noted }).folded).toEqual([]);
  expect(split({ ...write('a'), access: [], previews: [], defaulted: ['path', 'content'] }).folded).toEqual([]);
  // A body goes out, and is no address.
  const url = 'https://a.example/';
  const post = (method: string): Access => ({ kind: 'request', class: 'network', url, host: 'a.example', method });
  const requesting = { ...write('a'), previews: [], input: { url, body: 'b' } };
  expect(split({ ...requesting, classes: ['network'], access: [post('GET')] })).toEqual({
    open: ['body'],
    folded: ['url'],
  });
  expect(split({ ...requesting, classes: ['send'], access: [post('POST')] }).folded).toEqual([]);
});
