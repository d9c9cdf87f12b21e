import { afterEach, expect, test } from 'vitest';
import type { ModelProvider } from '../../../src-main/models/provider.ts';
import type { MessageAttachment } from '../../../src-preload/contract/events.ts';
import { allowAll } from '../../fixtures/allow-all.ts';
import { MemoryEvents } from '../../fixtures/memory-events.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';
import { bodyOf, geminiWith } from '../models/gemini-on-fixture.ts';
import { ollamaWith } from '../models/ollama-on-fixture.ts';
import { answerWithTools } from './offering-conversation.ts';

let harness: ToolHarness | undefined;
afterEach(async () => {
  await harness?.dispose();
  harness = undefined;
});

/** A conversation with the built-in tools. */
function conversationWith(provider: ModelProvider, model: string) {
  harness = new ToolHarness({ consent: allowAll });
  const offering = { harness, store: new MemoryEvents(), provider, model };
  const { store } = offering;
  const turn = (text: string, ...attachments: readonly MessageAttachment[]) =>
    answerWithTools(offering, { content: [{ type: 'text', text }], attachments });
  const notices = () => store.events.flatMap((event) => (event.type === 'notice' ? [event] : []));
  return { turn, notices, events: store.events };
}

test('a tool that Gemini refuses is named once in the conversation; the others work', async () => {
  const call = { functionCall: { name: 'serialize_json', args: { data: [1] } } };
  const { provider, server } = await geminiWith({
    turns: [{ parts: [call] }, { text: 'Done.' }, { text: 'Again.' }],
    refusedFunctions: ['edit'],
  });
  const { turn, notices, events } = conversationWith(provider, 'gemini-3.8-flash');
  expect(await turn('go')).toBe('end_turn');
  expect(await turn('again')).toBe('end_turn');
  expect(events).toContainEqual(expect.objectContaining({ type: 'tool_result', text: '[1]', outcome: 'completed' }));
  expect(notices().filter(({ code }) => code === 'tools_refused')).toEqual([
    expect.objectContaining({ names: ['edit'], message: expect.stringContaining('edit') }),
  ]);
  const names = bodyOf(server, 1).tools?.[0]?.functionDeclarations.map(({ name }) => name) ?? [];
  expect(names).toContain('serialize_json');
  expect(names).not.toContain('edit');
});

test('a model of Ollama without tools says so once, and answers', async () => {
  const models = { 'gemma3:1b': { contextLength: 32_768 } };
  const { provider } = await ollamaWith({ models, turns: [{ text: 'Hi.' }, { text: 'Hi again.' }] });
  const { turn, notices } = conversationWith(provider, 'gemma3:1b');
  expect(await turn('hello')).toBe('end_turn');
  expect(await turn('hello')).toBe('end_turn');
  expect(notices()).toEqual([expect.objectContaining({ code: 'no_tool_support', names: ['gemma3:1b'] })]);
});

test('a file that the service refuses is named once, with what the service said', async () => {
  const error = { status: 400, message: 'The document has no pages.' };
  const { provider } = await geminiWith({ turns: [{ error }, { text: 'Hm.' }, { text: 'Hm again.' }] });
  const { turn, notices } = conversationWith(provider, 'gemini-3.8-flash');
  const plan = { kind: 'document', mediaType: 'application/pdf', data: 'JVBERi1BQUFB', name: 'plan.pdf' } as const;
  expect(await turn('What is this?', plan)).toBe('end_turn');
  expect(await turn('And now?')).toBe('end_turn');
  expect(notices().filter(({ code }) => code !== 'retrying')).toEqual([
    expect.objectContaining({
      code: 'files_refused',
      names: ['plan.pdf'],
      message: expect.stringMatching(/plan\.pdf.*The document has no pages\./),
    }),
  ]);
});
