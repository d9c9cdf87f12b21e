import { describe, expect, test } from 'vitest';
import type { Message } from '../../../src-main/models/messages.ts';
import type { AssistantBlock } from '../../../src-preload/contract/content-blocks.ts';
import { publishedServers } from '../../fixtures/published-tools/published-tools.ts';
import { HELLO } from './asking.ts';
import { bodyOf, geminiWith } from './gemini-on-fixture.ts';

const call = (name: string, args: object, more: object = {}) => ({ functionCall: { name, args, ...more } });
const answered = (blocks: readonly AssistantBlock[]): Message => ({ role: 'assistant', content: blocks });
const results = (blocks: readonly AssistantBlock[], text = 'done'): Message => ({
  role: 'user',
  content: blocks.flatMap((block) =>
    block.type === 'tool_use'
      ? [{ type: 'tool_result' as const, toolUseId: block.id, content: text, isError: false }]
      : [],
  ),
});

describe('an answer', () => {
  test('text arrives as it is written, then as a block, then the end with its usage', async () => {
    const usage = {
      promptTokenCount: 1_000,
      cachedContentTokenCount: 900,
      candidatesTokenCount: 20,
      thoughtsTokenCount: 30,
      toolUsePromptTokenCount: 5,
    };
    const { ask } = await geminiWith({
      turns: [{ text: 'Grüße aus der Vorrichtung', usage, bytesPerWrite: 1 }],
    });
    const { events, text, blocks } = await ask();
    expect(text).toBe('Grüße aus der Vorrichtung');
    expect(blocks).toEqual([{ type: 'text', text }]);
    expect(events.at(-1)).toEqual({
      type: 'end',
      stopReason: 'end_turn',
      usage: { input: 105, output: 50, cacheRead: 900, cacheWrite: 0 },
    });
  });

  test('thoughts are shown, and go nowhere if they are not signed', async () => {
    const { ask, server } = await geminiWith({
      turns: [
        { parts: [{ text: 'Hmm, ', thought: true }, { text: 'yes.', thought: true }, { text: 'Yes.' }] },
        { text: 'ok' },
      ],
    });
    const { thinking, blocks } = await ask();
    expect(thinking).toBe('Hmm, yes.');
    expect(blocks).toEqual([
      { type: 'thinking', thinking: 'Hmm, yes.', signature: '' },
      { type: 'text', text: 'Yes.' },
    ]);
    await ask({ messages: [HELLO, answered(blocks), HELLO] });
    expect(bodyOf(server, 1).contents[1]).toEqual({ role: 'model', parts: [{ text: 'Yes.' }] });
  });

  test('parallel calls keep ids, order and the one signature, and go back verbatim with their results', async () => {
    const { ask, server } = await geminiWith({
      turns: [
        { parts: [{ text: 'Two files.' }, call('read_file', { path: 'a' }), call('read_file', { path: 'b' })] },
        { text: 'ok' },
      ],
    });
    const { blocks, end } = await ask();
    expect(end).toMatchObject({ stopReason: 'tool_use' });
    const signature = expect.stringMatching(/^[\w+/]+=*$/);
    expect(blocks).toEqual([
      { type: 'text', text: 'Two files.' },
      { type: 'tool_use', id: 'fc-1-1', name: 'read_file', input: { path: 'a' }, signature },
      { type: 'tool_use', id: 'fc-1-2', name: 'read_file', input: { path: 'b' } },
    ]);
    // The fixture refuses a changed, missing or misplaced signature, id, name or number of results.
    expect((await ask({ messages: [HELLO, answered(blocks), results(blocks)] })).text).toBe('ok');
    const { contents } = bodyOf(server, 1);
    expect(contents[1]?.parts[1]).toEqual({
      functionCall: { id: 'fc-1-1', name: 'read_file', args: { path: 'a' } },
      thoughtSignature: blocks[1]?.type === 'tool_use' ? blocks[1].signature : undefined,
    });
    expect(contents[2]?.parts.map(({ functionResponse }) => functionResponse)).toEqual([
      { id: 'fc-1-1', name: 'read_file', response: { result: 'done' } },
      { id: 'fc-1-2', name: 'read_file', response: { result: 'done' } },
    ]);
  });

  test('a model that gives its calls no ids gets none back; they have one here', async () => {
    const { ask, server } = await geminiWith({
      turns: [{ parts: [call('read_file', { path: 'a' })] }, { text: 'ok' }],
    });
    const model = 'gemini-2.5-flash';
    const { blocks } = await ask({ model });
    expect(blocks).toEqual([
      { type: 'tool_use', id: expect.stringMatching(/^call_[\w-]{36}$/), name: 'read_file', input: { path: 'a' } },
    ]);
    await ask({ model, messages: [HELLO, answered(blocks), results(blocks)] });
    expect(bodyOf(server, 1).contents.slice(1)).toEqual([
      { role: 'model', parts: [{ functionCall: { name: 'read_file', args: { path: 'a' } } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'read_file', response: { result: 'done' } } }] },
    ]);
  });

  test('a signature in a last part of its own goes back in one; one of a text stays with the text', async () => {
    const { ask, server } = await geminiWith({
      turns: [
        { parts: [{ text: 'Well', thoughtSignature: 'c2lnMQ==' }] },
        { parts: [{ text: 'Well' }, { text: '', thoughtSignature: 'c2lnMg==' }] },
        { parts: [call('read_file', { path: 'a' }), { text: '', thoughtSignature: 'c2lnMw==' }] },
        { text: 'ok' },
      ],
    });
    const first = await ask();
    expect(first.blocks).toEqual([{ type: 'text', text: 'Well', signature: 'c2lnMQ==' }]);
    expect((await ask()).blocks).toEqual([{ type: 'text', text: 'Well', signature: 'c2lnMg==' }]);
    const { blocks } = await ask();
    expect(blocks[1]).toEqual({ type: 'thinking', thinking: '', signature: 'c2lnMw==' });
    await ask({ messages: [HELLO, answered(first.blocks), HELLO, answered(blocks), results(blocks)] });
    const { contents } = bodyOf(server, 3);
    expect(contents[1]?.parts).toEqual([{ text: 'Well', thoughtSignature: 'c2lnMQ==' }]);
    expect(contents[3]?.parts[1]).toEqual({ text: '', thoughtSignature: 'c2lnMw==' });
  });

  test('a call made by another model in this turn is accepted without a signature', async () => {
    const { ask } = await geminiWith({ turns: [{ text: 'ok' }] });
    const foreign: AssistantBlock = { type: 'tool_use', id: 'toolu_1', name: 'read_file', input: {} };
    expect((await ask({ messages: [HELLO, answered([foreign]), results([foreign])] })).text).toBe('ok');
  });

  test('refused signatures are left out once and for all', async () => {
    const { ask, server } = await geminiWith({ turns: [{ text: 'ok' }, { text: 'again' }] });
    const old: AssistantBlock = { type: 'tool_use', id: 'x', name: 'read_file', input: {}, signature: 'Zm9yZWlnbg==' };
    const messages = [HELLO, answered([old]), results([old])];
    const { events } = await ask({ messages });
    expect(events[0]).toMatchObject({ type: 'retry', waitMs: 0 });
    expect((await ask({ messages })).text).toBe('again');
    expect(server.requests).toHaveLength(3);
  });

  test.each([
    ['SAFETY', 'SAFETY'],
    ['RECITATION', 'RECITATION'],
    ['PROHIBITED_CONTENT', 'PROHIBITED_CONTENT'],
  ])('finish reason %s is a refusal', async (finishReason, detail) => {
    const { ask } = await geminiWith({ turns: [{ parts: [{ text: 'I ' }], finishReason }] });
    expect((await ask()).end).toMatchObject({ stopReason: 'refusal', detail });
  });

  test('a blocked prompt is a refusal, with the reason', async () => {
    const { ask } = await geminiWith({
      turns: [{ promptFeedback: { blockReason: 'JAILBREAK', blockReasonMessage: 'No.' } }],
    });
    expect((await ask()).end).toMatchObject({ stopReason: 'refusal', detail: 'JAILBREAK: No.' });
  });

  test('the length limit, and reasons that nobody knows yet', async () => {
    const { ask } = await geminiWith({
      turns: [
        { text: 'cut', finishReason: 'MAX_TOKENS' },
        { text: 'new', finishReason: 'SOMETHING_NEW' },
      ],
    });
    expect((await ask()).end).toMatchObject({ stopReason: 'max_tokens' });
    expect((await ask()).end).toMatchObject({ stopReason: 'end_turn', detail: 'stop reason: SOMETHING_NEW' });
  });

  test('a tool call that the model wrote wrongly is asked for again', async () => {
    const malformed = {
      parts: [],
      finishReason: 'MALFORMED_FUNCTION_CALL',
      finishMessage: 'Malformed function call: x(',
    };
    const { ask, waits } = await geminiWith({ turns: [malformed, { text: 'ok' }] });
    const { events, text } = await ask();
    expect(text).toBe('ok');
    expect(events[0]).toMatchObject({ type: 'retry', error: { code: 'bad_answer' } });
    expect(waits).toHaveLength(1);
  });
});

describe('a request', () => {
  test('has the published tools of real MCP servers as the service takes them', async () => {
    const { ask, server } = await geminiWith({ turns: publishedServers.map(() => ({ text: 'ok' })) });
    for (const { tools } of publishedServers) {
      const offered = tools.map(({ name, inputSchema }) => ({ name, description: 'Does it.', inputSchema }));
      expect((await ask({ tools: offered })).events[0]?.type).toBe('text');
    }
    expect(server.requests).toHaveLength(publishedServers.length);
  });

  test('says what was asked for, in the words of the model', async () => {
    const { ask, server } = await geminiWith({ turns: Array.from({ length: 6 }, () => ({ text: 'ok' })) });
    await ask({
      maxTokens: 500,
      temperature: 0.3,
      effort: 'high',
      stopSequences: ['1', '2', '3', '4', '5', '6'],
      model: 'gemini-3-flash-preview',
    });
    expect(bodyOf(server, 0)).toMatchObject({
      systemInstruction: { parts: [{ text: 'You are a test.' }] },
      generationConfig: {
        maxOutputTokens: 500,
        temperature: 0.3,
        stopSequences: ['1', '2', '3', '4', '5'],
        thinkingConfig: { includeThoughts: true, thinkingLevel: 'HIGH' },
      },
    });
    const config = async (given: Parameters<typeof ask>[0]) => {
      await ask(given);
      return bodyOf(server, server.requests.length - 1).generationConfig;
    };
    expect(await config({ model: 'gemini-2.5-flash', effort: 'none' })).toMatchObject({
      thinkingConfig: { thinkingBudget: 0 },
    });
    expect(await config({ model: 'gemini-2.5-pro', effort: 'none' })).toMatchObject({
      thinkingConfig: { includeThoughts: true, thinkingBudget: 128 },
    });
    // The model gets no level below LOW, and no temperature.
    const argon = await config({ model: 'gemini-4-argon', effort: 'none', temperature: 0.1 });
    expect(argon).toEqual({ maxOutputTokens: 65_536, thinkingConfig: { includeThoughts: true, thinkingLevel: 'LOW' } });
    expect(await config({ model: 'gemini-2.0-flash' })).not.toHaveProperty('thinkingConfig');
    expect((await config({ model: 'models/gemini-3.8-flash' }))?.thinkingConfig).toEqual({ includeThoughts: true });
  });

  test('a model that refuses the thinking parameter is asked without it from then on', async () => {
    const model = 'gemini-3.9-nano';
    const { ask, server } = await geminiWith({ turns: [{ text: 'ok' }, { text: 'again' }], withoutThinking: [model] });
    const { events, text } = await ask({ model, effort: 'low' });
    expect([events[0]?.type, text]).toEqual(['retry', 'ok']);
    expect((await ask({ model, effort: 'low' })).text).toBe('again');
    expect(server.requests).toHaveLength(3);
  });

  test('pictures and documents of results are in them where the model takes that, else beside them', async () => {
    const { ask, server } = await geminiWith({ turns: [{ text: 'ok' }, { text: 'ok' }] });
    const used: AssistantBlock = { type: 'tool_use', id: 'x', name: 'read_file', input: {} };
    const media = [
      { type: 'image', mediaType: 'image/jpg', data: 'aGk=' },
      { type: 'audio', mediaType: 'audio/x-wav', data: 'aGk=' },
      { type: 'image', mediaType: 'image/gif', data: 'aGk=' },
    ] as const;
    const result = { type: 'tool_result', toolUseId: 'x', content: 'A picture.', isError: false, media } as const;
    const messages: Message[] = [HELLO, answered([used]), { role: 'user', content: [result] }];
    await ask({ messages });
    await ask({ messages, model: 'gemini-2.5-flash' });
    const image = { inlineData: { mimeType: 'image/jpeg', data: 'aGk=' } };
    const audio = { inlineData: { mimeType: 'audio/wav', data: 'aGk=' } };
    const [inside, beside] = [bodyOf(server, 0), bodyOf(server, 1)].map(({ contents }) => contents[2]?.parts);
    const response = { result: expect.stringMatching(/^A picture\.\n.*image\/gif.* left out/) };
    expect(inside).toEqual([{ functionResponse: { id: 'x', name: 'read_file', response, parts: [image] } }, audio]);
    expect(beside).toEqual([{ functionResponse: { name: 'read_file', response } }, image, audio]);
  });

  test('the text of a result that looks like JSON stays text', async () => {
    const { ask, server } = await geminiWith({ turns: [{ text: 'ok' }] });
    const used: AssistantBlock = { type: 'tool_use', id: 'x', name: 'read_file', input: {} };
    await ask({ messages: [HELLO, answered([used]), results([used], '{"$ref":"#/a"}')] });
    expect(JSON.stringify(bodyOf(server, 0).contents)).toContain('{"result":"{\\"$ref\\":\\"#/a\\"}"}');
  });

  test('a picture and a text of the user after results are a message of their own', async () => {
    const { ask, server } = await geminiWith({ turns: [{ text: 'ok' }] });
    const used: AssistantBlock = { type: 'tool_use', id: 'x', name: 'read_file', input: {} };
    const result = { type: 'tool_result', toolUseId: 'x', content: ' ', isError: false } as const;
    const image = { type: 'image', mediaType: 'image/png', data: 'aGk=' } as const;
    const content = [{ type: 'text', text: 'And this?' } as const, image, result];
    await ask({ messages: [HELLO, answered([used]), { role: 'user', content }] });
    expect(bodyOf(server, 0).contents.slice(2)).toEqual([
      {
        role: 'user',
        parts: [{ functionResponse: { id: 'x', name: 'read_file', response: { result: '(no output)' } } }],
      },
      { role: 'user', parts: [{ text: 'And this?' }, { inlineData: { mimeType: 'image/png', data: 'aGk=' } }] },
    ]);
  });
});
