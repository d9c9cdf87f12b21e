import { describe, expect, test } from 'vitest';
import type { Message } from '../../../src-main/models/messages.ts';
import type { ModelRequest, ModelStreamEvent } from '../../../src-main/models/provider.ts';
import type { MediaBlock } from '../../../src-preload/contract/content-blocks.ts';
import { HELLO } from './asking.ts';
import { setUp } from './claude-on-fixture.ts';
import { geminiWith } from './gemini-on-fixture.ts';
import { ollamaWith } from './ollama-on-fixture.ts';
import { openAiOn, TALKER, THINKER } from './openai-on-fixture.ts';

const image = (data: string): MediaBlock => ({ type: 'image', mediaType: 'image/png', data });
const paper = (data: string): MediaBlock => ({
  type: 'document',
  mediaType: 'application/pdf',
  data,
  name: 'plan.pdf',
});
const withFile = (media: MediaBlock): Message => ({
  role: 'user',
  content: [media, { type: 'text', text: 'What is this?' }],
});
const answer: Message = { role: 'assistant', content: [{ type: 'text', text: 'Nothing' }] };
/** Begins as a PDF does. */
const BAD = 'JVBERi1BQUFB';
const GOOD = 'JVBERi1CQkJC';

interface Asked {
  readonly ask: (request: Partial<ModelRequest>) => Promise<{ readonly events: readonly ModelStreamEvent[] }>;
  readonly server: { readonly requests: readonly { readonly body: unknown }[] };
}
type Service = (status: number, message: string, ...texts: string[]) => Promise<Asked>;

const claude: Service = (status, message, ...texts) =>
  setUp({ turns: [{ error: { status, message } }, ...texts.map((text) => ({ text }))] });
const gemini: Service = (status, message, ...texts) =>
  geminiWith({ turns: [{ error: { status, message } }, ...texts.map((text) => ({ text }))] });
const ollama: Service = (status, error, ...texts) =>
  ollamaWith({ turns: [{ error: { status, error } }, ...texts.map((text) => ({ text }))] });
const openAi =
  (model: string): Service =>
  async (status, message, ...texts) => {
    const { ask, server } = await openAiOn({
      turns: [{ error: { status, message } }, ...texts.map((text) => ({ text }))],
    });
    return { server, ask: (request) => ask({ model, ...request }) };
  };

const REFUSALS: readonly (readonly [string, Service, status: number, message: string, file: typeof image])[] = [
  ['Claude', claude, 400, 'Could not process image', image],
  ['Claude', claude, 400, 'messages.0.content.0.pdf.source.base64.data: The PDF specified was not valid.', paper],
  ['Claude', claude, 400, 'Could not process PDF', paper],
  ['OpenAI', openAi(TALKER), 400, 'You uploaded an unsupported image. Please make sure your image is valid.', image],
  ['OpenAI', openAi(THINKER), 400, "Invalid 'input[0].content[0].image_url'. Expected a valid image.", image],
  ['OpenAI', openAi(THINKER), 400, 'The PDF could not be read.', paper],
  ['OpenAI', openAi(TALKER), 400, 'The image format image/webp is not supported.', image],
  ['OpenAI', openAi(TALKER), 400, 'The PDF does not have any pages.', paper],
  ['Gemini', gemini, 400, 'Unable to process input image. Please retry or report in https://example.com', image],
  ['Gemini', gemini, 400, 'Provided image is not valid.', image],
  ['Gemini', gemini, 400, 'The document has no pages.', paper],
  ['Gemini', gemini, 400, 'Unsupported MIME type: application/pdf', paper],
  ['Gemini', gemini, 400, "Invalid value at 'contents[0].parts[0].inline_data.data' (TYPE_BYTES)", paper],
  ['Ollama', ollama, 500, 'Failed to create new sequence: failed to process inputs: image: unknown format', image],
  ['Ollama', ollama, 400, 'illegal base64 data at input byte 4', image],
];

describe.each(REFUSALS)('%s', (_name, service, status, message, file) => {
  test(`a conversation goes on after "${message}", and later files are sent`, async () => {
    const { ask, server } = await service(status, message, 'Nothing', 'A dot');
    const { events } = await ask({ messages: [withFile(file(BAD))] });
    expect(events.find(({ type }) => type === 'left_out')).toEqual({
      type: 'left_out',
      reason: 'refused_files',
      names: [file === paper ? 'plan.pdf' : 'an image'],
      said: expect.stringContaining(message),
    });
    await ask({ messages: [withFile(file(BAD)), answer, withFile(file(GOOD))] });
    const sent = server.requests.map(({ body }) => JSON.stringify(body));
    expect(sent.map((body) => [body.includes(BAD), body.includes(GOOD)])).toEqual([
      [true, false],
      [false, false],
      [false, true],
    ]);
    expect(sent[1]).toContain('is left out');
  });
});

test('a model of Ollama without vision is not sent pictures again', async () => {
  const error = { status: 500, error: 'this model is missing data required for image input' };
  const { ask, server } = await ollamaWith({ isOld: true, turns: [{ error }, { text: 'Hm' }, { text: 'Hm' }] });
  await ask({ messages: [withFile(image(BAD))] });
  const { events } = await ask({ messages: [withFile(image(GOOD))] });
  expect(events[0]).toMatchObject({ type: 'left_out', names: ['an image'] });
  expect(server.requests.map(({ body }) => /"images"/.test(JSON.stringify(body)))).toEqual([true, false, false]);
});

test('files of earlier messages stay, unless the request is refused without the newest too', async () => {
  const error = { status: 400, message: 'Could not process image' };
  const { server, ask } = await setUp({ turns: [{ error }, { text: 'one' }, { error }, { error }, { text: 'two' }] });
  const sent = () =>
    server.requests.map(({ body }) => [BAD, GOOD].filter((data) => JSON.stringify(body).includes(data)));
  await ask({ messages: [withFile(image(GOOD)), answer, withFile(image(BAD))] });
  expect(sent()).toEqual([[BAD, GOOD], [GOOD]]);
  const other = { ...answer, content: [{ type: 'text', text: 'Something' }] } as const;
  await ask({ model: 'claude-opus-5-5', messages: [withFile(image(BAD)), other, withFile(image(GOOD))] });
  expect(sent().slice(2)).toEqual([[BAD, GOOD], [BAD], []]);
});

test.each([
  ['of the model', 'messages[0].content must be a string'],
  ['of a file', 'You uploaded an unsupported image.'],
])('a reason %s that stays without the files was not theirs: the next message has them', async (_whose, message) => {
  const error = { status: 400, message };
  const { server, ask } = await openAiOn({ turns: [{ error }, { error }, { text: 'A dot' }] });
  const request = { model: TALKER, messages: [withFile(image(GOOD))] };
  await expect(ask(request)).rejects.toThrow(message);
  const { events } = await ask(request);
  expect(events.filter(({ type }) => type === 'left_out')).toEqual([]);
  expect(server.requests.map(({ body }) => JSON.stringify(body).includes(GOOD))).toEqual([true, false, true]);
});

test('a bad request that is not about a file is not sent again', async () => {
  const { server, ask } = await setUp({ turns: [{ error: { status: 400, message: 'messages.3: nonsense' } }] });
  await expect(ask({ messages: [HELLO, withFile(image(BAD))] })).rejects.toThrow('nonsense');
  expect(server.requests).toHaveLength(1);
});

test('a tool that a service refuses because of a parameter called image takes no picture with it', async () => {
  const message = "Invalid schema for function 'draw': In context=('properties', 'image'), 'type' is missing.";
  const { server, ask } = await openAiOn({ turns: [{ error: { status: 400, message } }, { text: 'A dot' }] });
  const draw = { name: 'draw', description: 'Draws.', inputSchema: { type: 'object' } } as const;
  const { events } = await ask({ model: TALKER, tools: [draw], messages: [withFile(image(GOOD))] });
  expect(events.filter(({ type }) => type === 'left_out')).toMatchObject([{ reason: 'refused', names: ['draw'] }]);
  expect(server.requests.map(({ body }) => JSON.stringify(body).includes(GOOD))).toEqual([true, true]);
});

test('a request without files is not sent again, whatever the error says', async () => {
  const { server, ask } = await geminiWith({
    turns: [{ error: { status: 400, message: 'Provided image is not valid.' } }],
  });
  await expect(ask({ messages: [HELLO] })).rejects.toThrow('Provided image is not valid.');
  expect(server.requests).toHaveLength(1);
});
