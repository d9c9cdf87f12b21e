import { expect, onTestFinished, test } from 'vitest';
import { notAccepted } from '../../../src-main/models/accepted-media.ts';
import type { MediaBlock } from '../../../src-preload/contract/content-blocks.ts';
import type { ProviderForm } from '../../../src-preload/contract/providers.ts';
import type { SettingsView } from '../../../src-preload/contract/settings.ts';
import { startGemini } from '../../fixtures/gemini/server.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { startOllama } from '../../fixtures/ollama/server.ts';
import { startOpenAiApi } from '../../fixtures/openai/server.ts';
import { PROVIDER_FORM } from '../../fixtures/provider-form.ts';
import { WindowRig } from '../../fixtures/window-rig.ts';

type Bag = Record<string, unknown>;

const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n<< >>\nendobj\n').toString('base64');
const WAV = Buffer.from('RIFF\x24\x08\0\0WAVEfmt ', 'latin1').toString('base64');
const MP3 = Buffer.from([0xff, 0xfb, 0x90, 0x64, 0, 0, 0, 0, 0]).toString('base64');
const ATTACHED = [
  { kind: 'document', name: 'plan.pdf', data: PDF },
  { kind: 'audio', name: 'memo.wav', data: WAV },
];
const PLAN: MediaBlock = { type: 'document', mediaType: 'application/pdf', data: PDF, name: 'plan.pdf' };
const MEMO: MediaBlock = { type: 'audio', mediaType: 'audio/wav', data: WAV, name: 'memo.wav' };

interface Family {
  readonly provider: Readonly<Bag>;
  /** Starts the service; gives its address and the last message that it was sent. */
  readonly start: () => Promise<{ readonly url: string; readonly last: () => unknown }>;
  /** The first parts of that message. */
  readonly parts: readonly unknown[];
}

interface Service {
  readonly url: string;
  readonly requests: readonly { readonly body: unknown }[];
  close(): Promise<void>;
}

function started(service: Service, messages: 'messages' | 'input' | 'contents', path = '') {
  onTestFinished(() => service.close());
  const last = () => ((service.requests.at(-1)?.body ?? {}) as Record<string, readonly unknown[]>)[messages]?.at(-1);
  return { url: `${service.url}${path}`, last };
}

const answer = () => ({ text: 'Read.' });
const dataUrl = `data:application/pdf;base64,${PDF}`;

const FAMILIES: Readonly<Record<string, Family>> = {
  claude: {
    provider: { type: 'anthropic', model: 'claude-sonnet-5-5' },
    start: async () => started(await startMessagesApi({ answer }), 'messages'),
    parts: [
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: PDF }, title: 'plan.pdf' },
      notAccepted(MEMO),
    ],
  },
  responses: {
    provider: { type: 'openai', model: 'gpt-5.4', api: 'responses', apiVersion: '2025-04-01-preview' },
    start: async () => started(await startOpenAiApi({ answer, deployments: ['gpt-5.4'] }), 'input'),
    parts: [
      { type: 'input_file', filename: 'plan.pdf', file_data: dataUrl },
      { type: 'input_text', text: notAccepted(MEMO).text },
    ],
  },
  chat: {
    provider: { type: 'openai', model: 'gpt-audio-1.5', api: 'chat', apiVersion: '2025-04-01-preview' },
    start: async () => started(await startOpenAiApi({ answer, deployments: ['gpt-audio-1.5'] }), 'messages'),
    parts: [notAccepted(PLAN), { type: 'input_audio', input_audio: { data: WAV, format: 'wav' } }],
  },
  gemini: {
    provider: { type: 'gemini', model: 'gemini-3.8-flash' },
    start: async () => started(await startGemini({ answer }), 'contents'),
    parts: [
      { inlineData: { mimeType: 'application/pdf', data: PDF } },
      { inlineData: { mimeType: 'audio/wav', data: WAV } },
    ],
  },
  ollama: {
    provider: { type: 'ollama', model: 'qwen3:8b' },
    start: async () => started(await startOllama({ answer }), 'messages'),
    parts: [`${notAccepted(PLAN).text}\n\n${notAccepted(MEMO).text}\n\nlook`],
  },
};

const EMPTY: ProviderForm = { ...PROVIDER_FORM, type: 'anthropic', model: '' };

async function rigWith({ provider, start }: Family) {
  const { url, last } = await start();
  const rig = new WindowRig();
  const form = { ...EMPTY, ...provider, baseUrl: url };
  const adding = rig.request('providers.add', { form, key: form.type === 'ollama' ? null : 'sk-fixture-0123456789' });
  await rig.answer({ answer: 'once' });
  await adding;
  await rig.request('settings.chooseModel', { specification: `work:${form.model}` });
  return { rig, last };
}

async function sent(rig: WindowRig, attachments: readonly Bag[], id: string | null = null) {
  const before = id === null ? 0 : rig.turnEvents(id).length;
  const { id: sentTo } = await rig.request<{ id: string }>('conversations.send', { id, text: 'look', attachments });
  await rig.turnEnded(sentTo, before);
  return sentTo;
}

/** The parts of the last message that a service was sent, whatever it calls them. */
function partsOf(message: unknown): readonly unknown[] {
  const { content, parts = content } = message as Bag;
  return Array.isArray(parts) ? parts : [parts];
}

test.each(Object.entries(FAMILIES))('%s is given what it takes, and told what is left out', async (_, family) => {
  const { rig, last } = await rigWith(family);
  const id = await sent(rig, ATTACHED);
  expect(rig.turnEvents(id)).toContainEqual(expect.objectContaining({ type: 'turn_end', stopReason: 'end_turn' }));
  const parts = partsOf(last());
  expect(parts.slice(0, family.parts.length)).toEqual(family.parts);
  // What the window goes by says the same.
  const { models } = await rig.request<SettingsView>('settings.get');
  const abilities = models.find(({ isChosen }) => isChosen)?.abilities ?? [];
  const isTold = (media: MediaBlock) =>
    JSON.stringify(parts).includes(JSON.stringify(notAccepted(media).text).slice(1, -1));
  expect([abilities.includes('documents'), abilities.includes('audio')]).toEqual([!isTold(PLAN), !isTold(MEMO)]);
});

test('they are kept with the conversation, which is private then, and given again after a restart and to a retry', async () => {
  const api = await startMessagesApi({ answer });
  onTestFinished(() => api.close());
  const env = { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'sk-ant-api03-fixture' };
  const documents = () => JSON.stringify(api.requests.at(-1)?.body).split(PDF).length - 1;
  const first = new WindowRig({ env });
  const id = await sent(first, ATTACHED);
  expect(first.turnEvents(id)[0]).toMatchObject({
    attachments: [
      { kind: 'document', name: 'plan.pdf', mediaType: 'application/pdf', data: '', bytes: 30 },
      { kind: 'audio', name: 'memo.wav', mediaType: 'audio/wav', data: '', bytes: 16 },
    ],
    marks: [
      { kind: 'private', source: 'attached file plan.pdf' },
      { kind: 'private', source: 'attached file memo.wav' },
    ],
  });
  await first.close();

  const again = new WindowRig({ like: first, env });
  const { events } = await again.request<{ events: readonly Bag[] }>('conversations.open', { id });
  expect(events[0]).toMatchObject({
    attachments: [
      { kind: 'document', bytes: 30 },
      { kind: 'audio', bytes: 16 },
    ],
  });
  const { events: answered } = await again.turn('and now?', id);
  expect(answered.at(-1)).toMatchObject({ stopReason: 'end_turn' });
  expect(documents()).toBe(1);
  const before = again.turnEvents(id).length;
  await again.request('conversations.retry', { id });
  await again.turnEnded(id, before);
  expect([documents(), api.requests.length]).toEqual([1, 3]);
});

test('an attachment that the service cannot read is left out at once; the thread says which and why, also for a retry', async () => {
  const api = await startMessagesApi({ answer });
  onTestFinished(() => api.close());
  const rig = new WindowRig({ env: { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'sk-ant-api03-fixture' } });
  const data = Buffer.from('%PDF-1.7\ntrailer << /Encrypt 1 0 R >>').toString('base64');
  const isSent = () => JSON.stringify(api.requests.at(-1)?.body).includes(data);
  const id = await sent(rig, [{ kind: 'document', name: 'locked.pdf', data }]);
  const said = () => rig.turnEvents(id).find(({ code }) => code === 'files_refused');
  expect(said()).toMatchObject({ message: expect.stringMatching(/locked\.pdf.*password protected/) });
  expect([isSent(), rig.turnEvents(id).at(-1)?.stopReason]).toEqual([false, 'end_turn']);

  const before = rig.turnEvents(id).length;
  await rig.request('conversations.retry', { id });
  await rig.turnEnded(id, before);
  expect([isSent(), rig.turnEvents(id).at(-1)?.stopReason]).toEqual([false, 'end_turn']);
  expect(JSON.stringify(api.requests.at(-1)?.body)).toContain('\\"locked.pdf\\" (application/pdf) is left out');
});

test('if a refusal names no file, a retry sends the attachments again and the next message does not', async () => {
  const data = Buffer.from('%PDF-1.7\nodd').toString('base64');
  const error = { status: 400, message: 'messages.0: nonsense' };
  const api = await startMessagesApi({
    answer: ({ body }) => (JSON.stringify(body).includes(data) ? { error } : { text: 'Read.' }),
  });
  onTestFinished(() => api.close());
  const rig = new WindowRig({ env: { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'sk-ant-api03-fixture' } });
  const isSent = () => JSON.stringify(api.requests.at(-1)?.body).includes(data);
  const id = await sent(rig, [{ kind: 'document', name: 'odd.pdf', data }]);
  expect(rig.turnEvents(id).find(({ type }) => type === 'error')).toMatchObject({ code: 'bad_request' });

  const before = rig.turnEvents(id).length;
  await rig.request('conversations.retry', { id });
  await rig.turnEnded(id, before);
  expect([isSent(), rig.turnEvents(id).at(-1)?.stopReason]).toEqual([true, 'error']);

  const { events } = await rig.turn('Go on without it', id);
  expect([isSent(), events.at(-1)?.stopReason]).toEqual([false, 'end_turn']);
  expect(JSON.stringify(api.requests.at(-1)?.body)).toContain('\\"odd.pdf\\" (application/pdf) is left out');
});

test('their type is told by their bytes, and they have limits, whatever the page says', async () => {
  const rig = new WindowRig();
  const send = (...attachments: readonly Bag[]) =>
    rig.code('conversations.send', { id: null, text: 'look', attachments });
  const file = (kind: string, data: string) => ({ kind, name: 'plan.pdf', mediaType: 'application/pdf', data });
  const html = Buffer.from('<script>alert(1)</script>').toString('base64');
  expect(await send(file('document', html))).toBe('bad_attachment');
  expect(await send(file('document', WAV))).toBe('bad_attachment');
  expect(await send(file('audio', PDF))).toBe('bad_attachment');
  expect(await send(file('document', ''))).toBe('bad_attachment');
  expect(await send(file('document', '%PDF-1.7'))).toBe('bad_input');
  const large = Buffer.concat([Buffer.from('%PDF-1.7'), Buffer.alloc(10_000_000)]).toString('base64');
  expect(await send(file('document', large), file('document', large))).toBe('bad_attachment');
  expect(await rig.request<Bag[]>('conversations.list')).toEqual([]);
  const id = await sent(rig, [file('audio', MP3)]);
  expect(rig.turnEvents(id)[0]).toMatchObject({ attachments: [{ kind: 'audio', mediaType: 'audio/mpeg' }] });
});

test('one that the page attaches without the user is shown to them first', async () => {
  const rig = new WindowRig();
  rig.hasGesture = false;
  const sending = rig.code('conversations.send', { id: null, text: 'look', attachments: ATTACHED });
  const card = await rig.answer({ answer: 'deny' });
  expect(JSON.stringify(card.parts)).toContain('Attached: plan.pdf');
  expect(JSON.stringify(card.parts)).not.toContain(PDF);
  expect(await sending).toBe('not_sent');
});
