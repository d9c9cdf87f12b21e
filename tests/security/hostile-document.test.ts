import mammoth from 'mammoth';
import { expect, onTestFinished, test } from 'vitest';
import { allowAll } from '../fixtures/allow-all.ts';
import { documentXml, docxEntries, packedDocx, paragraph, zipOf } from '../fixtures/docx.ts';
import { requestsAnsweredDuring } from '../fixtures/requests-answered.ts';
import { ToolHarness } from '../fixtures/tool-harness.ts';

/**
 * The limit is for the processor time of all threads, because what other programs compute meanwhile is no part of the
 * promise.
 */
const PROMISED_MS = 5_000;

const processorMs = (since: NodeJS.CpuUsage) => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
};

const emptyParagraphs = (count: number) => packedDocx(documentXml('<w:p/>'.repeat(count)));

async function asReadFileGivesIt(document: Buffer): Promise<string> {
  const tools = new ToolHarness({ consent: allowAll });
  onTestFinished(() => tools.dispose());
  tools.put('hostile.docx', document);
  return tools.text('read_file', { path: 'hostile.docx' });
}

test('control: a few kB that are read in the thread which answers the window keep that from answering', async () => {
  const document = emptyParagraphs(200_000);
  expect(document.length).toBeLessThan(10_000);
  expect(await requestsAnsweredDuring(() => mammoth.extractRawText({ buffer: document }))).toBeLessThan(10);
});

test('read by a tool, one that takes all the time it is given leaves the window answered, and ends with an error', async () => {
  let text = '';
  const answered = await requestsAnsweredDuring(async () => {
    text = await asReadFileGivesIt(emptyParagraphs(900_000));
  });
  expect(text).toMatch(/^Error reading file: /);
  expect(answered).toBeGreaterThan(50);
});

const BLANKS = documentXml(paragraph(' '.repeat(350_000_000)));

test.each([
  ['350 MB of one text', packedDocx(BLANKS)],
  [
    '350 MB that it says are 100 bytes',
    zipOf(docxEntries(BLANKS).map((entry) => ({ ...entry, isDeflated: true, claimedBytes: 100 }))),
  ],
  ['60 MB of elements', emptyParagraphs(10_000_000)],
  ['as many elements as can just be read', emptyParagraphs(999_000)],
])('a small file that holds %s is an error in time', async (_, document) => {
  expect(document.length).toBeLessThan(350_000);
  const before = process.cpuUsage();
  expect(await asReadFileGivesIt(document)).toMatch(/^Error reading file: /);
  expect(processorMs(before)).toBeLessThan(PROMISED_MS);
});
