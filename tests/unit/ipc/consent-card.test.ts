import { expect, test } from 'vitest';
import { consentCard } from '../../../src-main/ipc/consent/consent-card.ts';
import type { ToolConsentRequest } from '../../../src-main/policy/consent.ts';
import { DiffPreview } from '../../../src-main/policy/diff-preview.ts';
import { decisionReasonText } from '../../../src-preload/contract/decision-reason.ts';

const REQUEST: ToolConsentRequest = {
  kind: 'tool',
  id: 'question',
  reason: { code: 'send' },
  tool: 'send_mail',
  input: { to: ['ada@example.com'], body: 'Hi\u200b' },
  access: [{ class: 'send', recipients: ['ada@example.com', 'bob@example.com'], text: 'Hi' }],
  classes: ['send'],
  previews: [{ kind: 'text', title: 'The mail', text: 'Dear Ada,\u202e\nHi' }],
  marks: [
    { kind: 'untrusted', source: 'https://example.org' },
    { kind: 'private', source: 'file notes.md' },
    { kind: 'private', source: 'file notes.md' },
  ],
  offers: [],
  boundTo: 'hash',
  conversationId: 'c',
};

test('recipients, texts, what was read and all arguments are on the card, with hidden characters shown', async () => {
  expect(await consentCard(REQUEST, 'Mail\u202e to Ada')).toEqual({
    id: 'question',
    kind: 'tool',
    title: 'Send to 2 recipients?',
    reason: decisionReasonText({ code: 'send' }),
    tool: 'send_mail',
    parts: [
      { kind: 'access', class: 'send', text: 'send to ada@example.com, bob@example.com:\nHi' },
      { kind: 'text', title: 'The mail', text: 'Dear Ada,⟨U+202E⟩\nHi' },
      { kind: 'argument', name: 'to', text: '[\n  "ada@example.com"\n]' },
      { kind: 'argument', name: 'body', text: 'Hi⟨U+200B⟩' },
    ],
    marks: ['https://example.org (from outside)', 'file notes.md (private)'],
    offers: [],
    conversationTitle: 'Mail⟨U+202E⟩ to Ada',
  });
});

test('the card of a permission grant shows the exact value that would take effect, and the one that stands', async () => {
  const value = { command: 'npx', args: ['-y', 'server'], env: { A: '1' } };
  const card = await consentCard(
    {
      ...{ kind: 'grant', id: 'q', reason: 'mcpServers.files was changed.', subject: 'mcp-server' },
      ...{ key: 'mcpServers.files', value, previous: 'npx old' },
    },
    null,
  );
  expect(card).toMatchObject({ kind: 'grant', title: 'Use this server?', tool: null, offers: [], marks: [] });
  expect(card.parts).toEqual([
    { kind: 'argument', name: 'mcpServers.files', text: JSON.stringify(value, null, 2) },
    { kind: 'text', title: 'Now it is', text: 'npx old' },
  ]);
});

test('a long argument is complete on the card', async () => {
  const long = 'a line of text\n'.repeat(50_000);
  const { parts } = await consentCard({ ...REQUEST, input: { long } }, null);
  expect(parts.at(-1)).toEqual({ kind: 'argument', name: 'long', text: long });
});

test('an undo card shows what goes back, and what stays and why, one per line', async () => {
  const refused = [
    { path: '/w/b\n.txt', reason: 'deleted since' },
    { path: 'bash', reason: 'what it did cannot be undone from here' },
  ];
  const preview = new DiffPreview({ path: '/w/a.txt', before: 'new', after: '', note: 'It is deleted.' });
  const card = await consentCard(
    {
      ...{ kind: 'undo', id: 'q', reason: 'This takes back what write_file did.', subject: 'turn', boundTo: 'hash' },
      ...{ conversationId: 'c', previews: [preview], refused },
    },
    'A title',
  );
  expect(card).toMatchObject({
    kind: 'undo',
    title: 'Undo this turn?',
    tool: null,
    offers: [],
    conversationTitle: 'A title',
  });
  expect(card.parts).toMatchObject([
    { kind: 'diff', path: '/w/a.txt', note: 'It is deleted.' },
    {
      ...{ kind: 'text', title: 'What stays as it is' },
      text: '/w/b⟨U+000A⟩.txt: deleted since\nbash: what it did cannot be undone from here',
    },
  ]);
});
