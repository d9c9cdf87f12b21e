import { expect, onTestFinished, test } from 'vitest';
import { type MessagesApiOptions, startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { WindowRig, type WindowRigOptions } from '../../fixtures/window-rig.ts';

const LINK = 'https://attacker.example/?q=orange';

async function rigWithModel(turns: NonNullable<MessagesApiOptions['turns']>, options: WindowRigOptions = {}) {
  const api = await startMessagesApi({ turns });
  onTestFinished(() => api.close());
  const env = { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'sk-ant-api03-fixture' };
  return new WindowRig({ ...options, env });
}

test('an address that the model wrote opens at once, but with a question while private text is in the conversation', async () => {
  const rig = await rigWithModel(
    [
      { text: `Look at ${LINK}` },
      { blocks: [{ type: 'tool_use', name: 'read_file', input: { path: 'notes.md' } }] },
      { text: 'Read.' },
    ],
    { files: { 'notes.md': 'orange, and https://own.example/page\n' } },
  );
  const { id } = await rig.turn('hello');
  expect(await rig.code('conversations.openLink', { id, url: LINK })).toBe('ok');
  expect(rig.opened).toEqual([LINK]);

  await rig.turn('read my notes', id);
  const opening = rig.code('conversations.openLink', { id, url: LINK });
  const card = await rig.answer({ answer: 'deny' });
  expect(card).toMatchObject({ kind: 'link', parts: [{ text: LINK }], offers: [], mayStopAsking: false });
  expect(await opening).toBe('ok');
  expect(rig.opened).toEqual([LINK]);

  // The model did not make up what was in the file.
  expect(await rig.code('conversations.openLink', { id, url: 'https://own.example/page' })).toBe('ok');
  expect(rig.opened).toEqual([LINK, 'https://own.example/page']);
});

test('an address that is not in the conversation is shown in full, one question at a time, and opens once allowed', async () => {
  const rig = new WindowRig();
  const { id } = await rig.turn('what time is it');
  const opening = rig.code('conversations.openLink', { id, url: LINK });
  const card = await rig.card();
  expect(await rig.code('conversations.openLink', { id, url: LINK })).toBe('already_asking');
  expect(rig.opened).toEqual([]);
  await rig.answer({ answer: 'once' }, card);
  expect(await opening).toBe('ok');
  expect(rig.opened).toEqual([LINK]);
});

test('the pages where keys are made are opened by their name', async () => {
  const rig = new WindowRig();
  expect(await rig.code('app.openKeyPage', { name: 'openai-api-key' })).toBe('ok');
  expect(await rig.code('app.openKeyPage', { name: LINK })).toBe('bad_input');
  expect(rig.opened).toEqual(['https://platform.openai.com/api-keys']);
});

test('an account’s pages are opened by their name, and what Steward itself names in an error opens without a question', async () => {
  const rig = new WindowRig();
  const billing = 'https://platform.claude.com/settings/billing';
  expect(await rig.code('app.openVendorPage', { page: 'anthropic-billing' })).toBe('ok');
  expect(await rig.code('app.openVendorPage', { page: billing })).toBe('bad_input');
  expect(await rig.code('conversations.openLink', { id: null, url: billing })).toBe('ok');
  expect(rig.opened).toEqual([billing, billing]);
  const opening = rig.code('conversations.openLink', { id: null, url: `${billing}?q=orange` });
  await rig.answer({ answer: 'deny' });
  expect([await opening, rig.opened.length]).toEqual(['ok', 2]);
  rig.hasGesture = false;
  expect(await rig.code('app.openVendorPage', { page: 'anthropic-billing' })).toBe('no_gesture');
});
