import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { requestBody } from '../../../src-main/models/anthropic/request-body.ts';
import type { Message, UserBlock } from '../../../src-main/models/messages.ts';
import type { ModelRequest } from '../../../src-main/models/provider.ts';
import type { AssistantBlock } from '../../../src-preload/contract/content-blocks.ts';
import { promptOf, refusalOf, signatureOf } from '../../fixtures/messages-api/refusals.ts';

describe('the request body', () => {
  test('neighbours of one role are merged, results come first, blank texts and unsigned thinking are left out', () => {
    const { messages } = body({
      messages: [
        user(text('one')),
        user(text(''), text(' \n'), text('two')),
        {
          role: 'assistant',
          content: [text(' '), { type: 'thinking', thinking: 'cut off', signature: '' }, toolUse('a'), toolUse('b')],
        },
        user(text('and this'), result('b'), { type: 'image', mediaType: 'image/png', data: 'AA' }, result('a')),
        { role: 'assistant', content: [text('')] },
        user(text('three')),
      ],
    });
    expect(
      messages.map(({ role, content }) => [
        role,
        Array.isArray(content) ? content.map((block) => block.type) : content,
      ]),
    ).toEqual([
      ['user', ['text', 'text']],
      ['assistant', ['tool_use', 'tool_use']],
      ['user', ['tool_result', 'tool_result', 'text', 'image', 'text']],
    ]);
  });

  test('breakpoints stand on the system prompt, the last block and the previous user message, and never on thinking', () => {
    const made = body({
      messages: [
        user(text('one')),
        { role: 'assistant', content: [toolUse('a')] },
        user(result('a')),
        { role: 'assistant', content: [{ type: 'thinking', thinking: '', signature: 's' }, toolUse('b')] },
        user(result('b')),
      ],
    });
    expect(made.system).toEqual([{ type: 'text', text: 'sys', cache_control: { type: 'ephemeral' } }]);
    const marked = made.messages.map(
      ({ content }) => Array.isArray(content) && content.some((block) => 'cache_control' in block),
    );
    expect(marked).toEqual([false, false, true, false, true]);
    expect(made.messages[3]?.content).toEqual([
      { type: 'thinking', thinking: '', signature: 's' },
      { type: 'tool_use', id: 'b', name: 'n', input: {} },
    ]);
  });

  test('without a system prompt the tools carry the breakpoint', () => {
    const made = body({ system: '', tools: [{ name: 'a', description: 'A', inputSchema: {} }] });
    expect(made).not.toHaveProperty('system');
    expect(made.tools).toEqual([
      {
        name: 'a',
        description: 'A',
        input_schema: { type: 'object', properties: {} },
        cache_control: { type: 'ephemeral' },
      },
    ]);
  });

  test('max_tokens stays within reason and within the model, and thinking is asked only of models that adapt', () => {
    expect(body({}).max_tokens).toBe(32_000);
    expect(body({ maxTokens: 1_000_000 }).max_tokens).toBe(128_000);
    expect(body({ model: 'claude-haiku-4-5', maxTokens: 1_000_000 }).max_tokens).toBe(64_000);
    expect(body({ maxTokens: 0 }).max_tokens).toBe(1);
    expect(body({}).thinking).toEqual({ type: 'adaptive', display: 'summarized' });
    expect(body({ model: 'claude-sonnet-4-5' })).not.toHaveProperty('thinking');
    expect(body({ model: 'claude-unheard-of' })).not.toHaveProperty('thinking');
    expect(body({ effort: 'max' }).output_config).toEqual({ effort: 'max' });
    expect(body({ effort: 'none' })).not.toHaveProperty('output_config');
    expect(body({ effort: 'low', model: 'claude-sonnet-4-5' })).not.toHaveProperty('output_config');
    expect(body({ temperature: 0.5 })).not.toHaveProperty('temperature');
  });

  test('deferred tools are marked as such, are never a breakpoint, and a result of find_tools refers to them', () => {
    const tools = [tool('find_tools'), tool('late', true), tool('later', true)];
    const messages = [
      user(text('one')),
      { role: 'assistant' as const, content: [toolUse('a'), toolUse('b')] },
      user({ ...result('a'), foundTools: ['late', 'gone', 'find_tools'] }, { ...result('b'), foundTools: ['gone'] }),
    ];
    const made = body({ system: '', tools, messages });
    expect(made.tools).toMatchObject([
      { name: 'find_tools', cache_control: { type: 'ephemeral' } },
      { name: 'late', defer_loading: true },
      { name: 'later', defer_loading: true },
    ]);
    expect(made.messages.at(-1)?.content).toMatchObject([
      { type: 'tool_result', content: [{ type: 'tool_reference', tool_name: 'late' }] },
      { type: 'tool_result', content: 'out' },
    ]);
    expect(refusal(made)).toBeUndefined();
    // The controls: what the service says to a reference to no tool, and to a deferred breakpoint.
    expect(refusal({ ...made, tools: made.tools?.slice(0, 1) })?.message).toMatch(/not found in available tools/);
    const marked = made.tools?.map((each) => ({ ...each, cache_control: { type: 'ephemeral' } }));
    expect(refusal({ ...made, tools: marked })?.message).toMatch(/cannot use prompt caching/);
  });

  test('finding tools changes nothing of what the model read before', () => {
    const tools = [tool('find_tools'), tool('late', true), tool('later', true)];
    const before = [user(text('one')), { role: 'assistant' as const, content: [toolUse('a')] }];
    const found = [...before, user({ ...result('a'), foundTools: ['later'] })];
    const called = [...found, { role: 'assistant' as const, content: [toolUse('b')] }, user(result('b'))];
    const prompts = [before, found, called].map((messages) => promptOf({ ...body({ tools, messages }) }));
    expect(prompts[1]?.startsWith(`${prompts[0]}\n`)).toBe(true);
    expect(prompts[2]?.startsWith(`${prompts[1]}\n`)).toBe(true);
    expect(prompts[0]).not.toContain('The tool later');
    expect(prompts[1]).toContain('The tool later');
  });

  test('any validly paired history makes a request that the service accepts', () => {
    const words = fc.oneof(fc.constantFrom('', ' ', '\n'), fc.string({ unit: 'binary' }));
    const textBlock = words.map(text);
    const thinking = words.map((said) => ({
      type: 'thinking' as const,
      thinking: said,
      signature: said === '' ? '' : signatureOf(said),
    }));
    const assistant = fc.tuple(
      fc.array(fc.oneof(textBlock, thinking), { maxLength: 3 }),
      fc.nat({ max: 5 }),
      fc.array(textBlock, { maxLength: 2 }),
      words,
    );
    fc.assert(
      fc.property(words, fc.array(assistant, { maxLength: 6 }), (system, rounds) => {
        const messages: Message[] = [user(text('start'))];
        for (const [index, [said, calls, more, content]] of rounds.entries()) {
          const ids = Array.from({ length: calls }, (_, i) => `t_${index}_${i}`);
          messages.push({ role: 'assistant', content: [...said, ...ids.map(toolUse)] });
          messages.push(user(...more, ...ids.map((id) => ({ ...result(id), content })), text('go on')));
        }
        expect(refusalOf(JSON.parse(JSON.stringify(body({ system, messages }))), '2026-10-21', {}, [])).toBeUndefined();
      }),
    );
  });
});

function body(given: Partial<ModelRequest>): ReturnType<typeof requestBody> {
  const request: ModelRequest = {
    model: 'claude-sonnet-5-5',
    system: 'sys',
    messages: [user(text('hello'))],
    tools: [],
    signal: new AbortController().signal,
    ...given,
  };
  return requestBody(request, { refusedThinking: new Set(), withoutThinkingParameter: false, withoutDeferral: false });
}

function tool(name: string, isDeferred = false) {
  const definition = { name, description: `The tool ${name}`, inputSchema: { type: 'object' } };
  return isDeferred ? { ...definition, isDeferred } : definition;
}

function refusal(made: object) {
  return refusalOf(JSON.parse(JSON.stringify(made)), '2026-10-21', {}, []);
}

function user(...content: UserBlock[]): Message {
  return { role: 'user', content };
}

function text(words: string): { type: 'text'; text: string } {
  return { type: 'text', text: words };
}

function toolUse(id: string): AssistantBlock {
  return { type: 'tool_use', id, name: 'n', input: {} };
}

function result(toolUseId: string): UserBlock & { type: 'tool_result' } {
  return { type: 'tool_result', toolUseId, content: 'out', isError: false };
}
