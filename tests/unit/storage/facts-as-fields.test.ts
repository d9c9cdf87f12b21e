import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { messageBlocks } from '../../../src-main/storage/conversations/attached-text.ts';
import { parseEvent } from '../../../src-main/storage/conversations/parse-event.ts';
import { EventFacts } from '../../../src-main/storage/database/migrations/facts-as-fields/event-facts.ts';
import { type DecisionReason, decisionReasonText } from '../../../src-preload/contract/decision-reason.ts';
import type { CallOutcome, ConversationEvent, EventOf } from '../../../src-preload/contract/events.ts';

type Row = Readonly<Record<string, unknown>> & { readonly type: string };

/** The events of one conversation, from rows in the form in which they were written. */
function read(...rows: readonly Row[]): (ConversationEvent | undefined)[] {
  const facts = new EventFacts();
  return rows.map((row) => parseEvent(facts.convert(1, JSON.stringify(row))));
}

function last<T extends ConversationEvent['type']>(type: T, ...rows: readonly Row[]): EventOf<T> {
  const event = read(...rows).at(-1);
  if (event?.type !== type) throw new TypeError(`Not a ${type}: ${JSON.stringify(event)}`);
  return event as EventOf<T>;
}

const result = (text: string, more: object = {}): Row => ({
  type: 'tool_result',
  id: 'c',
  text,
  isError: true,
  ...more,
});
const done = (text: string, more: object = {}) => result(text, { isError: false, elapsedMs: 5, ...more });
const denied = (reason: string, by = 'default'): Row => ({ type: 'decision', id: 'c', answer: 'deny', by, reason });
const terminal = (ending: string, more: object = {}) => ({ card: { kind: 'terminal', line: 'x', ending, ...more } });

const NEVER_RAN = 'Error: The call was interrupted before it began; nothing ran.';
const INTERRUPTED = 'Error: The call was interrupted before it returned; it may have run in part.';

describe('how an old call ended', () => {
  test.each<[CallOutcome, string, Row]>([
    ['completed', 'a result', done('[stopped by the user]')],
    ['failed', 'an error', result('Error reading file: Could not find file a')],
    ['stopped', 'a shell', result('begun\n[stopped by the user]', terminal('stopped'))],
    ['stopped', 'a program', result('Error: Process was stopped by the user', terminal('stopped'))],
    ['stopped', 'a shell that had not begun', result('[stopped by the user]')],
    ['stopped', 'a filter', result('Error: Stopped by the user')],
    ['stopped', 'a search', result('Error searching code: stopped by the user')],
    [
      'stopped',
      'a tool without a prefix of its own',
      result('Error executing tool "list_processes": stopped by the user'),
    ],
    ['stopped', 'a page, when nobody read the answer any more', result('Error: The output cannot be written any more')],
    ['stopped', 'a file', result('Error reading file: The operation was aborted')],
    ['stopped', 'a tool that did not heed Stop', result(INTERRUPTED, { elapsedMs: 11_230 })],
    ['interrupted', 'the process while it ran', result(INTERRUPTED)],
    ['interrupted', 'the process before it was decided', result(NEVER_RAN)],
    ['failed', 'a page whose address says so', result('Error: HTTP 404 fetching http://a/ was stopped by the user')],
    ['failed', 'a folder of that name', result('Error: Directory not found: stopped by the user')],
    ['failed', 'a command that took too long', result('Error: Process timed out', terminal('timed-out'))],
    ['declined', 'a redirect', result('Error: The user declined to run web_fetch.')],
    ['declined', 'one with a word', result('Error: The user declined to run web_fetch. The user says: stay\nthere')],
    [
      'declined',
      'one that kept changing',
      result('Error: What edit would touch kept changing while the user was being asked. Nothing was run.'),
    ],
  ])('%s: %s', (outcome, _, row) => {
    expect(last('tool_result', row).outcome).toBe(outcome);
  });

  test.each<[CallOutcome, Row, string]>([
    ['declined', denied('You declined it.', 'user'), 'DEPLOY_TOKEN=[redacted]'],
    ['declined', denied('--approve none denies everything that asks. Sending in your name always asks.', 'flag'), ''],
    ['declined', denied('Outside the workspace and the folders that you granted'), 'Error: Access denied.'],
    ['declined', denied('Something that was said long ago.'), 'Error: no'],
    ['failed', denied('There is no such tool.'), 'Error: Tool not found: stopped by the user'],
    ['failed', denied('The tool is not available: it needs a Brave Search key.'), 'Error: Tool not found: web_search'],
    ['failed', denied('The call cannot be made as it is'), 'Error: Directory not found: what was stopped by the user'],
    ['stopped', denied('Stopped before it was decided'), NEVER_RAN],
  ])('%s, as the decision on it says: %j', (outcome, decision, text) => {
    expect(last('tool_result', decision, result(text)).outcome).toBe(outcome);
  });

  test('a decision on another call says nothing', () => {
    expect(
      last('tool_result', { ...denied('You declined it.', 'user'), id: 'other' }, result('Error: x')).outcome,
    ).toBe('failed');
  });
});

test('who made an old call', () => {
  const call = (id: string): Row => ({ type: 'tool_call', id, name: 'get_time', input: {} });
  const use = (id: string): Row => ({ type: 'block', block: { type: 'tool_use', id, name: 'get_time', input: {} } });
  expect(last('tool_call', call('toolu_1')).calledBy).toBe('model');
  expect(last('tool_call', call('user_1')).calledBy).toBe('person');
  expect(last('tool_result', call('user_1'), done('10:00', { id: 'user_1' })).calledBy).toBe('person');
  // A model may choose such an id too.
  expect(last('tool_result', use('user_1'), call('user_1'), done('10:00', { id: 'user_1' })).calledBy).toBe('model');
});

describe('of an old card', () => {
  test.each<[string, Row, string]>([
    ['out', done('out\n[exit code 3]', terminal('exited', { exitCode: 3 })), 'bash'],
    ['', done('[exit code 137]', terminal('exited', { exitCode: 137 })), 'bash that printed nothing'],
    [
      'out\n[exit code 7]',
      done('out\n[exit code 7]', terminal('exited', { exitCode: 0 })),
      'bash that printed such a line',
    ],
    ['out', done('out\n[timed out after 0.3s]', terminal('timed-out')), 'bash that took too long'],
    ['out', result('out\n[stopped by the user]', terminal('stopped')), 'bash that was stopped'],
    ['', done('Command completed successfully (no output)', terminal('exited', { exitCode: 0 })), 'execute_command'],
    ['', done('Command failed (exit code 5)', terminal('exited', { exitCode: 5 })), 'execute_command that failed'],
    ['', result('Error: Process timed out', terminal('timed-out')), 'run_command'],
    ['', done('Started background shell: shell_1', terminal('background', { shellId: 'shell_1' })), 'a shell begun'],
    ['out', done('out\n[running]', terminal('background', { shellId: 'shell_1' })), 'a shell that runs'],
    ['', done('(no output yet)\n[running]', terminal('background', { shellId: 'shell_1' })), 'one that is silent'],
    ['out', done('out\n[exit code 0]', terminal('exited', { exitCode: 0, shellId: 'shell_1' })), 'one that ended'],
    ['out', done('out\n[exit code 143]', terminal('stopped', { shellId: 'shell_1' })), 'one that was killed'],
    ['', done('Killed shell: shell_1', terminal('stopped', { shellId: 'shell_1' })), 'kill_shell'],
  ])('%j was printed: %j (%s)', (printed, row) => {
    const { text, card } = last('tool_result', row);
    expect(text).toBe(row.text);
    const added = card?.kind === 'terminal' ? (card.addedByTool ?? 0) : Number.NaN;
    expect(text.slice(0, text.length - added)).toBe(printed);
  });

  test('the exit code is of the card, or in the text of a shell that was killed', () => {
    expect(last('tool_result', done('x', terminal('exited', { exitCode: 3 }))).exitCode).toBe(3);
    expect(last('tool_result', done('x\n[exit code 143]', terminal('stopped', { shellId: 's' }))).exitCode).toBe(143);
    expect(last('tool_result', done('x\n[exit code 3]')).exitCode).toBeUndefined();
    expect(last('tool_result', result('x\n[stopped by the user]', terminal('stopped'))).exitCode).toBeUndefined();
  });

  test('fields that a job page did not have are empty', () => {
    const job = { title: 'T', company: '', location: '', posted: '', salary: 'Not listed', url: '' };
    const { card } = last('tool_result', done('1. T', { card: { kind: 'jobs', jobs: [job] } }));
    expect(card).toEqual({ kind: 'jobs', jobs: [{ ...job, salary: '' }] });
  });
});

describe('an old message', () => {
  const text = (written: string) => ({ type: 'text', text: written });
  const image = { type: 'image', mediaType: 'image/png', data: 'AAAA' };
  const mark = (name: string) => ({ kind: 'private', source: `attached file ${name}` });

  test('has its attachments separate from the text, with their names', () => {
    const content = [text('Attached file: a b.md\n````\n```\nx\n```\n````'), image, text('What is it?')];
    const marks = [mark('a b.md'), mark('dot.png')];
    expect(last('user_message', { type: 'user_message', content, attached: 2, marks })).toEqual({
      type: 'user_message',
      content: [text('What is it?')],
      attachments: [
        { kind: 'text', name: 'a b.md', text: '```\nx\n```' },
        { kind: 'image', name: 'dot.png', mediaType: 'image/png', data: 'AAAA' },
      ],
      marks,
    });
  });

  test('in which a user typed something that looks like one has none', () => {
    const typed = { type: 'user_message', content: [text('Attached file: a.md\n```\ntyped\n```')] };
    expect(last('user_message', typed)).toEqual(typed);
    const beside = { type: 'user_message', content: [text('Attached file: a.md\n```\nreal\n```'), ...typed.content] };
    const { content, attachments } = last('user_message', { ...beside, attached: 1 });
    expect([content, attachments]).toEqual([typed.content, [{ kind: 'text', name: 'a.md', text: 'real' }]]);
  });

  test('of the first versions has them too, where they were not counted', () => {
    const attached = text('Attached file: a.md\n```\nx\n```');
    const { content, attachments } = last('user_message', {
      type: 'user_message',
      content: [attached, image, attached],
    });
    expect(content).toEqual([attached]);
    expect(attachments?.map(({ kind }) => kind)).toEqual(['text', 'image']);
  });

  test('gives a model what it gave, whatever was attached', () => {
    const parts = fc.array(fc.constantFrom('`', '```', '\n', '\n\n', 'a', 'Attached file: x\n```\n'), { maxLength: 8 });
    fc.assert(
      fc.property(parts, (some) => {
        const attached = some.join('');
        const fence = '`'.repeat(1 + Math.max(2, ...[...attached.matchAll(/`{3,}/g)].map(([run]) => run.length)));
        const end = attached === '' || attached.endsWith('\n') ? '' : '\n';
        const content = [text(`Attached file: a.md\n${fence}\n${attached}${end}${fence}`), text('what?')];
        const message = last('user_message', { type: 'user_message', content, attached: 1 });
        expect(messageBlocks(message)).toEqual(content);
      }),
      { numRuns: 500 },
    );
  });
});

test.each<[sentence: string, reason: DecisionReason]>([
  ['Sending in your name always asks.', { code: 'send' }],
  [
    '/repo/a is outside the workspace and the folders that you granted, so reading it asks.',
    { code: 'read_outside', path: '/repo/a' },
  ],
  [
    'Private text and text from outside are both in this conversation, and you have not named or allowed a.example.',
    { code: 'address_not_named', address: 'a.example' },
  ],
  [
    'A rule of yours allows it: edit files in /w; run commands that begin with "echo hi".',
    { code: 'rules', rules: ['edit files in /w; run commands that begin with "echo hi"'] },
  ],
  [
    'You allowed it, and always: read from 127.0.0.1 on your own machine or network, any port.',
    { code: 'allowed_and_kept', scope: 'always', rule: 'read from 127.0.0.1 on your own machine or network, any port' },
  ],
  [
    'You allowed it, and for this conversation: edit files in /w.',
    { code: 'allowed_and_kept', scope: 'conversation', rule: 'edit files in /w' },
  ],
  [
    'The tool is not available: it needs an Anthropic admin key (organisations only).',
    { code: 'tool_unavailable', needs: 'an Anthropic admin key (organisations only)' },
  ],
  [
    '--approve reads does not answer for this. What this would touch changed while you were being asked, so you are asked again. Changing files asks first, unless a rule of yours allows edits in that folder.',
    { code: 'flag_denies', flag: 'reads', asked: { code: 'changed_while_asked', asked: { code: 'write' } } },
  ],
  [
    'Nobody could be asked: there is no terminal, and --approve was not given. It is asked in words of its own.',
    { code: 'nobody_asked', asked: { code: 'text', text: 'It is asked in words of its own.' } },
  ],
  [
    'It stays inside Steward. Reading public addresses is allowed.',
    { code: 'all_of', reasons: [{ code: 'inside_app' }, { code: 'public_address' }] },
  ],
  ['Outside the workspace and the folders that you granted', { code: 'outside_roots' }],
  ['inside', { code: 'text', text: 'inside' }],
  ['', { code: 'text', text: '' }],
])('the sentence of an old reason becomes its code: %j', (sentence, reason) => {
  expect(last('decision', denied(sentence)).reason).toEqual(reason);
});

test('an old reason is known by its code, as far as it can be told', () => {
  const reasonOf = (reason: string) => last('decision', denied(reason)).reason;
  expect(reasonOf('--approve none denies everything that asks. Sending in your name always asks.')).toEqual({
    code: 'flag_denies',
    flag: 'none',
    asked: { code: 'send' },
  });
  expect(reasonOf('It stays inside Steward. Reading public addresses is allowed.')).toEqual({
    code: 'all_of',
    reasons: [{ code: 'inside_app' }, { code: 'public_address' }],
  });
  expect(reasonOf('It stays inside Steward. And more.')).toEqual({
    code: 'text',
    text: 'It stays inside Steward. And more.',
  });
});

test('current rows stay as they are, to the byte', () => {
  const rows: Row[] = [
    { type: 'tool_call', id: 'user_1', name: 'n', input: {}, calledBy: 'model' },
    { type: 'decision', id: 'user_1', answer: 'deny', by: 'user', reason: { code: 'declined' } },
    { ...result(NEVER_RAN, { id: 'user_1' }), calledBy: 'model', outcome: 'failed' },
    { type: 'user_message', content: [], attachments: [{ kind: 'text', name: 'a', text: 'Attached file: b' }] },
  ];
  const facts = new EventFacts();
  for (const row of rows) {
    const body = JSON.stringify(row, null, ' ');
    expect(facts.convert(1, body)).toBe(body);
  }
  expect(read(...rows)).toEqual(rows);
});

test('an old call keeps every digit of its input', () => {
  const body = '{"type":"tool_call","id":"toolu_1","name":"n","input":{"id":12345678901234567890}}';
  const converted = new EventFacts().convert(1, body);
  expect(converted).toContain('12345678901234567890');
  expect(parseEvent(converted)).toMatchObject({ calledBy: 'model', input: { id: 12_345_678_901_234_567_890n } });
});

test('what one conversation says is nothing about another', () => {
  const facts = new EventFacts();
  facts.convert(1, JSON.stringify(denied('You declined it.', 'user')));
  facts.convert(1, JSON.stringify({ type: 'notice', code: 'stopped', message: 'Stopped.' }));
  const outcome = parseEvent(facts.convert(2, JSON.stringify(result('Error: x'))));
  expect(outcome).toMatchObject({ outcome: 'failed' });
  const end = JSON.stringify({ type: 'turn_end', stopReason: 'interrupted' });
  expect(facts.convert(2, end)).toBe(end);
  expect(parseEvent(facts.convert(1, end))).toMatchObject({ wasStopped: true });
  expect(facts.convert(1, end)).toBe(end);
});

test('an old message that calls a tool is marked', () => {
  const message = (text: string) => ({ type: 'user_message', content: [{ type: 'text', text }] });
  expect(last('user_message', message('/get_time')).callsTools).toBe(true);
  expect(last('user_message', message('/write_file {"path":"a"}')).callsTools).toBe(true);
  expect(last('user_message', message('what is /etc for')).callsTools).toBeUndefined();
});

describe('a damaged row', () => {
  const ROWS: readonly Row[] = [
    denied('You declined it.', 'user'),
    {
      type: 'decision',
      id: 'c',
      answer: 'deny',
      by: 'user',
      reason: { code: 'nobody_asked', asked: { code: 'send' } },
    },
    {
      type: 'decision',
      id: 'c',
      answer: 'allow',
      by: 'default',
      reason: { code: 'all_of', reasons: [{ code: 'send' }] },
    },
    result('out\n[exit code 3]', terminal('exited', { exitCode: 3 })),
    done('x', { card: { kind: 'jobs', jobs: [{ salary: 'Not listed' }] } }),
    { ...done('x'), calledBy: 'model', outcome: 'completed', parts: [{ type: 'audio', mediaType: 'a', data: '' }] },
    {
      type: 'user_message',
      content: [{ type: 'image', mediaType: 'a', data: '' }],
      attached: 1,
      marks: [{ source: 'x' }],
    },
    { type: 'user_message', content: [], attachments: [{ kind: 'image', mediaType: 'a', data: '' }] },
  ];

  test('is an event whose texts can be made, or none', () => {
    const damage = fc.record({ at: fc.nat(400), by: fc.constantFrom('"', '{', '[', ':', ',', 'x', '0', '}', ']', '') });
    fc.assert(
      fc.property(fc.constantFrom(...ROWS), fc.array(damage, { minLength: 1, maxLength: 3 }), (row, damages) => {
        let body = JSON.stringify(row);
        for (const { at, by } of damages)
          body = body.slice(0, at % body.length) + by + body.slice((at % body.length) + 1);
        const event = parseEvent(new EventFacts().convert(1, body));
        if (event?.type === 'decision') expect(typeof decisionReasonText(event.reason)).toBe('string');
        if (event?.type === 'user_message') expect(Array.isArray(messageBlocks(event))).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });
});
