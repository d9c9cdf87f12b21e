import type { CreateMessageRequestParams, CreateMessageResultWithTools } from '@modelcontextprotocol/client';
import type { AssistantBlock } from '../../src-preload/contract/content-blocks.ts';
import type { TokenUsage } from '../../src-preload/contract/events.ts';
import { messageCharacters } from '../assistant/context-window.ts';
import { ownValue } from '../base/json.ts';
import { estimateTokens } from '../base/token-estimate.ts';
import type { RunningCall } from '../mcp/calls/running-calls.ts';
import { UnusableRequest } from '../mcp/requests/requested-form.ts';
import type { SamplingPort } from '../mcp/requests/server-requests.ts';
import type { ModelProvider, ModelRequest, ModelStopReason } from '../models/provider.ts';
import { costUsd } from '../models/provider.ts';
import { cutAtStop } from '../models/stop-sequences.ts';
import type { SamplingCost } from '../policy/consent.ts';
import type { ServerConsent } from '../policy/mcp/server-consent.ts';
import { type SamplingMessages, samplingBlock, samplingMessages } from './sampling-messages.ts';

/** The limit for any server, whatever it requests. */
const MAX_OUTPUT_TOKENS = 8_192;

/** The user declined, with the error the specification defines. */
class Declined extends Error {
  override readonly name = 'Declined';
  readonly code = -1;
}

export interface SamplingModel {
  readonly label: string;
  readonly model: string;
  readonly provider: ModelProvider;
}

export interface ServerSamplingPorts {
  readonly consent: Pick<ServerConsent, 'askSampling'>;
  /** The conversation's model. */
  readonly modelOf: (conversationId: string) => Promise<SamplingModel>;
}

/**
 * Answers servers' sampling requests with the user's model: each is asked about with everything that would be sent, and
 * its cost belongs to the turn whose call the server is working on. The model gets the server's text and tools, never
 * the conversation's.
 */
export function serverSampling({ consent, modelOf }: ServerSamplingPorts): SamplingPort {
  return async (server, params, { call, conversations }, signal) => {
    const { conversationId } = call;
    const given = samplingMessages(params);
    const { label, model, provider } = await modelOf(conversationId);
    if (provider.isOffline) throw new UnusableRequest('no model is set up');
    const maxTokens = Math.max(
      1,
      Math.min(params.maxTokens, MAX_OUTPUT_TOKENS, provider.limits(model).maxOutputTokens),
    );
    const answer = await consent.askSampling(
      {
        kind: 'sampling',
        server,
        model: label,
        conversationId,
        conversations,
        system: given.system,
        messages: given.shown,
        tools: given.tools.map(({ name, description, inputSchema }) => ({
          name,
          text: `${description}\n${JSON.stringify(inputSchema, undefined, 2)}`,
        })),
        stopSequences: given.stopSequences,
        cost: costOf(given, maxTokens, provider, model),
        preferences: preferencesText(params),
        wantsContext: params.includeContext !== undefined && params.includeContext !== 'none',
      },
      signal,
    );
    const { by, reason } = answer;
    call.record({ type: 'server_request', server, asked: 'sampling', answer: answer.answer, by, reason });
    if (answer.answer !== 'accepted') throw new Declined('The person declined the request');
    const { system, messages, tools, stopSequences } = given;
    const request = { model, system, messages, tools, maxTokens, stopSequences, signal };
    return answered(provider, label, { server, call }, request);
  };
}

function costOf(
  { system, messages, tools }: SamplingMessages,
  mostOutputTokens: number,
  provider: ModelProvider,
  model: string,
): SamplingCost {
  const characters = messages.reduce((sum, message) => sum + messageCharacters(message), system.length);
  const inputTokens = estimateTokens(characters + (tools.length === 0 ? 0 : JSON.stringify(tools).length));
  const usage = { input: inputTokens, output: mostOutputTokens, cacheRead: 0, cacheWrite: 0 };
  return { inputTokens, mostOutputTokens, most: costUsd(usage, provider.price(model)) ?? null };
}

/**
 * The preferences in the server's words, since none of them is followed. No provider takes a temperature: Claude's API
 * has had none since 2026-10-21.
 */
function preferencesText({ modelPreferences, temperature }: CreateMessageRequestParams): string {
  const { hints = [], costPriority, speedPriority, intelligencePriority } = modelPreferences ?? {};
  const named = hints.flatMap(({ name = '' }) => (name === '' ? [] : [name]));
  const weighed = Object.entries({ cost: costPriority, speed: speedPriority, intelligence: intelligencePriority });
  const weights = weighed.flatMap(([what, weight]) => (weight === undefined ? [] : [`${what} ${weight}`]));
  const heat = temperature === undefined ? '' : `temperature ${temperature}`;
  return [named.join(', '), weights.join(', '), heat].filter((line) => line !== '').join('\n');
}

/** The turn that pays for the request. */
interface Payer {
  readonly server: string;
  readonly call: RunningCall;
}

async function answered(
  provider: ModelProvider,
  label: string,
  payer: Payer,
  request: ModelRequest,
): Promise<CreateMessageResultWithTools> {
  const blocks: AssistantBlock[] = [];
  let stopReason: ModelStopReason | undefined;
  for await (const event of provider.stream(request)) {
    if (event.type === 'block') blocks.push(event.block);
    if (event.type !== 'end') continue;
    ({ stopReason } = event);
    if (!request.signal.aborted) recordUsage(event.usage, provider, request.model, payer);
  }
  const { blocks: answer, isCut } = cutAtStop(blocks, request.stopSequences ?? []);
  if (isCut) stopReason = 'stop_sequence';
  const content = answer.flatMap(samplingBlock);
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  return {
    role: 'assistant',
    model: label,
    ...(stopReason === undefined ? {} : { stopReason: ownValue(STOP_REASONS, stopReason) ?? stopReason }),
    // If there are no tools, the specification allows only one block.
    content: request.tools.length === 0 ? { type: 'text', text } : content,
  };
}

function recordUsage(usage: TokenUsage, provider: ModelProvider, model: string, { server, call }: Payer): void {
  const cost = costUsd(usage, provider.price(model));
  call.record({
    type: 'usage',
    server,
    model,
    provider: provider.name,
    ...usage,
    ...(cost === undefined ? {} : { costUsd: cost }),
  });
}

const STOP_REASONS: Readonly<Partial<Record<ModelStopReason, string>>> = {
  end_turn: 'endTurn',
  max_tokens: 'maxTokens',
  stop_sequence: 'stopSequence',
  tool_use: 'toolUse',
};
