import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { visible } from '../../../src-main/base/text.ts';
import { consentText } from '../../../src-main/headless/consent-text.ts';
import { terminalConsent } from '../../../src-main/headless/terminal-consent.ts';
import { requestedForm } from '../../../src-main/mcp/requests/requested-form.ts';
import type { Access } from '../../../src-main/policy/access.ts';
import type {
  ConsentAnswer,
  ConsentRequest,
  GrantConsentRequest,
  ToolConsentRequest,
} from '../../../src-main/policy/consent.ts';
import { DiffPreview } from '../../../src-main/policy/diff-preview.ts';
import { questionOf } from '../../../src-main/policy/question/question-of.ts';
import { cautionText } from '../../../src-main/policy/question/question-parts.ts';
import { QuestionQueues } from '../../../src-main/policy/question-queues.ts';
import type { RuleDraft } from '../../../src-main/policy/rules.ts';
import { decisionReasonText } from '../../../src-preload/contract/decision-reason.ts';
import { never, nothingSaid, privateMark, untrusted } from '../../fixtures/memory-ports.ts';

const editNotes: RuleDraft = {
  label: 'edit files in /w/notes',
  tool: null,
  matcher: { kind: 'folder', class: 'write', path: '/w/notes' },
};
const editAll: RuleDraft = {
  label: 'edit files in the whole workspace /w',
  tool: null,
  matcher: { kind: 'folder', class: 'write', path: '/w' },
};

const writing: ToolConsentRequest = {
  kind: 'tool',
  id: '1',
  reason: { code: 'write' },
  tool: 'write_file',
  input: { file_path: 'notes/a.txt', content: 'one\ntwo\n' },
  access: [{ class: 'write', kind: 'file', path: '/w/notes/a.txt', outsideRoots: false }],
  classes: ['write'],
  previews: [new DiffPreview({ path: '/w/notes/a.txt', before: 'one\n2\nthree\n', after: 'one\ntwo\nthree\n' })],
  marks: [],
  offers: [editNotes],
  rulesMeet: false,
  review: [],
  boundTo: 'hash',
  conversationId: 'conversation-1',
  ...nothingSaid,
};
const grant: GrantConsentRequest = {
  kind: 'grant',
  id: '2',
  reason: { code: 'permission_grant', key: 'mcpServers.files', subject: 'mcp-server', state: 'new' },
  subject: 'mcp-server',
  key: 'mcpServers.files',
  value: { command: 'npx', args: ['-y', 'server'], env: { TOKEN: 'secret-value' } },
  previous: { command: 'old' },
};

async function ask(typed: string, request: ConsentRequest = writing) {
  const input = new PassThrough();
  const output = new PassThrough();
  input.end(typed);
  const answer = await terminalConsent({ input, output, env: {} }).ask(request, never);
  output.end();
  return { answer, shown: String(Buffer.concat(await output.toArray())) };
}

const once: ConsentAnswer = { answer: 'allow', scope: 'once', by: 'user' };

test.each<[string, ConsentAnswer]>([
  ['y\n', once],
  ['Y\r\n', once],
  ['yes\n', once],
  ['  y  \n', once],
  ['y', once],
  ['n\n', { answer: 'deny', by: 'user' }],
  ['no\n', { answer: 'deny', by: 'user' }],
  ['n use b.txt, please\n', { answer: 'deny', by: 'user', word: 'use b.txt, please' }],
  ['c\n', { answer: 'allow', scope: 'conversation', rule: editNotes, by: 'user' }],
  ['a\n', { answer: 'allow', scope: 'always', rule: editNotes, by: 'user' }],
  ['a 1\n', { answer: 'allow', scope: 'always', rule: editNotes, by: 'user' }],
  ['\nmaybe\nyn\n\u001b[Ay\ny\n', once],
  ['a 2\na 0\na9\nn\n', { answer: 'deny', by: 'user' }],
])('typing %j answers %j', async (typed, answer) => {
  expect((await ask(typed)).answer).toEqual(answer);
});

test.each(['', '\n\n', 'maybe\n'])('the end of the input after %j is a no', async (typed) => {
  expect((await ask(typed)).answer).toMatchObject({
    answer: 'deny',
    by: 'default',
    reason: { code: 'terminal_ended' },
  });
});

test('withheld variables are named, and p passes them', async () => {
  const withheld = ['GH_TOKEN', 'DB_PASS'];
  const access: Access = {
    kind: 'command',
    class: 'execute',
    command: { kind: 'argv', argv: ['make'] },
    directory: '/w',
    withheld,
  };
  const command: ToolConsentRequest = { ...writing, access: [access], previews: [] };
  const { answer, shown } = await ask('p\n', command);
  expect(answer).toEqual({ ...once, passesVariables: true });
  expect(shown).toContain('GH_TOKEN, DB_PASS');
  // If nothing is withheld, there is nothing to pass.
  expect((await ask('p\ny\n')).answer).toEqual(once);
});

test('on a terminal the prompt comes half a second after its question, and only what comes after it answers', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const modes: boolean[] = [];
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (isRaw: boolean) => modes.push(isRaw) });
  const output = new PassThrough();
  let shown = '';
  output.setEncoding('utf8').on('data', (text: string) => (shown += text));
  input.write('y\n');
  const answer = terminalConsent({ input, output, env: {} }).ask(writing, never);
  await onceTrue(() => shown.includes('n  no'));
  input.write('a\ny\n');
  await vi.advanceTimersByTimeAsync(499);
  expect(shown).not.toContain('Your answer: ');
  expect(modes).toEqual([true]);
  await vi.advanceTimersByTimeAsync(1);
  await onceTrue(() => shown.includes('Your answer: '));
  expect(modes).toEqual([true, false]);
  input.write('maybe\ny\n');
  await onceTrue(() => shown.includes('Please answer'));
  await vi.advanceTimersByTimeAsync(500);
  await onceTrue(() => shown.split('Your answer: ').length === 3);
  input.write('n\n');
  expect(await answer).toEqual({ answer: 'deny', by: 'user' });
});

/** Waits without the clock, which the test holds. */
async function onceTrue(check: () => boolean): Promise<void> {
  for (let turn = 0; turn < 10_000 && !check(); turn++) await new Promise((next) => setImmediate(next));
  expect(check()).toBe(true);
}

test('a rule that says more than its label is explained below it', async () => {
  const freely: RuleDraft = { label: 'work freely in /w', tool: null, matcher: { kind: 'work-freely', path: '/w' } };
  const { answer, shown } = await ask('w\n', { ...writing, offers: [editNotes, freely] });
  expect(answer).toEqual({ answer: 'allow', scope: 'week', rule: freely, by: 'user' });
  expect(shown).toMatch(/ {2}2 {2}work freely in \/w\n {2}│ Steward can change files here.+\n {2}│ It still asks/);
});

test('of several rules one must be chosen', async () => {
  const several = { ...writing, offers: [editNotes, editAll] };
  expect((await ask('a 2\n', several)).answer).toEqual({ answer: 'allow', scope: 'always', rule: editAll, by: 'user' });
  expect((await ask('c1\n', several)).answer).toEqual({
    answer: 'allow',
    scope: 'conversation',
    rule: editNotes,
    by: 'user',
  });
  const { answer, shown } = await ask('a\nc\na 3\ny\n', several);
  expect(answer).toEqual(once);
  expect(shown.match(/Please say which rule: 1, 2/g)).toHaveLength(3);
  expect(shown).toContain('  1  edit files in /w/notes\n  2  edit files in the whole workspace /w\n');
});

test('where no rule may be kept none is shown, and asking for one asks again', async () => {
  const { answer, shown } = await ask('a\nc\ny\n', { ...writing, offers: [] });
  expect(answer).toEqual(once);
  expect(shown).not.toContain('always');
  expect(shown).not.toMatch(/^ {2}[ca] {2}/m);
  expect(shown.match(/This can.t be allowed by a rule/g)).toHaveLength(2);
});

test('a write shows reason, tool, whole arguments, the folder rule and a unified diff', async () => {
  const content = `${'long '.repeat(20_000)}end-of-it`;
  const { shown } = await ask('y\n', { ...writing, input: { ...writing.input, content } });
  expect(shown).toContain(decisionReasonText({ code: 'write' }));
  expect(shown).toContain('write_file');
  expect(shown).toContain(content);
  expect(shown).toContain('a  yes, and always: edit files in /w/notes\n');
  expect(shown).toContain('/w/notes/a.txt');
  expect(shown).toContain(['@@ -1,3 +1,3 @@', ' one', '-2', '+two', ' three'].map((line) => `  │ ${line}\n`).join(''));
});

test('a new file shows all its lines as added, an unchanged one that nothing changes', async () => {
  const shown = async (before: string | null, after: string, note?: string) =>
    consentText(questionOf({ ...writing, previews: [new DiffPreview({ path: '/w/x', before, after, note })] }), {
      color: false,
      columns: undefined,
    });
  expect(await shown(null, 'a\nb\n')).toContain('  │ +a\n  │ +b\n');
  expect(await shown('a\n', 'a\n')).toContain('(no change)');
  expect(await shown(null, 'a', 'The file is not text.')).toContain('  │ The file is not text.\n');
  expect(await shown('a', 'a\n')).toContain('No newline at end of file');
  expect(await shown('a\r\n', 'a\n')).toContain('  │ -a⟨U+000D⟩\n  │ +a\n');
});

test('a command shows the exact line and folder, a request its URL, a message recipients and text, a mark what was read', async () => {
  const { shown } = await ask('y\n', {
    ...writing,
    access: [
      { kind: 'command', class: 'execute', command: { kind: 'shell', line: 'ls | wc -l' }, directory: '/w/src' },
      { kind: 'command', class: 'execute', command: { kind: 'argv', argv: ['echo', 'a b', ''] }, directory: '/w' },
      { kind: 'request', class: 'network-private', url: 'http://10.0.0.1/x?y=z', host: '10.0.0.1', method: 'GET' },
      { kind: 'mail', class: 'send', recipients: ['a@b.c', 'd@e.f'], text: 'Dear all,\nbye' },
    ],
    previews: [{ kind: 'text', title: 'Headers', text: 'X-A: b' }],
    marks: [untrusted, untrusted, privateMark],
  });
  for (const text of [
    'Command:\n  │ ls | wc -l\nIn the folder:\n  │ /w/src\n',
    'Command:\n  │ echo "a b" ""\nIn the folder:\n  │ /w\n',
    'http://10.0.0.1/x?y=z',
    'To:\n  │ a@b.c\n  │ d@e.f\n',
    '  │ Dear all,\n  │ bye\n',
    'Headers:\n  │ X-A: b',
  ]) {
    expect(shown).toContain(text);
  }
  expect(shown.match(/https:\/\/evil\.example\/page \(from outside\)/g)).toHaveLength(1);
  expect(shown).toContain('file diary.md (private)');
});

test('something that would widen power shows the exact values as they would be used, and takes yes or no', async () => {
  const { answer, shown } = await ask('a\nc\ny\n', grant);
  expect(answer).toEqual(once);
  for (const text of ['mcpServers.files', 'Program: npx', '1. -y', 'TOKEN = secret-value', 'Program: old'])
    expect(shown).toContain(text);
  expect(shown).not.toContain('always');
  expect((await ask('n\n', grant)).answer).toMatchObject({ answer: 'deny' });
});

const ofWriting = { conversationId: 'c1', askedFor: 'call' } as const;
const ofGrant = { conversationId: null, askedFor: 'user' } as const;

test('Stop takes the question away, the answer typed later goes to the next one', async () => {
  const input = new PassThrough();
  const output = new PassThrough();
  const port = terminalConsent({ input, output, env: {} });
  const stop = new AbortController();
  const questions = new QuestionQueues({ isOneForAll: true });
  const stopped = questions.run(ofWriting, stop.signal, () => port.ask(writing, stop.signal));
  const next = questions.run(ofGrant, never, () => port.ask(grant, never));
  await expect.poll(() => String(output.read() ?? '')).toContain('Your answer');
  stop.abort(new Error('stopped'));
  await expect(stopped).rejects.toThrow('stopped');
  input.write('y\n');
  expect(await next).toEqual(once);
  expect(String(output.read())).toContain('This is no longer asked.');
  expect(input.listenerCount('data')).toBe(0);
});

test('questions that come together wait for each other in the queue of questions', async () => {
  const input = new PassThrough();
  const port = terminalConsent({ input, output: new PassThrough(), env: {} });
  const questions = new QuestionQueues({ isOneForAll: true });
  const asked = [
    questions.run(ofWriting, never, () => port.ask(writing, never)),
    questions.run(ofGrant, never, () => port.ask(grant, never)),
  ];
  input.write('y\nn\n');
  expect((await Promise.all(asked)).map(({ answer }) => answer)).toEqual(['allow', 'deny']);
});

test('colours are there only on a terminal that wants them', async () => {
  const shownOn = async (isTTY: boolean, env: Record<string, string>) => {
    const output = Object.assign(new PassThrough(), { isTTY });
    const input = new PassThrough();
    input.end('n\n');
    await terminalConsent({ input, output, env }).ask(writing, never);
    return String(output.read());
  };
  expect(await shownOn(true, {})).toContain('\u001b[32m+two\u001b[0m');
  expect(await shownOn(true, { NO_COLOR: '1' })).not.toContain('\u001b');
  expect(await shownOn(true, { TERM: 'dumb' })).not.toContain('\u001b');
  expect(await shownOn(false, {})).not.toContain('\u001b');
});

test('on a terminal of known width every line of untrusted text stays behind its mark', async () => {
  const shown = await consentText(
    questionOf({
      ...writing,
      input: { content: `${' '.repeat(36)}Your answer: ${'数'.repeat(50)}` },
      access: [{ class: 'write', kind: 'file', path: `/w/${' '.repeat(20)}Your answer: 数`, outsideRoots: false }],
      previews: [],
    }),
    { color: false, columns: 40 },
  );
  const ours = shown.split('\n').filter((line) => !/^ {2}[│┊] /.test(line));
  expect(ours.join('\n')).not.toMatch(/Your answer|数/);
  for (const line of shown.split('\n')) {
    const width = [...line].reduce((sum, character) => sum + (character === '数' ? 2 : 1), 0);
    if (/^ {2}[│┊]/.test(line)) expect(width).toBeLessThan(40);
  }
});

test('whatever could hide or repaint text is shown as its code point', () => {
  expect(visible('a\u001b[2Jb\u0007\u009b\u202ec\u200bd\ue000\u00a0\u2028\ufeff\ud800\u{e0041}')).toBe(
    'a⟨U+001B⟩[2Jb⟨U+0007⟩⟨U+009B⟩⟨U+202E⟩c⟨U+200B⟩d⟨U+E000⟩⟨U+00A0⟩⟨U+2028⟩⟨U+FEFF⟩⟨U+D800⟩⟨U+E0041⟩',
  );
  expect(visible('größe 数 é "x" \\n 🙂')).toBe('größe 数 é "x" \\n 🙂');
  expect(visible('a\tb\nc')).toBe('a⇥   b⟨U+000A⟩c');
});

test('an undo shows what is restored and what stays, and can only be allowed or denied', async () => {
  const undo: ConsentRequest = {
    kind: 'undo',
    id: '3',
    reason: { code: 'undo', tools: ['write_file'] },
    subject: 'turn',
    boundTo: 'hash',
    conversationId: 'conversation-1',
    previews: [new DiffPreview({ path: '/w/a.txt', before: 'after\n', after: 'before\n' })],
    refused: [{ path: '/w/b\u202e.txt', reason: { code: 'deleted' } }],
  };
  const { answer, shown } = await ask('a\ny\n', undo);
  expect(answer).toEqual(once);
  expect(shown).toBe(
    [
      '',
      'Steward asks: Undo this turn?',
      `  │ ${decisionReasonText(undo.reason)}`,
      'Change to the file:',
      '  │ /w/a.txt',
      '  │ @@ -1,1 +1,1 @@',
      '  │ -after',
      '  │ +before',
      'Not undone:',
      '  │ /w/b⟨U+202E⟩.txt: it has since been deleted',
      '  y  yes, undo it',
      '  n  no, leave it as it is',
      'Your answer: Please answer y or n.',
      'Your answer: ',
    ].join('\n'),
  );
});

test('unreviewed files are shown with the command, and r marks them as reviewed', async () => {
  const change = new DiffPreview({ path: '/w/package.json', before: 'good\n', after: 'evil\n' });
  const running: ToolConsentRequest = {
    ...writing,
    access: [{ kind: 'command', class: 'execute', command: { kind: 'shell', line: 'npm test' }, directory: '/w' }],
    previews: [],
    offers: [],
    review: [change],
  };
  const { answer, shown } = await ask('r\n', running);
  expect(answer).toEqual({ answer: 'allow', scope: 'reviewed', by: 'user' });
  expect(shown).toContain('  │ /w/package.json\n  │ @@ -1,1 +1,1 @@\n  │ -good\n  │ +evil\n');
  expect((await ask('y\n', running)).answer).toEqual(once);
  // If nothing is shown, nothing was looked at.
  expect((await ask('r\ny\n', writing)).answer).toEqual(once);
  const review: ConsentRequest = {
    kind: 'review',
    id: '4',
    reason: { code: 'review' },
    review: [change],
    boundTo: 'h',
  };
  expect((await ask('c\ny\n', review)).answer).toEqual({ answer: 'allow', scope: 'reviewed', by: 'user' });
  expect((await ask('n\n', review)).answer).toMatchObject({ answer: 'deny', by: 'user' });
});

test('the question warns before the second of two rules that let edits run unseen', async () => {
  const shown = async (rulesMeet: boolean) => (await ask('y\n', { ...writing, rulesMeet })).shown;
  const text = cautionText('rules_meet');
  expect(await shown(true)).toContain(text);
  expect(await shown(false)).not.toContain(text);
});

test('questions of MCP servers: a form is filled in, declined or cancelled; a yes may hold for the server', async () => {
  const { fields } = requestedForm({
    message: 'Who are you?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  });
  const server = 'files\u202E';
  const form: ConsentRequest = {
    kind: 'form',
    id: '3',
    server,
    message: 'Who are you?\u200B',
    fields,
    conversationId: null,
    conversations: 0,
    reason: { code: 'server_form', server, isUnasked: true },
  };
  const { answer, shown } = await ask('maybe\ny\n\nAda\ny\n', form);
  expect(answer).toMatchObject({ answer: 'allow', content: { name: 'Ada' } });
  expect(shown).not.toMatch(/[\u202E\u200B]/);
  expect((await ask('n\n', form)).answer).toEqual({ answer: 'deny', by: 'user' });
  expect((await ask('c\n', form)).answer).toEqual({ answer: 'deny', by: 'user', isCancelled: true });
  expect((await ask('y\nAda\nn\n', form)).answer).toEqual({ answer: 'deny', by: 'user' });
  expect((await ask('y\nAda\n', form)).answer).toMatchObject({ answer: 'deny', reason: { code: 'terminal_ended' } });

  const sampling: ConsentRequest = {
    kind: 'sampling',
    id: '4',
    server,
    model: 'm',
    system: '',
    messages: [],
    tools: [],
    preferences: '',
    stopSequences: [],
    conversations: 1,
    cost: { inputTokens: 1, mostOutputTokens: 1, most: null },
    wantsContext: false,
    conversationId: 'one',
    reason: { code: 'server_sampling', server },
  };
  expect((await ask('c\n', sampling)).answer).toMatchObject({ answer: 'allow', forServer: true });
  expect((await ask('y\n', sampling)).answer).toEqual({ answer: 'allow', scope: 'once', by: 'user' });
});

test('a call that another model makes names that model and the call that asked it, before everything else', async () => {
  const askedBy = { provider: 'flash', tool: 'ask_flash' };
  const request = { ...writing, askedBy, marks: [untrusted], said: 'The page says so.' };
  const text = await consentText(questionOf(request), { color: false, columns: undefined });
  const at = (part: string) => text.indexOf(part);
  expect(at('flash (ask_flash)')).toBeGreaterThan(0);
  expect(at('flash (ask_flash)')).toBeLessThan(at(untrusted.source));
  expect(at('The model of flash says')).toBeGreaterThan(at('flash (ask_flash)'));
});
