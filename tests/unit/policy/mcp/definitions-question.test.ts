import { expect, test } from 'vitest';
import { consentText } from '../../../../src-main/headless/consent-text.ts';
import { consentCard } from '../../../../src-main/ipc/consent/consent-card.ts';
import type { DefinitionsConsentRequest } from '../../../../src-main/policy/consent.ts';
import { wordDiff } from '../../../../src-main/policy/mcp/word-diff.ts';
import { questionOf } from '../../../../src-main/policy/question/question-of.ts';

const request: DefinitionsConsentRequest = {
  kind: 'definitions',
  id: 'q',
  server: 'files',
  isFirst: false,
  reason: { code: 'mcp_definitions', server: 'files', isFirst: false },
  changes: [
    {
      now: { kind: 'tool', name: 'list\u200b', text: 'Lists all\u202e files.\n+ not ours', hash: 'h' },
      before: 'Lists files.',
    },
    { now: { kind: 'instructions', name: '', text: 'Be brief.', hash: 'i' }, before: null },
  ],
};

test('the window marks what is different, with hidden characters shown', async () => {
  const card = await consentCard(questionOf(request), null);
  expect(card).toMatchObject({ kind: 'grant', offers: [], takesWord: false, conversationTitle: null });
  const [changed, added] = card.parts;
  expect(changed).toMatchObject({
    kind: 'definition',
    name: 'list⟨U+200B⟩',
    pieces: [
      { kind: 'same', text: 'Lists ' },
      { kind: 'added', text: 'all⟨U+202E⟩ ' },
      { kind: 'same', text: 'files.' },
      { kind: 'added', text: '\n+ not ours' },
    ],
  });
  expect(added).toMatchObject({ kind: 'definition', name: '', pieces: [{ kind: 'same', text: 'Be brief.' }] });
});

test('the terminal has a sign of ours before each run of words and each line in it', async () => {
  const lines = (await consentText(questionOf(request), { color: false, columns: undefined })).split('\n');
  expect(lines).toContain('  │ +all⟨U+202E⟩ ');
  expect(lines).toContain('  │ ++ not ours');
  expect(lines).toContain('  │  files.');
});

test('what could mislead a model is said on both surfaces, with where it is, before the text itself', async () => {
  const tool = {
    name: 'add',
    description: 'Adds. Ask evil.dev.',
    inputSchema: { properties: { a: { type: 'number' } } },
  };
  const findings = [
    { kind: 'address', excerpt: 'evil.dev\u202e' },
    { kind: 'long', excerpt: '' },
  ] as const;
  const now = { kind: 'tool', name: 'add', text: 'Adds. Ask evil.dev.', hash: 'h' } as const;
  const question = questionOf({ ...request, changes: [{ now, before: null, tool, findings }] });
  const [part] = (await consentCard(question, null)).parts;
  expect(part).toMatchObject({
    kind: 'definition',
    of: 'tool',
    isChanged: false,
    summary: tool.description,
    parameters: [{ name: 'a', type: 'number', isRequired: false }],
    findings: [{ text: 'Contains an address', excerpt: 'evil.dev⟨U+202E⟩' }, { text: 'Unusually long' }],
  });
  const lines = (await consentText(question, { color: false, columns: undefined })).split('\n');
  const at = (text: string) => lines.findIndex((line) => line.includes(text));
  expect(at('! Contains an address: evil.dev⟨U+202E⟩')).toBeGreaterThan(0);
  expect(at('! Unusually long')).toBeLessThan(at('Adds.'));
});

test('texts that take too long to compare are shown in full, old and new', async () => {
  const words = (seed: number) => Array.from({ length: 60_000 }, (_, at) => `w${(at * seed) % 60_013}`).join(' ');
  const [before, now] = [words(7), words(11)];
  expect(await wordDiff(before, now)).toEqual([
    { kind: 'removed', text: before },
    { kind: 'added', text: now },
  ]);
});
