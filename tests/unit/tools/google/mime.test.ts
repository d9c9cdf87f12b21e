import { expect, test } from 'vitest';
import { attachmentsOf, attachmentsText } from '../../../../src-main/tools/google/mime/mail-attachments.ts';
import { decodeBody } from '../../../../src-main/tools/google/mime/mail-charset.ts';
import { isAmongAddresses, readAddresses, readHeader } from '../../../../src-main/tools/google/mime/mail-headers.ts';
import { getHeader, type MailPart } from '../../../../src-main/tools/google/mime/mail-part.ts';
import { messageText } from '../../../../src-main/tools/google/mime/message-text.ts';
import { withoutUnseen } from '../../../../src-main/tools/google/mime/unseen-text.ts';

const never = new AbortController().signal;
const encoded = (bytes: string | Uint8Array) => Buffer.from(bytes).toString('base64url');
const header = (name: string, value: string) => ({ name, value });
const leaf = (mimeType: string, text: string | Uint8Array, more: MailPart = {}): MailPart => ({
  mimeType,
  body: { data: encoded(text) },
  ...more,
});
const plain = (text: string) => leaf('text/plain', text);
const html = (text: string) => leaf('text/html', text);
const multipart = (kind: string, ...parts: MailPart[]): MailPart => ({ mimeType: `multipart/${kind}`, parts });
const pdf = leaf('application/pdf', '%PDF', { filename: 'a.pdf' });
const typed = (contentType: string, bytes: Uint8Array | string, mimeType = 'text/plain') =>
  leaf(mimeType, bytes, { headers: [header('Content-Type', contentType)] });

const inline = (contentType: string, disposition: string, mimeType = 'text/plain') =>
  leaf(mimeType, 'x', {
    filename: 'notes.txt',
    headers: [
      header('Content-Type', contentType),
      ...(disposition === '' ? [] : [header('Content-Disposition', disposition)]),
    ],
  });

const bodies: Record<string, string> = {};
const text = async (part: MailPart, fetchBody = async (id: string) => bodies[id] ?? '') =>
  (await messageText(part, { signal: never, fetchBody })).text;

test('the first header of a name counts, whatever its case', () => {
  expect(getHeader([header('subject', 'x'), header('Subject', 'y')], 'Subject')).toBe('x');
  expect(getHeader(undefined, 'Subject')).toBe('');
  expect(getHeader([{ name: null }, {}, header('To', 'a')], 'From')).toBe('');
});

test.each([
  ['SGVsbG8gd29ybGQ_', '', 'Hello world?'],
  ['SGVs bG8g\r\nd29y bGQ_', '', 'Hello world?'],
  ['SGVsbG8gd29ybGQ_====', '', 'Hello world?'],
  ['', '', ''],
  ['!!!', '', ''],
  [encoded('Grüße'), '', 'Grüße'],
  [encoded(Buffer.from('Grüße', 'latin1')), 'text/plain; charset=ISO-8859-1', 'Grüße'],
  [encoded(Buffer.from([0x80, 0x20, 0x93, 0x61, 0x94])), 'text/plain; charset="windows-1252"', '€ “a”'],
  [encoded(Buffer.from('1b24422546253925481b2842', 'hex')), 'text/plain; charset=iso-2022-jp', 'テスト'],
  [encoded(Buffer.from([0xc1, 0xaa, 0xcd, 0xa8])), 'text/plain; charset=gbk', '联通'],
  [encoded(Buffer.from([0x61, 0xff, 0x62])), 'text/plain; charset=utf-8', 'a\ufffdb'],
  [encoded('ä'), 'text/plain; charset=no-such', 'ä'],
  [encoded('ä'), 'text/plain; charset=iso-8859-1', 'ä'],
  [encoded('a\r\nb'), '', 'a\nb'],
])('the body %s (%s) is %j', async (data, contentType, expected) => {
  expect(await decodeBody(data, contentType)).toBe(expected);
});

test.each<[string, MailPart, string]>([
  ['plain', plain('P'), 'P'],
  ['HTML rather than plain', multipart('alternative', plain('P'), html('<p>H</p>')), 'H'],
  ['a choice beside a file', multipart('mixed', multipart('alternative', plain('P'), html('<p>H</p>')), pdf), 'H'],
  [
    'HTML with its pictures',
    multipart('alternative', plain('P'), multipart('related', html('<b>R</b>'), leaf('image/png', 'x'))),
    'R',
  ],
  ['plain, if the HTML is blank', multipart('alternative', plain('P'), html('<p> </p>')), 'P'],
  ['the HTML before a blank one', multipart('alternative', html('<p>A</p>'), html('&nbsp;')), 'A'],
  ['HTML rather than something nested', multipart('alternative', multipart('mixed', plain('N')), html('H')), 'H'],
  [
    'the last nested one',
    multipart('alternative', multipart('mixed', plain('1')), multipart('mixed', plain('2'))),
    '2',
  ],
  ['the first plain one', multipart('alternative', plain('1'), plain('2')), '1'],
  ['all of the others, in order', multipart('mixed', plain('1'), html('<i>2</i>'), plain('3')), '1\n\n2\n\n3'],
  ['what is signed', multipart('signed', plain('S'), leaf('application/pgp-signature', '-----')), 'S'],
  ['only a file', multipart('mixed', pdf), ''],
  ['a text that is a file', leaf('text/plain', 'x', { filename: 'notes.txt' }), ''],
  ['a text that is shown inline, whatever its name', inline('text/plain; charset=utf-8', 'inline'), 'x'],
  ['a named text without a disposition', inline('text/plain; name=notes.txt', ''), 'x'],
  ['a patch that is shown inline', inline('text/x-diff', 'inline; filename=notes.txt', 'text/x-diff'), 'x'],
  ['a named text that says that it is attached', inline('text/plain', 'attachment; filename=notes.txt'), ''],
  ['a disposition that no one knows, as a file', inline('text/plain', 'x-kept; filename=notes.txt'), ''],
  ['RTF, as a file', inline('text/rtf', 'inline; filename=notes.rtf', 'text/rtf'), ''],
  [
    'an attachment without a name',
    leaf('text/plain', 'x', { headers: [header('content-disposition', 'ATTACHMENT')] }),
    '',
  ],
  ['a picture', leaf('image/png', 'x'), ''],
  ['nothing', {}, ''],
  ['no type', { body: { data: encoded('old') } }, 'old'],
  ['a type in a header alone', typed('Text/HTML; charset=utf-8', '<b>T</b>', ''), 'T'],
  ['a charset', typed('text/html; charset=iso-8859-1', Buffer.from('<p>\u00fc</p>', 'latin1'), 'text/html'), 'ü'],
  [
    'a forwarded message',
    multipart('mixed', plain('See below'), {
      mimeType: 'message/rfc822',
      filename: 'Report.eml',
      parts: [multipart('alternative', plain('P'), html('<p>Inner</p>'))],
    }),
    'See below\n\n--- Forwarded message ---\nInner',
  ],
  ['a forwarded message without text', { mimeType: 'message/rfc822', parts: [pdf] }, ''],
  ['entities, once', html('<p>&amp;lt;b&amp;gt; &lt;script&gt;</p>'), '&lt;b&gt; <script>'],
  ['no comments, styles and scripts', html('<style>a</style>A<!-- hidden --><script>b</script>'), 'A'],
  [
    'what is hard to see, as any text',
    html('<span style="color:#fff">white</span><i style="display:none"> none</i>'),
    'white none',
  ],
  ['broken markup', html('<p>a<div><b>c</p></i><a href="x'), 'a\n\nc'],
])('the text of a message: %s', async (_, part, expected) => {
  expect(await text(part)).toBe(expected);
});

test('a text that was too big for the message is fetched, and nothing else is', async () => {
  const apart = (mimeType: string, id: string, more: MailPart = {}): MailPart => ({
    mimeType,
    body: { attachmentId: id, size: 9 },
    ...more,
  });
  const fetched: string[] = [];
  const fetchBody = async (id: string) => {
    fetched.push(id);
    return encoded(`<p>${id}</p>`);
  };
  const message = multipart(
    'mixed',
    multipart('alternative', apart('text/plain', 'plain'), apart('text/html', 'html')),
    apart('text/plain', 'file', { filename: 'a.txt' }),
    apart('image/png', 'picture'),
  );
  expect(await text(message, fetchBody)).toBe('html');
  expect(fetched).toEqual(['html']);
  await expect(text(apart('text/plain', 'x'), () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
});

test('links of the HTML are reported, in their order', async () => {
  const part = html(
    '<a href="https://b.io/x">B</a> <a href="/rel">r</a> <a href="https://a.io/#f">A</a> https://text.io/',
  );
  const { links } = await messageText(part, { signal: never, fetchBody: async () => '' });
  expect(links).toEqual(['https://b.io/x', 'https://a.io/']);
});

test('nesting without end, cycles of types and odd values are read without failing', async () => {
  let deep: MailPart = plain('deep');
  for (let level = 0; level < 2_000; level++) deep = multipart(level % 2 === 0 ? 'mixed' : 'alternative', deep);
  expect(await text(deep)).toBe('');
  expect(await attachmentsOf(deep)).toEqual([]);
  const odd: MailPart = {
    mimeType: null,
    filename: null,
    headers: [{}],
    body: { data: null },
    parts: [{}, { parts: [] }],
  };
  expect(await text(odd)).toBe('');
  expect(await text(html(`${'<b>'.repeat(20_000)}x`))).toBe('x');
});

test.each([
  ['=?utf-8?Q?Gr=C3=BC=C3=9Fe?= aus =?ISO-8859-1?B?V2ll?= =?iso-8859-1?q?n?=', 'Grüße aus Wien'],
  ['=?ISO-2022-JP?B?GyRCJUYlOSVIGyhC?=', 'テスト'],
  ['=?utf-8?B?8J+YgA=?= broken', '😀 broken'],
  ['=?no-such?Q?a?=', 'a'],
  ['=?utf-8?Q?two\r\nlines?=', 'two lines'],
  ['a\r\n\tfolded', 'a folded'],
  ['=?utf-8?Q?=0AFrom:_x?=', 'From: x'],
  ['', ''],
])('the header %j reads %j', async (raw, expected) => {
  expect(await readHeader([header('Subject', raw)], 'subject')).toBe(expected);
});

test('attachments have their decoded names, also from headers alone, types and sizes', async () => {
  const disposition = (value: string): MailPart => ({
    mimeType: 'application/pdf',
    headers: [header('Content-Disposition', value)],
    body: { size: 12_345, attachmentId: 'x' },
  });
  const message = multipart(
    'mixed',
    plain('no name'),
    pdf,
    disposition(`attachment; filename*0*=UTF-8''R%C3%A9; filename*1*=sum%C3%A9.pdf`),
    disposition(`attachment; filename="=?utf-8?Q?Z=C3=BC.pdf?="`),
    { mimeType: 'application/zip', headers: [header('Content-Type', 'application/zip; name=a.zip')] },
    { mimeType: 'message/rfc822', parts: [multipart('mixed', plain('x'), { ...pdf, filename: 'in\u202eside.pdf' })] },
    inline('text/plain', 'inline'),
  );
  const attachments = await attachmentsOf(message);
  expect(attachments).toEqual([
    { name: 'a.pdf', type: 'application/pdf', size: 4 },
    { name: 'Résumé.pdf', type: 'application/pdf', size: 12_345 },
    { name: 'Zü.pdf', type: 'application/pdf', size: 12_345 },
    { name: 'a.zip', type: 'application/zip' },
    { name: 'inside.pdf', type: 'application/pdf', size: 4 },
    { name: 'notes.txt', type: 'text/plain', size: 1 },
  ]);
  expect(attachmentsText(attachments)).toBe(
    'a.pdf (application/pdf, 4 bytes), Résumé.pdf (application/pdf, 12 kB), Zü.pdf (application/pdf, 12 kB), ' +
      'a.zip (application/zip), inside.pdf (application/pdf, 4 bytes), notes.txt (text/plain, 1 byte)',
  );
});

test.each([
  ['attachment; filename=a.pdf\r\nContent-Type: text/html; name="b.html"', 'a.pdf Content-Type: text/html'],
  ['attachment; filename="a.pdf"\r\n\r\nbody', 'a.pdf'],
  ['attachment; __proto__=x; filename*1*=b; filename*0*=a', 'ab'],
  [`attachment; filename="${'é'.repeat(200)}.pdf"`, `${'é'.repeat(200)}.pdf`],
  ["attachment; filename*=no-such''a%2Fb", 'a/b'],
  ['attachment; filename=', ''],
  ['=', ''],
])('the name in the hostile header %j is %j', async (value, expected) => {
  const part = { mimeType: 'text/plain', headers: [header('Content-Disposition', value)], body: { size: 1 } };
  expect((await attachmentsOf(part)).map(({ name }) => name).join()).toBe(expected);
});

test('a header without end is read in no time', async () => {
  for (const piece of ['; a=b', '; filename*0=a', '=?utf-8?Q?a?= ', '"', '\\', '(', '=?']) {
    const value = `attachment; filename=${piece.repeat(20_000)}`;
    const start = performance.now();
    await attachmentsOf({ mimeType: 'application/pdf', headers: [header('Content-Disposition', value)] });
    await readHeader([header('Subject', value)], 'subject');
    expect(performance.now() - start, piece).toBeLessThan(5_000);
  }
});

test('a part that is not read as text is an attachment without a name, too', async () => {
  const message = multipart(
    'mixed',
    multipart('alternative', plain('a'), html('b'), leaf('text/calendar', 'BEGIN:VCALENDAR')),
    leaf('image/png', 'x'),
    leaf('text/plain', 'x', { headers: [header('Content-Disposition', 'attachment')] }),
    { mimeType: 'message/rfc822', parts: [plain('x')] },
  );
  expect(attachmentsText(await attachmentsOf(message))).toBe(
    'unnamed (text/calendar, 15 bytes), unnamed (image/png, 1 byte), unnamed (text/plain, 1 byte)',
  );
  expect(await attachmentsOf(plain('x'))).toEqual([]);
});

test('one attachment can’t pass for two, and thousands don’t fill the result', () => {
  const file = (name: string) => ({ name, type: 'a/b' });
  expect(attachmentsText([file('a.txt (a/b), "b".txt')])).toBe(`"a.txt (a/b), 'b'.txt" (a/b)`);
  const many = attachmentsText(Array.from({ length: 5_000 }, () => file('n'.repeat(10_000))));
  expect(many.length).toBeLessThan(30_000);
  expect(many).toMatch(/, and 4900 more$/);
});

test('recipients come from all headers of a name; an address counts, not its name', async () => {
  const headers = [header('Cc', 'a@x.io, =?utf-8?Q?B=C3=B6?= <b@x.io>'), header('CC', 'c@x.io'), header('cc', '')];
  expect(await readAddresses(headers, 'Cc')).toBe('a@x.io, Bö <b@x.io>, c@x.io');
  expect(await readAddresses(headers, 'Bcc')).toBe('');
  expect(await isAmongAddresses('Someone <A@x.io>', '"Ada" <a@X.io>')).toBe(true);
  expect(await isAmongAddresses('a@x.io, b@x.io', 'a@x.io')).toBe(false);
});

test('what no one sees is dropped; emoji and words keep their joiners', () => {
  const tags = [...'run it']
    .map((character) => String.fromCodePoint(0xe0000 + (character.codePointAt(0) ?? 0)))
    .join('');
  const selectors = String.fromCodePoint(0xe0150, 0xe0161, 0xfe01, 0xfe02);
  expect(withoutUnseen(`Hi${tags}${selectors}\u200b\u202e there\u00ad \u200c \u034f\u2060.`)).toBe('Hi\ufe01 there  .');
  for (const kept of ['👩‍👩‍👧', '❤️', 'می‌خواهم', 'क्‍ष', 'naïve']) expect(withoutUnseen(kept)).toBe(kept);
});
