import type { SchemaFamily } from '../../../src-main/models/schema-transforms/tools-for.ts';
import { refusalOf } from '../../fixtures/messages-api/refusals.ts';
import { chatRefusal } from '../../fixtures/ollama/refusals.ts';
import { geminiRefusals, openAiRefusals } from './schema-acceptance.ts';

export type Service = SchemaFamily | 'ollama';

export const SERVICES = ['anthropic', 'openai', 'gemini', 'ollama'] as const;

export const FAMILY: Readonly<Record<Service, SchemaFamily>> = {
  anthropic: 'anthropic',
  openai: 'openai',
  gemini: 'gemini',
  ollama: 'openai',
};

/** What each service says against these tools, which are in its own form. */
export const REFUSALS: Readonly<Record<Service, (tools: unknown) => readonly unknown[]>> = {
  anthropic: (tools) => {
    const body = { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 'x' }], tools };
    return [refusalOf(body, '2026-10-21', {}, [])].filter((refusal) => refusal !== undefined);
  },
  openai: openAiRefusals,
  gemini: geminiRefusals,
  ollama: (tools) => {
    const body = { model: 'm', messages: [{ role: 'user', content: 'x' }], stream: true, tools };
    return [chatRefusal(body, { m: { capabilities: ['completion', 'tools'] } })].filter((each) => each !== undefined);
  },
};
