import { ConversationLog } from '../../../src-main/assistant/conversation-log.ts';
import { Turn } from '../../../src-main/assistant/turn.ts';
import type { ModelProvider } from '../../../src-main/models/provider.ts';
import { ConversationToolset } from '../../../src-main/tools/registry/conversation-toolset.ts';
import type { SentMessage } from '../../../src-preload/contract/events.ts';
import type { MemoryEvents } from '../../fixtures/memory-events.ts';
import { forgottenImages } from '../../fixtures/memory-images.ts';
import { gateWith, User, yesOnce } from '../../fixtures/memory-ports.ts';
import { noCheckpoints } from '../../fixtures/no-checkpoints.ts';
import { noProvenance } from '../../fixtures/no-provenance.ts';
import { noSecrets } from '../../fixtures/no-secrets.ts';
import type { ToolHarness } from '../../fixtures/tool-harness.ts';

export interface OfferingTurn {
  readonly harness: ToolHarness;
  readonly store: MemoryEvents;
  readonly provider: ModelProvider;
  readonly model: string;
}

/** A turn with the harness's tools, which are made anew, as after a restart; the user agrees to everything. */
export function answerWithTools({ harness, store, provider, model }: OfferingTurn, message: SentMessage) {
  const { registry, environment, workspace } = harness;
  const log = new ConversationLog(store, 'conversation-1', `turn-${store.events.length}`, () => undefined);
  const { gate } = gateWith(new User(() => yesOnce), { realWorkspace: workspace });
  const promptFacts = () => ({ workspace, folders: [], platform: process.platform, now: new Date(), servers: [] });
  const kept = {
    beforeImages: forgottenImages(),
    checkpoints: noCheckpoints,
    provenance: noProvenance,
    knownSecrets: noSecrets(),
  };
  const services = {
    tools: new ConversationToolset({ registry }),
    gate,
    environment,
    askedModels: undefined,
    ...kept,
    maxResultChars: 40_000,
    provider,
    model,
    maxRounds: 10,
    promptFacts,
    awaitTools: async () => [],
  };
  return new Turn(services, log, new AbortController().signal).answer(message);
}
