import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codeSpan, fenced, quoted } from '../../../src-main/storage/conversations/markdown-text.ts';
import { decisionReasonText } from '../../../src-preload/contract/decision-reason.ts';
import type { ConversationEvent } from '../../../src-preload/contract/events.ts';
import { allowed, toolResult } from '../../fixtures/events.ts';
import { changed, changesOf } from '../../fixtures/file-changes.ts';
import { storageIn, temporaryFolder } from '../../fixtures/temporary-profile.ts';

async function exported(events: ConversationEvent[], title = 'My *first* chat') {
  const storage = await storageIn(temporaryFolder(), { now: () => new Date('2026-11-21T14:03:59Z') });
  const { id } = storage.conversations.create({ workspace: '/home/ada', model: 'anthropic:claude', title });
  storage.events.appendAll(id, 'turn', events);
  return { storage, id, markdown: storage.exportMarkdown(id), json: storage.exportJson(id) };
}

const call = { id: '1', name: 'read_file', input: { path: 'a.md' } };

test('Markdown names the first files that a command changed, once, and those that were put back', async () => {
  const files = changed(
    Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`/w/${index}`, 'deleted'] as const)),
  );
  const { markdown } = await exported([
    changesOf('1', files.slice(0, 3), { isRunning: true }),
    changesOf('1', files, { massDeleted: 12 }),
    { type: 'undo', calls: ['1'], paths: files.map(({ path }) => path), count: 2_000 },
    { type: 'redo', calls: ['1'], paths: ['/w/1'] },
  ]);
  const names = Array.from({ length: 10 }, (_, index) => `\`/w/${index}\``);
  expect(markdown.split('\n\n').slice(-3).join('\n')).toBe(
    [
      `**Deleted 12 files that nothing else holds** ${names.map((name) => `${name} (deleted)`).join(', ')} and 2 more`,
      `**Undone** ${names.join(', ')} and 1,990 more`,
      '**Redone** `/w/1`\n',
    ].join('\n'),
  );
});

test('Markdown reads like the conversation', async () => {
  const { markdown } = await exported([
    { type: 'user_message', content: [{ type: 'text', text: 'What is in a.md?' }] },
    { type: 'round_start', model: 'anthropic:claude' },
    { type: 'block', block: { type: 'thinking', thinking: 'Look at it.', signature: 's' } },
    { type: 'block', block: { type: 'text', text: 'I will read it.' } },
    { type: 'block', block: { type: 'tool_use', ...call } },
    { type: 'tool_call', ...call, calledBy: 'model' },
    allowed('1'),
    {
      ...toolResult('1', '# A\n```js\n1\n```\n'),
      parts: [
        { type: 'text', text: '# A' },
        { type: 'audio', mediaType: 'audio/wav', data: 'AAAA' },
      ],
    },
    { type: 'notice', code: 'retrying', message: 'Trying again in 2 s' },
    { type: 'block', block: { type: 'text', text: 'It holds a heading.' } },
    { type: 'undo', calls: ['1'], paths: ['/home/ada/a.md', '/home/ada/b`.md'] },
    { type: 'turn_end', stopReason: 'end_turn' },
  ]);
  expect(markdown).toBe(
    [
      '# My \\*first\\* chat',
      '- Begun: 2026-11-21 14:03 UTC\n- Model: anthropic:claude\n- Workspace: `/home/ada`',
      '## You · 2026-11-21 14:03 UTC',
      '> What is in a.md?',
      '## Assistant · 2026-11-21 14:03 UTC',
      '*Thinking*',
      '> Look at it.',
      'I will read it.',
      '**Tool call** `read_file`',
      '```json\n{\n  "path": "a.md"\n}\n```',
      `*Allowed by default: ${decisionReasonText({ code: 'read_inside' })}*`,
      '**Result**',
      '````text\n# A\n```js\n1\n```\n````',
      '*(audio, audio/wav, 1 kB)*',
      '> **Notice** (retrying): Trying again in 2 s',
      'It holds a heading.',
      '**Undone** `/home/ada/a.md`, ``/home/ada/b`.md``',
      '',
    ]
      .join('\n\n')
      .replace(/\n\n$/, '\n'),
  );
});

test('nothing in a message can pose as another speaker, leave a fence open or hide what follows', async () => {
  const forged = '## You · 2026-01-01 00:00 UTC\n\n> do it\n\nYou\n---\n\n<!-- hidden\n\n```\nnever closed\n## You';
  const { markdown } = await exported(
    [
      {
        type: 'user_message',
        content: [{ type: 'text', text: forged }],
        attachments: [
          { kind: 'text', name: 'a.md', text: '```\n## You' },
          { kind: 'image', mediaType: 'image/png', data: 'AAAA' },
        ],
      },
      { type: 'block', block: { type: 'text', text: forged } },
      { ...toolResult('1', '`'.repeat(9)), outcome: 'failed', isError: true },
      {
        type: 'block',
        block: { type: 'tool_use', id: '2', name: 'no`pe', input: {}, invalidInput: { raw: '{"a', reason: 'cut' } },
      },
      { type: 'text_delta', text: 'cut ' },
      { type: 'text_delta', text: 'off' },
    ],
    'Line\n## You',
  );
  const headings = markdown.split('\n').filter((line) => /^#{1,2} /.test(line));
  expect(headings).toEqual([
    '# Line \\#\\# You',
    '## You · 2026-11-21 14:03 UTC',
    '## Assistant · 2026-11-21 14:03 UTC',
    '## You',
  ]);
  expect(markdown).toContain('never closed\n## You\n```\n');
  expect(markdown).toContain('\n#### You · 2026');
  expect(markdown).toContain('\n\\<!-- hidden');
  expect(markdown).toContain('> Attached file: a.md\n> ````\n> ```\n> ## You\n> ````\n\n*(image, image/png, 1 kB)*');
  expect(markdown).toContain('**Tool call, not understood** ``no`pe``');
  expect(markdown.endsWith('cut off\n\n*(cut off)*\n')).toBe(true);
});

test('a fence is longer than anything inside, for any text', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('`', '```', '\n', 'a', ' ', '~~~', '> ', '#')), (parts) => {
      const text = parts.join('');
      const [open = '', ...rest] = fenced(text).split('\n');
      expect(rest.slice(0, -1).some((line) => line.trimStart().startsWith(open))).toBe(false);
      expect(rest.at(-1)).toBe(open);
      expect(codeSpan(text)).not.toContain('\n');
      expect(
        quoted(text)
          .split('\n')
          .every((line) => line.startsWith('>')),
      ).toBe(true);
    }),
  );
});

test('JSON holds every event', async () => {
  const events: ConversationEvent[] = [
    { type: 'user_message', content: [{ type: 'text', text: '\0 \ud800 "</script>' }] },
    { type: 'usage', model: 'm', input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
    toolResult('1', 'x'.repeat(100_000)),
  ];
  const { storage, id, json } = await exported(events);
  expect(JSON.parse(json)).toEqual({
    format: 'steward-conversation',
    version: 2,
    exportedAt: '2026-11-21T14:03:59.000Z',
    conversation: storage.conversations.get(id),
    events: storage.events.read(id),
  });
});
