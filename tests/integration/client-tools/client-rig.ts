import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConversationClients } from '../../../src-main/client-tools/conversation-clients.ts';
import { unattendedConsent } from '../../../src-main/headless/flag-consent.ts';
import type { ConsentPort } from '../../../src-main/policy/consent.ts';
import { type Services, startServices } from '../../../src-main/services.ts';
import type { EventOf, StoredEvent } from '../../../src-preload/contract/events.ts';
import type { ScriptedTurn } from '../../fixtures/messages-api/script.ts';
import { type AnswerFunction, type MessagesApi, startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { bareEnvironment } from '../../fixtures/running-assistant.ts';

export interface SentTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: Readonly<Record<string, unknown>>;
}

/** What one request to the Messages API held. */
export interface SentRequest {
  readonly system: string;
  readonly tools: readonly SentTool[];
  readonly text: string;
}

type Api = Pick<MessagesApi, 'url' | 'requests' | 'close'>;

/** The real services with a model that answers by a script, over HTTP. The profile outlives `restart`. */
export class ClientRig {
  readonly base: string;
  readonly profileDirectory: string;
  readonly workspace: string;
  readonly #api: Api;
  readonly #consent: ConsentPort;
  #services: Services | undefined;
  readonly #stop = new AbortController();
  #conversation: string | undefined;

  private constructor(api: Api, consent: ConsentPort, base: string) {
    this.base = base;
    this.profileDirectory = join(base, 'profile');
    this.workspace = join(base, 'workspace');
    this.#api = api;
    this.#consent = consent;
  }

  static async start(
    script: readonly ScriptedTurn[] | AnswerFunction,
    { config = {}, consent = unattendedConsent() }: { config?: object; consent?: ConsentPort } = {},
  ): Promise<ClientRig> {
    const api = await startMessagesApi(typeof script === 'function' ? { answer: script } : { turns: script });
    const rig = new ClientRig(api, consent, mkdtempSync(join(tmpdir(), 'steward-clients-')));
    for (const folder of [rig.profileDirectory, rig.workspace]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(rig.profileDirectory, 'config.json'), JSON.stringify(config));
    await rig.restart();
    return rig;
  }

  /** Opens the profile of another rig, in a process of its own. */
  static async inProcess(base: string, url: string, conversation: string): Promise<ClientRig> {
    const rig = new ClientRig({ url, requests: [], close: async () => undefined }, unattendedConsent(), base);
    rig.#conversation = conversation;
    await rig.restart();
    return rig;
  }

  get services(): Services {
    if (this.#services === undefined) throw new Error('The services are not running');
    return this.#services;
  }

  /** The conversation of this rig. */
  get conversation(): string {
    this.#conversation ??= this.services.storage.conversations.create({ workspace: this.workspace, model: 'none' }).id;
    return this.#conversation;
  }

  get clients(): ConversationClients {
    return this.services.clients.of(this.conversation);
  }

  async pause(): Promise<void> {
    await this.#services?.close();
    this.#services = undefined;
  }

  get url(): string {
    return this.#api.url;
  }

  async restart(): Promise<void> {
    await this.pause();
    this.#services = await startServices({
      profileDirectory: this.profileDirectory,
      launchDirectory: this.base,
      workspace: this.workspace,
      env: { ...bareEnvironment(this.base), ANTHROPIC_API_KEY: 'sk-ant-test', ANTHROPIC_BASE_URL: this.#api.url },
      consent: this.#consent,
      signal: this.#stop.signal,
    });
    await this.#services.refreshCredentials();
  }

  /** One message of the user, and the answer to its end. Returns the events of the turn. */
  async turn(text = 'go', signal: AbortSignal = this.#stop.signal): Promise<readonly StoredEvent[]> {
    const conversation = this.services.storage.conversations.get(this.conversation) ?? null;
    const started = await this.services.openPrompt({
      command: { kind: 'message', text },
      message: { content: [{ type: 'text', text }] },
      origin: { by: 'user', typed: text, pasted: '' },
      conversation,
      title: 'test',
      model: 'anthropic:claude-sonnet-4-5',
    });
    const events: StoredEvent[] = [];
    await started.run({ signal, listener: (event) => 'seq' in event && events.push(event) });
    return events;
  }

  get requests(): readonly SentRequest[] {
    return this.#api.requests.map(({ body }) => sentRequest(body));
  }

  get events(): readonly StoredEvent[] {
    return this.services.storage.events.read(this.conversation);
  }

  results(): readonly EventOf<'tool_result'>[] {
    return this.events.flatMap((event) => (event.type === 'tool_result' ? [event] : []));
  }

  async stop(): Promise<void> {
    await this.#services?.close();
    await this.#api.close();
    rmSync(this.base, { recursive: true, force: true });
  }
}

/** A model's message with these calls: `['IDE', 'OpenFile:{"path":"a"}']`. */
export function calling(...calls: readonly (string | readonly [string, object])[]): ScriptedTurn {
  return {
    blocks: calls.map((call) => {
      const [name, input] = typeof call === 'string' ? [call, {}] : call;
      return { type: 'tool_use', name, input };
    }),
  };
}

function sentRequest(body: unknown): SentRequest {
  const { system = [], tools = [] } = body as { system?: string | { text: string }[]; tools?: SentTool[] };
  return {
    system: typeof system === 'string' ? system : system.map(({ text }) => text).join(''),
    tools,
    text: JSON.stringify(body),
  };
}
