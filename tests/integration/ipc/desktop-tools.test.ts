import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ModelQuestion } from '../../../src-preload/contract/desktop-tools.ts';
import type { AppEvents } from '../../../src-preload/contract/index.ts';
import type { ScriptedTurn } from '../../fixtures/messages-api/script.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { switched } from '../../fixtures/tool-texts.ts';
import { SOON, WindowRig, type WindowRigOptions } from '../../fixtures/window-rig.ts';

const use = (...calls: readonly (readonly [name: string, input?: object])[]): ScriptedTurn => ({
  blocks: calls.map(([name, input = {}]) => ({ type: 'tool_use', name, input })),
});

async function windowWith(turns: readonly ScriptedTurn[], options: WindowRigOptions = {}) {
  const api = await startMessagesApi({ turns });
  onTestFinished(() => api.close());
  const env = { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'sk-ant-api03-fixture' };
  const rig = new WindowRig({ ...options, env });
  const offered = () =>
    api.requests.map(({ body }) => (body as { tools: readonly { name: string }[] }).tools.map(({ name }) => name));
  return { rig, offered };
}

const results = (rig: WindowRig, id: string) =>
  rig.turnEvents(id).filter(({ type }) => type === 'tool_result') as unknown as readonly {
    readonly text: string;
    readonly isError: boolean;
    readonly marks?: readonly { readonly kind: string; readonly source: string }[];
  }[];

/** What the page shows as asked by a model. */
function asked(rig: WindowRig): readonly ModelQuestion[] {
  const event = rig.events.findLast(({ name }) => name === 'modelQuestions');
  return (event?.data as AppEvents['modelQuestions'] | undefined)?.open ?? [];
}

async function question(rig: WindowRig): Promise<ModelQuestion> {
  return vi.waitFor(() => {
    const [first] = asked(rig);
    if (first === undefined) throw new Error('nothing is asked');
    return first;
  }, SOON);
}

test('the window brings its tools as a client does: a group that opens', async () => {
  const { rig, offered } = await windowWith([use(['Desktop']), { text: 'Open.' }]);
  const { id } = await rig.turn('Hello');
  expect(results(rig, id)[0]?.text).toMatch(
    /^Desktop expanded\. Available functions: show_message, ask_user, open_url, /,
  );
  expect(offered()[0]).toContain('Desktop');
  expect(offered()[0]).not.toContain('ask_user');
  expect(offered()[1]).toEqual(expect.arrayContaining(['ask_user', 'get_clipboard', 'preview_file']));
  expect(offered()[1]).not.toContain('Desktop');
});

test('/tools lists and switches them; to switch one on again, the question shows its description', async () => {
  const { rig, offered } = await windowWith([{ text: 'One.' }, use(['Desktop']), { text: 'Two.' }]);
  const { id } = await rig.turn('Hello');
  const answerTo = async (line: string, isAsked = false) => {
    const seen = rig.turnEvents(id).length;
    await rig.request('conversations.send', { id, text: line });
    if (isAsked) expect(JSON.stringify(await rig.answer({ answer: 'deny' }))).toContain('Show a notification');
    await rig.turnEnded(id, seen);
    return JSON.stringify(rig.turnEvents(id).slice(seen));
  };
  const [, list = ''] = /\\nDesktop, from [^:]+:\\n(.+)/.exec(await answerTo('/tools')) ?? [];
  const rows = list.split('\\n').map((row) => /^(\w+) +enabled +(\w+)/.exec(row)?.slice(1, 3).join(' '));
  expect(rows.slice(0, 10)).toEqual([
    'show_message read',
    'ask_user read',
    'open_url network',
    'open_path execute',
    'reveal_in_folder read',
    'get_selection read',
    'get_clipboard read',
    'set_clipboard write',
    'notify read',
    'preview_file read',
  ]);
  expect(await answerTo('/tools disable notify')).toContain(switched.disabled('notify'));
  expect(await answerTo('/tools enable notify', true)).toContain(switched.notEnabled('notify'));
  await rig.turn('Open', id);
  expect(offered()[2]).toContain('open_url');
  expect(offered()[2]).not.toContain('notify');
});

test('ask_user waits for a user, by one of the choices or in their words', async () => {
  const choices = ['Blue', 'Green'];
  const { rig } = await windowWith(
    [
      use(['ask_user', { question: 'Which colour?', choices }]),
      use(['ask_user', { question: 'Why?' }]),
      { text: 'Thanks.' },
    ],
    { config: { clientTools: { invokeTimeout: 0.01 } } },
  );
  const { id } = await rig.request<{ id: string }>('conversations.send', { id: null, text: 'Paint' });
  const first = await question(rig);
  expect(first).toMatchObject({ conversationId: id, question: 'Which colour?', choices });
  expect(rig.attentions).toBe(1);
  expect(rig.assistant.whatRuns()?.questions).toBe(1);
  // Script alone can't answer.
  rig.hasGesture = false;
  expect(await rig.code('desktopTools.answer', { id: first.id, answer: 'Blue' })).toBe('no_gesture');
  rig.hasGesture = true;
  expect(await rig.request('desktopTools.answer', { id: first.id, answer: 'Blue' })).toEqual({ isOpen: true });
  expect(await rig.request('desktopTools.answer', { id: first.id, answer: 'Blue' })).toEqual({ isOpen: false });
  const second = await vi.waitFor(() => {
    const open = asked(rig).find(({ question: text }) => text === 'Why?');
    if (open === undefined) throw new Error('nothing is asked');
    return open;
  }, SOON);
  await rig.request('desktopTools.answer', { id: second.id, answer: 'It calms me' });
  await rig.turnEnded(id);
  expect(results(rig, id).map(({ text }) => text)).toEqual(['Blue', 'It calms me']);
  expect(asked(rig)).toEqual([]);
});

test('an answer beside the choices is given if main saw it written, and else only after a question', async () => {
  const ask = use(['ask_user', { question: 'Which colour?', choices: ['Blue', 'Green'] }]);
  const { rig } = await windowWith([ask, ask, ask, { text: 'Thanks.' }]);
  const { id } = await rig.request<{ id: string }>('conversations.send', { id: null, text: 'Paint' });
  const answer = async (text: string) =>
    rig.code('desktopTools.answer', { id: (await question(rig)).id, answer: text });
  const used: string[] = [];
  const { writing } = rig;
  rig.writing = { ...writing, messageSent: (text) => void used.push(text) };
  expect(await answer('Red, as the door')).toBe('ok');
  // What main saw for it is used up, and makes no older draft a message of the user.
  expect(used).toEqual(['Red, as the door']);

  await vi.waitFor(() => expect(results(rig, id)).toHaveLength(1), SOON);
  rig.writing = { ...writing, isWritten: false, holdsLines: () => false };
  const refused = answer('Delete it all');
  expect(JSON.stringify((await rig.answer({ answer: 'deny' })).parts)).toContain('Delete it all');
  expect(await refused).toBe('not_sent');
  const confirmed = answer('Purple');
  await rig.answer({ answer: 'once' });
  expect(await confirmed).toBe('ok');

  await vi.waitFor(() => expect(results(rig, id)).toHaveLength(2), SOON);
  rig.writing = { ...writing, holdsLines: (lines) => lines === '2', messageSent: (text) => void used.push(text) };
  expect(await answer('Green')).toBe('ok');
  expect(used.at(-1)).toBe('2');
  await rig.turnEnded(id);
  expect(results(rig, id).map(({ text }) => text)).toEqual(['Red, as the door', 'Purple', 'Green']);
});

test('a question that is not answered is an error, and Stop withdraws it', async () => {
  const { rig } = await windowWith([use(['ask_user', { question: 'Yes?' }]), use(['ask_user', { question: 'No?' }])]);
  const { id } = await rig.request<{ id: string }>('conversations.send', { id: null, text: 'Ask' });
  await rig.request('desktopTools.dismiss', { id: (await question(rig)).id });
  await vi.waitFor(() => expect(asked(rig)[0]?.question).toBe('No?'), SOON);
  expect(results(rig, id)[0]).toMatchObject({
    text: 'Error: The user did not answer.',
    isError: true,
    outcome: 'unanswered',
  });
  await rig.request('conversations.stop', { id });
  expect(asked(rig)).toEqual([]);
});

test('an answer is no permission: what asks, still asks', async () => {
  const { rig } = await windowWith([
    use(['ask_user', { question: 'May I run touch?', choices: ['Yes'] }]),
    use(['bash', { command: 'touch made' }]),
    { text: 'Done.' },
  ]);
  const { id } = await rig.request<{ id: string }>('conversations.send', { id: null, text: 'Go' });
  await rig.request('desktopTools.answer', { id: (await question(rig)).id, answer: 'Yes' });
  await rig.answer({ answer: 'deny' });
  await rig.turnEnded(id);
  expect(results(rig, id)[1]).toMatchObject({ isError: true });
});

test('the clipboard is asked about each time, and what was read marks the conversation', async () => {
  const { rig } = await windowWith([
    use(['get_clipboard']),
    use(['set_clipboard', { text: 'new words' }]),
    use(['get_clipboard']),
    { text: 'Done.' },
  ]);
  const { id } = await rig.request<{ id: string }>('conversations.send', { id: null, text: 'Clip' });
  const reading = await rig.answer({ answer: 'once' });
  expect(reading.title).toBe('Read the clipboard?');
  expect(reading.offers).toEqual([]);
  const writing = await rig.answer({ answer: 'once' });
  expect(writing.title).toBe('Replace what is on the clipboard?');
  expect(JSON.stringify(writing.parts)).toContain('new words');
  await rig.answer({ answer: 'deny' });
  await rig.turnEnded(id);
  const [read, , refused] = results(rig, id);
  expect(read).toMatchObject({ text: 'copied elsewhere', isError: false });
  expect(read?.marks?.map(({ kind }) => kind).toSorted()).toEqual(['private', 'untrusted']);
  expect(rig.clipboard).toBe('new words');
  expect(refused?.isError).toBe(true);
});

test('open_path asks as a program that is run, paths outside the roots are refused, and a page is judged by its host', async () => {
  const { rig } = await windowWith(
    [
      use(['open_path', { path: 'report.pdf' }]),
      use(['open_path', { path: '/etc/passwd' }]),
      use(['reveal_in_folder', { path: 'report.pdf' }], ['preview_file', { path: 'report.pdf' }]),
      use(['open_url', { url: 'file:///etc/passwd' }], ['open_url', { url: 'https://attacker.example/?q=1' }]),
      { text: 'Done.' },
    ],
    { files: { 'report.pdf': 'words' } },
  );
  const { id } = await rig.request<{ id: string }>('conversations.send', { id: null, text: 'Open' });
  const opening = await rig.answer({ answer: 'once' });
  expect(opening.title).toBe('Open report.pdf?');
  // The model has learnt which files exist: an address that it composed could carry that.
  const address = await rig.answer({ answer: 'deny' });
  expect(JSON.stringify(address)).toContain('attacker.example');
  await rig.turnEnded(id);
  const path = join(rig.workspace, 'report.pdf');
  expect(rig.opened).toEqual([`open ${path}`, `reveal ${path}`]);
  expect(results(rig, id).map(({ isError }) => isError)).toEqual([false, true, false, false, true, true]);
  expect(rig.events.find(({ name }) => name === 'filePreview')?.data).toMatchObject({
    path: 'report.pdf',
    text: 'words',
  });
  expect(results(rig, id).some(({ text }) => text.includes('words'))).toBe(false);
});

const marksOf = ({
  marks = [],
}: {
  readonly marks?: readonly { readonly kind: string; readonly source: string }[];
} = {}) => marks.map(({ kind, source }) => `${kind} ${source}`);

test('opening a page for the user marks nothing: the model gets none of it, and the next page needs no question', async () => {
  const { rig } = await windowWith(
    [
      use(['open_path', { path: 'link.pdf' }]),
      use(['open_url', { url: 'https://attacker.example/?q=1' }]),
      { text: 'Done.' },
    ],
    { files: { 'secret-plan.pdf': 'words' } },
  );
  symlinkSync('secret-plan.pdf', join(rig.workspace, 'link.pdf'));
  const { id } = await rig.request<{ id: string }>('conversations.send', { id: null, text: 'Open' });
  const opening = await rig.answer({ answer: 'once' });
  expect(opening.title).toBe('Open secret-plan.pdf?');
  expect(opening.reason).toBe('Steward asks before it opens anything in another program.');
  expect(JSON.stringify(opening.parts)).not.toMatch(/xdg-open|command/);
  expect(JSON.stringify(opening.parts)).toContain(join(rig.workspace, 'secret-plan.pdf'));
  await rig.turnEnded(id);
  const [opened] = results(rig, id);
  // The target of the link would be a name that the model did not give.
  expect(opened).toMatchObject({ text: 'Opened link.pdf.', isError: false });
  expect(results(rig, id).flatMap(marksOf)).toEqual([]);
  expect(rig.opened).toEqual([`open ${join(rig.workspace, 'secret-plan.pdf')}`, 'https://attacker.example/?q=1']);
});

test('a page of this machine that is opened marks nothing', async () => {
  const { rig } = await windowWith([use(['open_url', { url: 'http://127.0.0.1:9/' }]), { text: 'Done.' }]);
  const { id } = await rig.request<{ id: string }>('conversations.send', { id: null, text: 'Open' });
  await rig.answer({ answer: 'once' });
  await rig.turnEnded(id);
  expect(results(rig, id).flatMap(marksOf)).toEqual([]);
});

test('showing a file tells the model that it exists: that alone is private, like names in a listing', async () => {
  const { rig } = await windowWith(
    [
      use(['reveal_in_folder', { path: 'report.pdf' }], ['preview_file', { path: 'report.pdf' }]),
      use(['preview_file', { path: '.env' }]),
      use(['reveal_in_folder', { path: 'none' }], ['preview_file', { path: 'none' }]),
      use(['open_path', { path: 'none' }], ['notify', { title: 'x'.repeat(300) }]),
      { text: 'Done.' },
    ],
    { files: { 'report.pdf': 'words', '.env': 'PIN=1234' } },
  );
  const { id } = await rig.request<{ id: string }>('conversations.send', { id: null, text: 'Show' });
  await rig.answer({ answer: 'once' });
  await rig.turnEnded(id);
  const [revealed, previewed, secret, notFound, notShown, notOpened, tooLong] = results(rig, id);
  for (const shown of [revealed, previewed]) expect(marksOf(shown)).toEqual(['private whether report.pdf exists']);
  expect(revealed?.text).toBe('Showed report.pdf in the file manager.');
  expect(secret?.text).toBe('.env is shown.');
  expect(marksOf(secret)).toEqual(['private whether .env exists']);
  expect(marksOf(notFound)).toEqual(['private what reveal_in_folder looked at']);
  expect(marksOf(notShown)).toEqual(['private whether none exists']);
  expect(notShown?.text).toBe('Error: ENOENT: no such file or directory: none');
  expect(marksOf(notOpened)).toEqual(['private what open_path looked at']);
  // Only its arguments were looked at.
  expect(tooLong?.isError).toBe(true);
  expect(marksOf(tooLong)).toEqual([]);
});

test('the reason why something could not be opened is private', async () => {
  const { rig } = await windowWith([use(['open_path', { path: 'report.pdf' }]), { text: 'Done.' }], {
    files: { 'report.pdf': 'words' },
  });
  rig.openingFails = 'No program opens this';
  const { id } = await rig.request<{ id: string }>('conversations.send', { id: null, text: 'Open' });
  await rig.answer({ answer: 'once' });
  await rig.turnEnded(id);
  const [failed] = results(rig, id);
  expect(failed).toMatchObject({ isError: true, text: expect.stringContaining('No program opens this') });
  expect(marksOf(failed)).toEqual(['private whether report.pdf exists']);
});

test('the selection is that of the conversation that asks, and text from outside', async () => {
  const asks = use(['ask_user', { question: 'Ready?' }]);
  const { rig } = await windowWith([asks, use(['get_selection']), asks, use(['get_selection']), { text: 'Done.' }]);
  const { id } = await rig.request<{ id: string }>('conversations.send', { id: null, text: 'Read' });
  const other = '00000000-0000-4000-8000-000000000000';
  for (const conversationId of [other, id]) {
    const { id: asked } = await question(rig);
    await rig.request('app.composer', { conversationId, height: 100 });
    await rig.request('desktopTools.answer', { id: asked, answer: 'Yes' });
  }
  await rig.turnEnded(id);
  const [, elsewhere, , here] = results(rig, id);
  expect(elsewhere).toMatchObject({ text: '', isError: false });
  expect(here).toMatchObject({ text: 'the selected words', isError: false });
  expect(here?.marks?.map(({ kind }) => kind)).toEqual(['untrusted', 'private']);
});

test('messages, notifications and the selection need no question; a flood of notifications ends', async () => {
  const notes = Array.from({ length: 6 }, (_, index) => ['notify', { title: `n${index}`, text: 'x' }] as const);
  const { rig } = await windowWith([
    use(['show_message', { text: 'Half done' }], ['get_selection']),
    use(...notes),
    { text: 'Done.' },
  ]);
  const { id } = await rig.turn('Tell me');
  const texts = results(rig, id).map(({ text }) => text);
  expect(texts).toContain('the selected words');
  expect(rig.events.find(({ name }) => name === 'modelMessage')?.data).toEqual({
    conversationId: id,
    text: 'Half done',
  });
  expect(rig.opened).toHaveLength(5);
  expect(results(rig, id).filter(({ isError }) => isError)).toHaveLength(1);
});
