import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { ConversationLog } from '../../../../src-main/assistant/conversation-log.ts';
import { Turn } from '../../../../src-main/assistant/turn.ts';
import { defineTool } from '../../../../src-main/tools/define-tool.ts';
import { ConversationToolset } from '../../../../src-main/tools/registry/conversation-toolset.ts';
import type { ConversationEvent, StoredEvent } from '../../../../src-preload/contract/events.ts';
import { allowAll } from '../../../fixtures/allow-all.ts';
import { anyWords } from '../../../fixtures/any-words.ts';
import { MemoryEvents } from '../../../fixtures/memory-events.ts';
import { forgottenImages } from '../../../fixtures/memory-images.ts';
import { gateWith, User, yesOnce } from '../../../fixtures/memory-ports.ts';
import type { ScriptedTurn } from '../../../fixtures/messages-api/script.ts';
import { noCheckpoints } from '../../../fixtures/no-checkpoints.ts';
import { noProvenance } from '../../../fixtures/no-provenance.ts';
import { noSecrets } from '../../../fixtures/no-secrets.ts';
import { ToolHarness } from '../../../fixtures/tool-harness.ts';
import type { ServiceUnderTest, StartService } from './service.ts';

export const CUT_OFF = 'A very long story. '.repeat(40);
/** A picture in a result, as a tool returns it. */
export const PICTURE = { type: 'image', mediaType: 'image/png', data: 'UElDVFVSRQ==' } as const;

interface ScriptedExchange {
  readonly says: string;
  readonly answers: readonly ScriptedTurn[];
  /** The user presses Stop as soon as the answer begins to appear. */
  readonly isStopped?: true;
}

const thinks = (thinking: string) => ({ type: 'thinking', thinking }) as const;
const calls = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input }) as const;

/** What happens with every provider: one exchange for each kind of thing that vendors write differently. */
export const SCRIPT: readonly ScriptedExchange[] = [
  {
    says: 'Look at both.',
    answers: [
      {
        blocks: [
          thinks('Two calls at once.'),
          { type: 'text', text: 'I look.' },
          calls('call_one', 'look_at', { what: 'a' }),
          calls('call_two', 'list_files', {}),
        ],
      },
      { blocks: [thinks('One more.'), calls('call_three', 'look_at', { what: 'b' })] },
      { blocks: [thinks('Enough.'), { type: 'text', text: 'I saw it.' }] },
    ],
  },
  {
    says: 'Tell me a long story.',
    answers: [{ text: CUT_OFF, deltaCharacters: 5, delayBetweenEventsMs: 10 }],
    isStopped: true,
  },
  {
    says: 'Do what you must not.',
    answers: [{ stopReason: 'refusal', stopDetails: { category: 'policy', explanation: 'No.' } }],
  },
  {
    says: 'And now?',
    answers: [
      { error: { status: 503, message: 'busy' } },
      { blocks: [calls('call_four', 'no_such_tool', {})] },
      { blocks: [{ type: 'tool_use', id: 'call_five', name: 'look_at', rawInput: '{"what":' }] },
      { text: 'It works again.', usage: { input_tokens: 50, output_tokens: 9 } },
    ],
  },
  { says: 'Go on.', answers: [{ text: 'Cut he', stopReason: 'max_tokens' }] },
  { says: 'Thanks.', answers: [{ blocks: [thinks('Kind.'), { type: 'text', text: 'Bye.' }] }] },
];

export interface HeldConversation {
  readonly events: readonly StoredEvent[];
  readonly services: readonly ServiceUnderTest[];
}

/** Holds the conversation of the script, each exchange with the next of `starts`, over and over. */
export async function holdConversation(starts: readonly StartService[]): Promise<HeldConversation> {
  const queue: ScriptedTurn[] = [];
  const answer = (): ScriptedTurn =>
    queue.shift() ?? { error: { status: 400, message: 'The script has no more answers.' } };
  const services = await Promise.all(starts.map((start) => start(answer)));
  const harness = new ToolHarness({ consent: allowAll });
  onTestFinished(() => harness.dispose());
  const { registry, environment, workspace } = harness;
  const seen = { text: '[image: image/png]', parts: [PICTURE] };
  const input = z.object({ what: z.string() });
  const lookAt = { name: 'look_at', access: 'read', description: 'Looks', words: anyWords } as const;
  registry.register({ tool: defineTool({ ...lookAt, input, execute: async () => seen }), category: 'core' });
  registry.buildAll();
  const { gate } = gateWith(new User(() => yesOnce), { realWorkspace: workspace });
  const now = new Date('2026-11-21T12:00:00Z');
  const promptFacts = () => ({ workspace, folders: [], platform: process.platform, now, servers: [] });
  const kept = {
    beforeImages: forgottenImages(),
    checkpoints: noCheckpoints,
    provenance: noProvenance,
    knownSecrets: noSecrets(),
  };
  const store = new MemoryEvents();
  for (const [index, { says, answers, isStopped }] of SCRIPT.entries()) {
    const { provider, model } = services[index % services.length] as ServiceUnderTest;
    queue.splice(0, queue.length, ...answers);
    const stop = new AbortController();
    const log = new ConversationLog(store, 'conversation-1', `turn-${index}`, (event) => {
      if (isStopped && event.type === 'text_delta') stop.abort(new Error('stopped'));
    });
    const turn = {
      tools: new ConversationToolset({ registry }),
      gate,
      environment,
      ...kept,
      maxResultChars: 40_000,
      askedModels: undefined,
      provider,
      model,
      maxRounds: 9,
      promptFacts,
      awaitTools: async () => [],
    };
    await new Turn(turn, log, stop.signal).answer({ content: [{ type: 'text', text: says }] });
  }
  return { events: store.events, services };
}

/**
 * An event without what belongs to one vendor, one process or one moment. Undefined for events that only tell how a
 * text was cut into pieces.
 */
export function alike(event: StoredEvent): ConversationEvent | undefined {
  const { seq: _seq, turnId: _turn, at: _at, conversationId: _id, ...plain } = event;
  switch (plain.type) {
    case 'text_delta':
      return undefined;
    case 'round_start':
      return { ...plain, provider: 'any', model: 'any' };
    case 'usage': {
      const { costUsd: _cost, ...usage } = plain;
      return { ...usage, provider: 'any', model: 'any' };
    }
    case 'notice':
      return { ...plain, message: '' };
    case 'tool_result': {
      const { elapsedMs: _elapsed, ...result } = plain;
      return result;
    }
    case 'block': {
      const { block } = plain;
      if (block.type === 'thinking') return { ...plain, block: { ...block, signature: '' } };
      if (block.type === 'text' && CUT_OFF.startsWith(block.text))
        return { ...plain, block: { type: 'text', text: '(cut off)' } };
      if (block.type === 'redacted_thinking') return plain;
      const { signature: _signature, ...unsigned } = block;
      return { ...plain, block: unsigned };
    }
    default:
      return plain;
  }
}
