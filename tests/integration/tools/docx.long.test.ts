import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { docxParagraphs } from '../../../src-main/tools/files/docx/docx-paragraphs.ts';
import { allowAll } from '../../fixtures/allow-all.ts';
import { documentXml, docxWith, packedDocx, paragraph, zipOf } from '../../fixtures/docx.ts';
import { HOSTILE_DOCX } from '../../fixtures/hostile-docx.ts';
import { requestsAnsweredDuring } from '../../fixtures/requests-answered.ts';
import { startedThreads } from '../../fixtures/started-threads.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';

let tools: ToolHarness;
beforeEach(() => {
  tools = new ToolHarness({ consent: allowAll });
  onTestFinished(() => tools.dispose());
});

/** The text as read_file gives it. */
function textOf(docx: Uint8Array, context = {}): Promise<string> {
  tools.put('a.docx', docx);
  return tools.text('read_file', { path: 'a.docx' }, context);
}

const run = (inside: string) => `<w:p><w:r>${inside}</w:r></w:p>`;
const words = (text: string) => `<w:t xml:space="preserve">${text}</w:t>`;
/** Takes about ten seconds, of which it is given two. */
const SLOW = packedDocx(documentXml('<w:p/>'.repeat(900_000)));

test('paragraphs in document order, those in tables included', async () => {
  const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`;
  const table = `<w:tbl><w:tr>${cell('A1')}${cell('B1')}</w:tr></w:tbl>`;
  tools.put('Letter.DOCX', docxWith(paragraph('Dear all') + paragraph('') + table + paragraph('Bye')));
  expect(await tools.text('read_file', { path: 'Letter.DOCX' })).toBe('Dear all\n\nA1\nB1\nBye');
  expect(await tools.text('read_file', { path: 'Letter.DOCX', offset: 3, limit: 1 })).toBe('A1\n');
});

test('breaks, tabs, insertions and deletions are as a reader sees them', async () => {
  const body = [
    run(`${words('Main St 1')}<w:br/>${words('Vienna')}<w:tab/>${words('AT')}`),
    run('<w:br w:type="page"/>'),
    `<w:p><w:ins w:author="a"><w:r>${words('in')}</w:r></w:ins>`,
    '<w:del w:author="a"><w:r><w:delText>out</w:delText></w:r></w:del></w:p>',
    run(words('two\n\nlines')),
  ].join('');
  expect(await textOf(docxWith(body))).toBe('Main St 1\nVienna\tAT\n\nin\ntwo\n\nlines');
});

test('other content of a document does not change its text', async () => {
  const body = [
    '<?mso x?><!-- a comment -->',
    `<w:p w:rsidR="00A1" w14:paraId="1"><w:r w:rsidRPr="00A2"><w:rPr><w:rFonts w:ascii="A"/><w:b/></w:rPr>${words('looks')}</w:r></w:p>`,
    run(words('&lt;b&gt; &amp;amp; &#x41;&#13;&quot;<![CDATA[<i>&]]>')),
    run(words('a\r\nb\rc')),
    `<w:p><w:pPr><w:rPr><w:del w:author="a"/></w:rPr></w:pPr><w:r>${words('joined ')}</w:r></w:p>`,
    run(words('to the next')),
  ].join('');
  const docx = packedDocx(documentXml(body), [
    { name: 'mammoth/style-map', content: 'p => nothing that it knows' },
    { name: 'word/embeddings/inner.docx', content: SLOW },
  ]);
  expect(await textOf(docx)).toBe('looks\n<b> &amp; A\r"<i>&\na\nb\nc\njoined to the next');
});

describe('documents of Word itself, from the tests of mammoth', () => {
  const folder = join(dirname(createRequire(import.meta.url).resolve('mammoth/package.json')), 'test/test-data');
  test.each([
    ['comments', 'Ouch.'],
    ['embedded-style-map', 'Walking on imported air'],
    ['empty', ''],
    ['endnotes', 'Ouch[1].[2]\n\nEndnotes:\n[1] A tachyon walks into a bar.\n[2] Fin.'],
    ['footnote-hyperlink', ''],
    ['simple-list', 'Apple\nBanana'],
    ['strict-format', 'Test'],
    ['tables', 'Above\nTop left\nTop right\nBottom left\nBottom right\nBelow'],
    ['text-box', '\nDatum plane'],
    ['tiny-picture', ''],
    ['utf8-bom', 'This XML has a byte order mark.'],
  ])('%s', async (name, text) => {
    expect(await textOf(readFileSync(join(folder, `${name}.docx`)))).toContain(text);
  });
});

test.each(HOSTILE_DOCX)('$name is an error that says why', async ({ make, reason }) => {
  const docx = make();
  await expect(docxParagraphs(docx)).rejects.toThrow(reason);
  // On a busy machine its time may be over before it comes to that.
  expect(await textOf(docx)).toMatch(
    /^Error reading file: (?:the document cannot be read|reading the document took more|the file is (?:text|empty))/,
  );
});

test('the window is answered as long as such a document is read', async () => {
  let text = '';
  const answered = await requestsAnsweredDuring(async () => {
    text = await textOf(SLOW);
  });
  expect(text).toMatch(/took more than/);
  expect(answered).toBeGreaterThan(50);
});

test('Stop ends the reading and its thread; the next document has another', async () => {
  const threads = startedThreads();
  const stop = new AbortController();
  const reading = textOf(SLOW, { signal: stop.signal });
  // The thread of the test before has ended with its time.
  await expect.poll(() => threads).toHaveLength(1);
  stop.abort(new Error('stopped by the user'));
  expect(await reading).toBe('Error reading file: stopped by the user');
  await expect.poll(() => threads.filter(({ threadId }) => threadId !== -1)).toEqual([]);
  expect(await textOf(docxWith(paragraph('next')))).toBe('next');
});

test('a document with thousands of pictures is accepted', async () => {
  const pictures = Array.from({ length: 15_000 }, (_, index) => ({ name: `word/media/${index}.png`, content: 'x' }));
  expect(await textOf(packedDocx(documentXml(paragraph('an album')), pictures))).toBe('an album');
});

test('a zip archive in a document is not unpacked', async () => {
  const inner = zipOf([{ name: 'a', content: Buffer.alloc(60e6), isDeflated: true }]);
  const docx = packedDocx(documentXml(paragraph('outer')), [{ name: 'word/embeddings/a.zip', content: inner }]);
  expect(await textOf(docx)).toBe('outer');
});
