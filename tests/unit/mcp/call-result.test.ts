import { expect, test } from 'vitest';
import { callResult, resultText } from '../../../src-main/mcp/calls/call-result.ts';
import { mcpTool } from '../../../src-main/mcp/mcp-tool.ts';
import type { ToolContext, ToolResult } from '../../../src-main/tools/contract.ts';

const PICTURE = Buffer.alloc(30_000, 'picture').toString('base64');
const PDF = Buffer.from('%PDF-1.7 and so on').toString('base64');
const image = { type: 'image', mimeType: 'image/png', data: PICTURE };

function textOf(...content: readonly unknown[]) {
  return (structuredContent?: unknown) => resultText(callResult({ content, structuredContent }));
}

async function resultOf(content: readonly unknown[]): Promise<ToolResult> {
  const facts = { server: 'files', text: 'outside', remoteHost: null, classes: {} } as const;
  const tool = { name: 'read', description: 'Reads.', inputSchema: { type: 'object' as const }, annotations: {} };
  const call = async () => callResult({ content });
  const context = { signal: new AbortController().signal, conversationId: 'c' } as unknown as ToolContext;
  const { execute } = await mcpTool({ name: 'files', call }, tool, () => facts)
    .prepare({})
    .assess(context);
  return execute(context);
}

test('a picture that structured content repeats is sent once', () => {
  const text = '[image: image/png, 30000 bytes]';
  expect(textOf(image)({ content: [image] })).toBe(text);
  expect(textOf(image)({ mimeType: 'image/png', data: `data:image/png;base64,${PICTURE}` })).toBe(text);
  expect(textOf(image)({ width: 30, picture: image })).toBe(`${text}\n{"width":30}`);
  expect(textOf(image, { type: 'text', text: `It is ${PICTURE}.` })()).toBe(`${text}\nIt is ${text}.`);
});

test('other Base64 in structured content is named with its size, and what is none stays', () => {
  expect(textOf()({ file: PICTURE })).toBe('{"file":"[Base64, 30000 bytes]"}');
  const inLines = PICTURE.replaceAll(/.{76}/g, '$&\r\n');
  expect(textOf()({ file: inLines })).toBe('{"file":"[Base64, 30000 bytes]"}');
  expect(textOf()([`data:text/csv;charset=utf-8;base64,${PICTURE}`])).toBe('["[text/csv, 30000 bytes]"]');
  const short = Buffer.alloc(300).toString('base64');
  const prose = 'Not one word of this is Base64. '.repeat(100);
  const words = 'alpha\nbeta\ngamma\n'.repeat(200);
  const kept = { short, prose, words, empty: [], none: null, nested: { size: 3 } };
  expect(textOf()(kept)).toBe(JSON.stringify(kept));
  expect(textOf({ type: 'text', text: 'a' })(kept)).toBe('a');
});

test('a link says what the server says about it', () => {
  const link = { type: 'resource_link', uri: 'file:///sales/2026', name: 'Sales of 2026' };
  expect(textOf(link)()).toBe('[resource: file:///sales/2026] Sales of 2026');
  expect(textOf({ ...link, name: '2026' })()).toBe('[resource: file:///sales/2026]');
  const more = { description: 'All sales', mimeType: 'text/csv', size: 1_200 };
  expect(textOf({ ...link, ...more })()).toBe(
    '[resource: file:///sales/2026] Sales of 2026: All sales (text/csv, 1200 bytes)',
  );
});

test('an embedded blob is a part of the result, by its type', async () => {
  const blob = (uri: string, mimeType: string | undefined, data: string) => ({
    type: 'resource',
    resource: { uri, blob: data, ...(mimeType === undefined ? {} : { mimeType }) },
  });
  const { text, parts } = await resultOf([
    { type: 'text', text: `Here: ${PDF}` },
    blob('file:///reports/May%202026.pdf?x=1', 'application/pdf', PDF),
    blob('screen://1', 'image/png', PICTURE),
    blob('note://voice', 'audio/wav', 'UklGRg=='),
    blob('data://', undefined, 'AAAA'),
    blob('empty://', 'text/plain', ''),
  ]);
  expect(text.split('\n')).toEqual([
    expect.stringMatching(/^Here: /),
    '[resource: file:///reports/May%202026.pdf?x=1] (application/pdf, 18 bytes)',
    '[resource: screen://1] (image/png, 30000 bytes)',
    '[resource: note://voice] (audio/wav, 4 bytes)',
    '[resource: data://] (3 bytes)',
    '[resource: empty://] (text/plain, 0 bytes)',
  ]);
  expect(parts?.filter(({ type }) => type !== 'text')).toEqual([
    { type: 'document', mediaType: 'application/pdf', data: PDF, name: 'May 2026.pdf' },
    { type: 'image', mediaType: 'image/png', data: PICTURE },
    { type: 'audio', mediaType: 'audio/wav', data: 'UklGRg==', name: 'voice' },
    { type: 'document', mediaType: 'application/octet-stream', data: 'AAAA', name: 'data:' },
  ]);
});

test('a text that says nothing is no text, and what cannot be read is not nothing', () => {
  const rows = { rows: [1] };
  expect(textOf({ type: 'text', text: '' })(rows)).toBe('{"rows":[1]}');
  expect(textOf({ type: 'text', text: ' ' }, image)(rows)).toBe('[image: image/png, 30000 bytes]\n{"rows":[1]}');
  expect(textOf({ type: 'text', text: '' })()).toBe('');
  expect(textOf({ type: 'hologram', depth: 3 })()).toBe('[hologram: cannot be read]');
  expect(textOf({ type: 'hologram' })(rows)).toBe('{"rows":[1]}');
  expect(textOf()()).toBe('(no output)');
});

test('in a data URL, the name of the bytes takes the place of the whole', () => {
  const name = '[image: image/png, 30000 bytes]';
  const url = `data:image/png;charset=utf-8;base64,${PICTURE}`;
  expect(textOf(image, { type: 'text', text: `See ${url}) and ${PICTURE}.` })()).toBe(
    `${name}\nSee ${name}) and ${name}.`,
  );
});
