import { describe, expect, test } from 'vitest';
import { notAccepted } from '../../../src-main/models/accepted-media.ts';
import type { Message } from '../../../src-main/models/messages.ts';
import type { ToolDefinition } from '../../../src-main/models/provider.ts';
import type { AssistantBlock } from '../../../src-preload/contract/content-blocks.ts';
import { HELLO } from './asking.ts';
import { answered, IMAGE, openAiOn, PAPER, SOUND, THINKER } from './openai-on-fixture.ts';

const thought = { type: 'thinking', thinking: 'First this.\n\nThen that.' } as const;
const call = { type: 'tool_use', id: 'call_1', name: 'read_file', input: { path: 'a' } } as const;
const result = { type: 'tool_result', toolUseId: 'call_1', content: 'the text', isError: false } as const;

/** The conversation after an answer with a call. */
function history(blocks: readonly AssistantBlock[]): Message[] {
  return [HELLO, { role: 'assistant', content: blocks }, { role: 'user', content: [result] }];
}

describe('an answer by Responses', () => {
  test('thoughts, text and parallel calls arrive in order, with usage', async () => {
    const blocks = [
      thought,
      { type: 'text', text: 'I read both. '.repeat(9) },
      call,
      { ...call, id: 'call_2' },
    ] as const;
    const usage = { input_tokens: 100, output_tokens: 7, cached_tokens: 60, cache_write_tokens: 30 };
    const { ask, bodies } = await openAiOn({ turns: [{ blocks, usage, bytesPerWrite: 5 }] });
    const answer = await ask({ model: THINKER });
    expect(answer.thinking).toBe(thought.thinking);
    expect(answer.text).toBe(blocks[1].text);
    expect(answer.blocks).toMatchObject(blocks);
    expect(answer.end).toEqual({
      type: 'end',
      stopReason: 'tool_use',
      usage: { input: 10, output: 7, cacheRead: 60, cacheWrite: 30 },
    });
    expect(bodies()[0]).toMatchObject({
      model: THINKER,
      store: false,
      instructions: 'You are a test.',
      include: ['reasoning.encrypted_content'],
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hello' }] }],
      tools: [{ type: 'function', name: 'read_file', strict: false }],
    });
  });

  test.each([
    ['max_tokens', { stopReason: 'max_tokens' }, undefined],
    ['refusal', { stopReason: 'refusal', stopDetails: { explanation: 'I will not.' } }, 'I will not.'],
    ['refusal', { stopReason: 'content_filter' }, 'content filter'],
    ['end_turn', {}, undefined],
  ])('ends with %s', async (stopReason, turn, detail) => {
    const { ask } = await openAiOn({ turns: [{ text: 'So far.', ...turn }] });
    expect((await ask({ model: THINKER })).end).toMatchObject({ stopReason, ...(detail ? { detail } : {}) });
  });

  test('items of unknown types are passed over, and an input that is no JSON is kept as such', async () => {
    const blocks = [
      { type: 'unknown', block: { type: 'web_search_call' } },
      { type: 'tool_use', name: 'read_file', rawInput: '[1' },
    ] as const;
    const { ask } = await openAiOn({ turns: [{ blocks }] });
    expect((await ask({ model: THINKER })).blocks).toMatchObject([{ input: {}, invalidInput: { raw: '[1' } }]);
  });
});

describe('what goes back to Responses', () => {
  test('thoughts as they came, before their call, and the phase of a text', async () => {
    const { ask, bodies } = await openAiOn({ turns: [{ blocks: [thought, { type: 'text', text: 'Hm.' }, call] }, {}] });
    const { blocks } = await ask({ model: THINKER });
    // The fixture refuses a thought that is changed, alone or not its own.
    const { retries } = await ask({ model: THINKER, messages: history(blocks) });
    expect(retries).toEqual([]);
    expect(bodies()[1]?.input).toMatchObject([
      { role: 'user' },
      {
        type: 'reasoning',
        encrypted_content: expect.stringMatching(/^gAAAA/),
        summary: [{ text: 'First this.' }, { text: 'Then that.' }],
      },
      { role: 'assistant', content: 'Hm.', phase: 'final_answer' },
      { type: 'function_call', call_id: 'call_1', name: 'read_file', arguments: '{"path":"a"}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'the text' },
    ]);
  });

  test('thoughts that the service can no longer read are left out, at once and from then on', async () => {
    const first = await openAiOn({ turns: [{ blocks: [thought, call] }] });
    const { blocks } = await first.ask({ model: THINKER });
    const later = await openAiOn({ forgetsThoughts: true });
    const answer = await later.ask({ model: THINKER, messages: history(blocks) });
    expect([answer.text, answer.retries]).toEqual(['Hello from the fixture.', ['bad_request']]);
    expect((await later.ask({ model: THINKER, messages: history(blocks) })).retries).toEqual([]);
    expect(JSON.stringify(later.bodies().at(-1))).not.toContain('encrypted_content":"');
  });

  test('pictures and documents in results, and a text in place of what the model does not take', async () => {
    const { ask, bodies } = await openAiOn({});
    await ask({ model: THINKER, messages: answered({ media: [IMAGE, PAPER, SOUND] }) });
    expect(bodies()[0]?.input).toMatchObject([
      { role: 'user' },
      { type: 'function_call' },
      {
        type: 'function_call_output',
        output: [
          { type: 'input_text', text: `the text\n${notAccepted(SOUND).text}` },
          { type: 'input_image', image_url: 'data:image/png;base64,QUJD', detail: 'auto' },
          { type: 'input_file', filename: 'plan.pdf', file_data: 'data:application/pdf;base64,JVBERg==' },
        ],
      },
      { role: 'user', content: [{ type: 'input_text', text: 'and now?' }] },
    ]);
  });

  test('an effort in the model’s words, or none; never a temperature to a model that thinks', async () => {
    const { ask, bodies } = await openAiOn({});
    const wishes = { temperature: 0.3, maxTokens: 5 } as const;
    for (const [model, effort] of [
      [THINKER, 'max'],
      [THINKER, 'none'],
      ['gpt-5.4', 'max'],
      ['gpt-5.6-luna', 'none'],
      ['gpt-5', 'max'],
    ] as const)
      await ask({ ...wishes, model, effort });
    expect(bodies().map(({ reasoning }) => reasoning)).toEqual([
      { effort: 'max', summary: 'auto' },
      { summary: 'auto' },
      { effort: 'xhigh', summary: 'auto' },
      { effort: 'none' },
      { summary: 'auto' },
    ]);
    expect(bodies()[0]).toMatchObject({ max_output_tokens: 16 });
    const plain = await openAiOn({}, { api: 'responses' });
    await plain.ask({ ...wishes, model: 'gpt-4.1', effort: 'low' });
    expect(plain.bodies()[0]).toMatchObject({ temperature: 0.3 });
    expect(plain.bodies()[0]).not.toHaveProperty('reasoning');
  });

  test('a summary that the account may not have is not asked for again', async () => {
    const message = 'Your organization must be verified to generate reasoning summaries.';
    const { ask, bodies } = await openAiOn({ turns: [{ error: { status: 400, message } }, {}, {}] });
    expect((await ask({ model: THINKER, effort: 'low' })).retries).toEqual(['bad_request']);
    expect((await ask({ model: THINKER, effort: 'low' })).retries).toEqual([]);
    expect(bodies().at(-1)?.reasoning).toEqual({ effort: 'low' });
    expect(bodies().at(-1)?.include).toEqual(['reasoning.encrypted_content']);
  });

  test('the beginning of a conversation is the same in each request, so that it stays cached', async () => {
    const { ask, bodies } = await openAiOn({ turns: [{ blocks: [thought, call] }, {}] });
    const { blocks } = await ask({ model: THINKER });
    await ask({ model: THINKER, messages: history(blocks) });
    const [before, next] = bodies();
    const { input: beginning, ...fixed } = before ?? {};
    const { input: whole, ...others } = next ?? {};
    expect(others).toEqual(fixed);
    expect(Array.isArray(whole) && Array.isArray(beginning) && whole.slice(0, beginning.length)).toEqual(beginning);
    expect(fixed.prompt_cache_key).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe('tools that are found', () => {
  const schema = { type: 'object', properties: { query: { type: 'string' } } } as const;
  const tools: readonly ToolDefinition[] = [
    { name: 'read_file', description: 'Reads', inputSchema: schema },
    { name: 'find_tools', description: 'Searches all tools', inputSchema: schema },
    { name: 'far__one', description: 'One', inputSchema: schema, isDeferred: true },
    { name: 'far__two', description: 'Two', inputSchema: schema, isDeferred: true },
  ];
  const search = { type: 'tool_use', id: 'call_s', name: 'find_tools', input: { query: 'one' } } as const;
  const found = (foundTools?: readonly string[]): Message[] => {
    const answer = { type: 'tool_result', toolUseId: 'call_s', content: 'Found 1 tools:', isError: false } as const;
    return [
      HELLO,
      { role: 'assistant', content: [search] },
      { role: 'user', content: [{ ...answer, ...(foundTools ? { foundTools } : {}) }] },
    ];
  };

  test('find_tools is the service’s own search, and what it found is declared where it was found', async () => {
    const { ask, bodies, provider } = await openAiOn({ turns: [{ blocks: [search] }, {}] });
    expect(provider.capabilities(THINKER).deferredTools).toBe(true);
    expect((await ask({ model: THINKER, tools })).blocks).toEqual([search]);
    await ask({ model: THINKER, tools, messages: found(['far__one', 'no_such']) });
    for (const body of bodies())
      expect(body.tools).toMatchObject([
        { type: 'function', name: 'read_file' },
        { type: 'tool_search', execution: 'client' },
      ]);
    expect(bodies()[1]?.input).toMatchObject([
      { role: 'user' },
      { type: 'tool_search_call', call_id: 'call_s', execution: 'client', arguments: { query: 'one' } },
      {
        type: 'tool_search_output',
        call_id: 'call_s',
        tools: [{ name: 'far__one', defer_loading: true, strict: false }],
      },
    ]);
    expect(bodies()[1]?.tools).toEqual(bodies()[0]?.tools);
  });

  test('a search that failed found nothing, and nothing is orphaned', async () => {
    const { ask, bodies } = await openAiOn({});
    await ask({ model: THINKER, tools, messages: found() });
    expect(bodies()[0]?.input).toMatchObject([{}, {}, { type: 'tool_search_output', tools: [] }]);
  });

  test('without deferred tools, or where the service has no search, it is a tool like others', async () => {
    const { ask, bodies, provider } = await openAiOn({});
    await ask({ model: THINKER, tools: tools.slice(0, 2), messages: found(['far__one']) });
    expect(bodies()[0]?.input).toMatchObject([
      {},
      { type: 'function_call', name: 'find_tools' },
      { type: 'function_call_output' },
    ]);
    expect(provider.capabilities('gpt-4.1').deferredTools).toBe(false);
    await ask({ model: 'gpt-4.1', tools, messages: found(['far__one']) });
    const names = JSON.stringify(bodies()[1]?.tools);
    expect(names).toContain('far__one');
    expect(names).not.toContain('far__two');
    expect(names).not.toContain('tool_search');
  });

  test('a service that refuses the search is sent what was found like any other tool, from then on', async () => {
    const message = "Invalid value: 'tool_search'. Supported values are: 'function' and 'web_search'.";
    const { ask, bodies, provider } = await openAiOn({ turns: [{ error: { status: 400, message } }, {}, {}] });
    expect((await ask({ model: THINKER, tools, messages: found(['far__one']) })).retries).toEqual(['bad_request']);
    expect(provider.capabilities(THINKER).deferredTools).toBe(false);
    expect(bodies()[1]?.tools).toMatchObject([
      { name: 'read_file' },
      { name: 'find_tools', type: 'function' },
      { name: 'far__one' },
    ]);
    expect(bodies()[1]?.input).toMatchObject([
      {},
      { type: 'function_call', name: 'find_tools' },
      { type: 'function_call_output' },
    ]);
  });
});
