import { ConversationLog } from '../../../src-main/assistant/conversation-log.ts';
import { ToolCalls } from '../../../src-main/assistant/tool-calls.ts';
import type { KeptImages } from '../../../src-main/assistant/undo/call-changes.ts';
import { ConfiguredProvider } from '../../../src-main/models/configured-provider.ts';
import {
  ModelError,
  type ModelErrorCode,
  type ModelPrice,
  type ModelProvider,
  type ModelRequest,
  type ModelStopReason,
  type ModelStreamEvent,
} from '../../../src-main/models/provider.ts';
import type { ConsentPort } from '../../../src-main/policy/consent.ts';
import { AskableProviders } from '../../../src-main/services/askable-providers.ts';
import { configSchema } from '../../../src-main/settings/config-schema.ts';
import { ConversationToolset } from '../../../src-main/tools/registry/conversation-toolset.ts';
import type { ConversationEvent } from '../../../src-preload/contract/events.ts';
import { allowAll } from '../../fixtures/allow-all.ts';
import { MemoryEvents } from '../../fixtures/memory-events.ts';
import { forgottenImages } from '../../fixtures/memory-images.ts';
import { noProvenance } from '../../fixtures/no-provenance.ts';
import { noSecrets } from '../../fixtures/no-secrets.ts';
import { anyModel } from '../../fixtures/scripted-model.ts';
import { gateWith } from '../../unit/policy/memory-ports.ts';
import { ToolHarness } from '../tools/tool-harness.ts';

/** One generation. */
export interface Said {
  readonly text?: string;
  readonly calls?: readonly { readonly id?: string; readonly name: string; readonly input?: Record<string, unknown> }[];
  readonly stopReason?: ModelStopReason;
  readonly fails?: ModelErrorCode;
  /** Never answers, and does not listen to Stop. */
  readonly hangs?: true;
  /** Files that its service refused. */
  readonly refusedFiles?: readonly string[];
}

/** A model that answers as the test says, and keeps what it was sent. */
export class Advisor implements ModelProvider {
  readonly requests: ModelRequest[] = [];
  readonly name: string;
  readonly isOffline = false;
  readonly limits = anyModel.limits;
  readonly capabilities = anyModel.capabilities;
  readonly list = anyModel.list;
  readonly remedies = anyModel.remedies;
  say: (request: ModelRequest, index: number) => Said | Promise<Said>;
  rates: ModelPrice | undefined;

  constructor(name: string, say: Advisor['say']) {
    this.name = name;
    this.say = say;
  }

  price(): ModelPrice | undefined {
    return this.rates;
  }

  async *stream(request: ModelRequest): AsyncIterable<ModelStreamEvent> {
    // A copy: the list goes on growing.
    this.requests.push({ ...request, messages: [...request.messages] });
    const said = await this.say(request, this.requests.length - 1);
    if (said.hangs === true) await new Promise(() => undefined);
    if (said.fails !== undefined) throw new ModelError(said.fails, `It failed: ${said.fails}.`);
    const { text, calls = [], refusedFiles: names } = said;
    if (names !== undefined) yield { type: 'left_out', reason: 'refused_files', names, said: 'It is damaged.' };
    if (text !== undefined) yield { type: 'block', block: { type: 'text', text } };
    for (const [index, { id = `call_${index}`, name, input = {} }] of calls.entries())
      yield { type: 'block', block: { type: 'tool_use', id, name, input } };
    const stopReason = said.stopReason ?? (calls.length > 0 ? 'tool_use' : 'end_turn');
    yield { type: 'end', stopReason, usage: { input: 10, output: 2, cacheRead: 0, cacheWrite: 0 } };
  }
}

export interface AskModelRigOptions {
  readonly consent?: ConsentPort;
  /** `providers` of config.json. */
  readonly providers?: Readonly<Record<string, Record<string, unknown>>>;
  readonly beforeImages?: KeptImages;
}

/** The real tools and gate, with models that are asked as the test says. `advisors`: by name in config.json. */
export function askModelRig(
  advisors: Readonly<Record<string, Advisor>>,
  { consent = allowAll, providers, beforeImages = forgottenImages() }: AskModelRigOptions = {},
) {
  const harness = new ToolHarness({ consent: allowAll });
  const store = new MemoryEvents();
  const stop = new AbortController();
  const { registry, environment, workspace } = harness;
  const named = Object.fromEntries(
    Object.keys(advisors).map((name) => [name, { type: 'anthropic', model: `${name}-1` }]),
  );
  const settings = { config: configSchema.parse({ providers: providers ?? named }) };
  const opened: string[] = [];
  const askable = new AskableProviders({
    settings,
    env: {},
    registry,
    hasKey: () => false,
    configured: () => Object.keys(settings.config.providers),
    load: async (name) => {
      opened.push(name);
      const provider = advisors[name];
      if (provider === undefined) throw new Error(`no advisor ${name}`);
      const { model = '', temperature, effort } = settings.config.providers[name] ?? {};
      const requests = {
        ...(temperature === undefined ? {} : { temperature }),
        ...(effort === undefined ? {} : { effort }),
      };
      // As services/model-services.ts makes it.
      const configuration = { requests, priceOf: () => undefined, check: () => undefined };
      return { provider: new ConfiguredProvider(provider, configuration), model };
    },
  });
  askable.register();
  const { gate, rules } = gateWith(consent, { realWorkspace: workspace, providerOrigins: () => askable.origins() });
  const log = new ConversationLog(store, 'conversation-1', 'turn-1', () => undefined);
  const kept = { beforeImages, provenance: noProvenance, knownSecrets: noSecrets() };
  const services = {
    tools: new ConversationToolset({ registry }),
    gate,
    environment,
    ...kept,
    maxResultChars: 40_000,
    askedModels: askable,
  };
  const run = (...calls: readonly { id: string; name: string; input: unknown }[]) =>
    new ToolCalls(services, log, 'model', stop.signal).run(calls);
  /** The result of one question. */
  const ask = async (provider: string, input: Record<string, unknown> = { prompt: 'Well?' }) => {
    const id = `ask-${store.events.length}`;
    await run({ id, name: `ask_${provider}`, input });
    const result = store.ofType('tool_result').find((each) => each.id === id);
    if (result === undefined) throw new Error('no result');
    return result;
  };
  const ofType = <T extends ConversationEvent['type']>(type: T) => store.ofType(type);
  return {
    harness,
    registry,
    workspace,
    store,
    stop,
    log,
    services,
    settings,
    askable,
    opened,
    rules,
    run,
    ask,
    ofType,
  };
}
