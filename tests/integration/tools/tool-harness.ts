import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ToolEnvironment } from '../../../src-main/assistant/call-services.ts';
import { ConversationLog } from '../../../src-main/assistant/conversation-log.ts';
import { namedBy } from '../../../src-main/assistant/named-hosts.ts';
import { ToolCalls } from '../../../src-main/assistant/tool-calls.ts';
import { CallChanges, type KeptImages } from '../../../src-main/assistant/undo/call-changes.ts';
import { createHttpClient } from '../../../src-main/network/http-client.ts';
import type { CallEffects } from '../../../src-main/policy/access.ts';
import type { ConsentPort } from '../../../src-main/policy/consent.ts';
import type { Gate } from '../../../src-main/policy/gate.ts';
import { Roots } from '../../../src-main/policy/roots.ts';
import { ProcessRunner } from '../../../src-main/processes/process-runner.ts';
import { KnownSecrets } from '../../../src-main/secrets/known-secrets.ts';
import type { AppSecretName } from '../../../src-main/secrets/secret-names.ts';
import { type ServiceName, vendorBaseUrls } from '../../../src-main/settings/endpoints.ts';
import type { Memory } from '../../../src-main/storage/records/memory.ts';
import { registerBuiltInTools } from '../../../src-main/tools/built-in-tools.ts';
import type {
  GoogleAccounts,
  Outbox,
  SearchProviderName,
  ToolContext,
  ToolResult,
} from '../../../src-main/tools/contract.ts';
import { readOnly } from '../../../src-main/tools/files/change-recorder.ts';
import { WorkspaceFiles } from '../../../src-main/tools/files/workspace-files.ts';
import { ConversationToolset } from '../../../src-main/tools/registry/conversation-toolset.ts';
import type { PreparedCall } from '../../../src-main/tools/registry/prepared-call.ts';
import { ToolRegistry } from '../../../src-main/tools/registry/registry.ts';
import type { McpResources } from '../../../src-main/tools/session/mcp-resources.ts';
import { BackgroundShells } from '../../../src-main/tools/shell/background-shells.ts';
import type { EventOf, Mark } from '../../../src-preload/contract/events.ts';
import type { ToolCard } from '../../../src-preload/contract/tool-card.ts';
import { allowed } from '../../fixtures/allow-all.ts';
import { MemoryEvents } from '../../fixtures/memory-events.ts';
import { forgottenImages } from '../../fixtures/memory-images.ts';
import { noProvenance } from '../../fixtures/no-provenance.ts';
import { processPorts } from '../../fixtures/process-ports.ts';
import { registryPorts } from '../../fixtures/registry-ports.ts';
import { gateWith, type MemoryRules, never } from '../../unit/policy/memory-ports.ts';

export interface HarnessOptions {
  /** Workspace below the temporary folder. Default `ws`. */
  readonly workspace?: string;
  /** Granted folders below the temporary folder. */
  readonly folders?: readonly string[];
  /** Profile folder below the temporary folder. Default `profile`. */
  readonly profile?: string;
  readonly readWalkUp?: boolean;
  /** `workingDirectory` of config.json, below the temporary folder. */
  readonly workingDirectory?: string;
  readonly now?: () => Date;
  readonly endpoints?: Partial<Record<ServiceName, string>>;
  readonly keys?: Partial<Record<AppSecretName, string>>;
  readonly searchProvider?: SearchProviderName;
  readonly memory?: Memory;
  readonly mcpResources?: McpResources;
  readonly google?: GoogleAccounts;
  readonly outbox?: Outbox;
  readonly env?: NodeJS.ProcessEnv;
  /** Answers and rules last from one call to the next. */
  readonly remembers?: true;
  /** Who answers questions; `allowAll` where policy is not the point. */
  readonly consent: ConsentPort;
}

/** What one call has that others have not. */
export interface CallOptions extends Partial<ToolEnvironment> {
  readonly signal?: AbortSignal;
  readonly onOutput?: (chunk: string) => void;
  /** What is in the conversation when the call is made. */
  readonly marks?: readonly Mark[];
  /** What the user typed before it. */
  readonly said?: string;
  readonly conversationId?: string;
  readonly beforeImages?: KeptImages;
}

const NO_SERVERS: McpResources = {
  servers: [],
  access: () => {
    throw new TypeError('There are no servers');
  },
  isListed: () => false,
  addresses: async () => [],
  list: () => Promise.reject(new TypeError('There are no servers')),
  read: () => Promise.reject(new TypeError('There are no servers')),
};

const NO_GOOGLE: GoogleAccounts = {
  address: async () => undefined,
  token: () => Promise.reject(new TypeError('There is no Google account')),
};

const NO_OUTBOX: Outbox = { waitSeconds: 0, send: () => Promise.reject(new TypeError('There is no outbox')) };

/** For tools that have nothing to do with memory. */
const NO_MEMORY = new Proxy({} as Memory, {
  get: () => () => {
    throw new TypeError('This harness was made without a memory');
  },
});

/**
 * Real tools on a real folder of their own, called as in a turn: through the gate, with a person who is asked.
 * Everything below `base` goes when it is disposed of.
 */
export class ToolHarness {
  /** Real path. */
  readonly base: string;
  readonly workspace: string;
  readonly registry: ToolRegistry;
  readonly processes = new ProcessRunner(processPorts);
  readonly shells = new BackgroundShells(this.processes);
  readonly knownSecrets: KnownSecrets;
  readonly http = createHttpClient();
  /** Of the results of all calls. */
  readonly marks: Mark[] = [];
  readonly cards: ToolCard[] = [];
  /** Those of the results that may be followed. */
  readonly links: string[] = [];
  readonly output: string[] = [];
  readonly environment: ToolEnvironment;
  /** Of a harness that remembers. */
  readonly rules: MemoryRules;
  readonly #gate: () => Gate;

  constructor(options: HarnessOptions) {
    this.base = realpathSync(mkdtempSync(join(tmpdir(), 'steward-tools-')));
    this.workspace = join(this.base, options.workspace ?? 'ws');
    const gateOf = () => gateWith(options.consent, { realWorkspace: this.workspace });
    const { gate, rules } = gateOf();
    this.rules = rules;
    this.#gate = () => (options.remembers === true ? gate : gateOf().gate);
    this.knownSecrets = new KnownSecrets(() => Object.values(options.keys ?? {}));
    const profileDirectory = join(this.base, options.profile ?? 'profile');
    const folders = (options.folders ?? []).map((folder) => join(this.base, folder));
    for (const folder of [this.workspace, profileDirectory, ...folders]) mkdirSync(folder, { recursive: true });
    // Every credential: what a tool needs to be offered is the registry's own test.
    const available = { hasCredential: () => true, searchProvider: undefined };
    this.registry = new ToolRegistry(registryPorts({ available }));
    registerBuiltInTools(this.registry);
    const roots = new Roots({
      workspace: this.workspace,
      folders,
      profileDirectory,
      homeDirectory: dirname(this.base),
      workingDirectory: options.workingDirectory && join(this.base, options.workingDirectory),
    });
    this.environment = {
      workspace: this.workspace,
      files: new WorkspaceFiles({ roots, readWalkUp: options.readWalkUp ?? true, recorder: readOnly }),
      processes: this.processes,
      shells: this.shells,
      now: options.now ?? (() => new Date()),
      http: this.http,
      vendors: {
        baseUrlOf: (service) => options.endpoints?.[service] ?? vendorBaseUrls[service],
        keyOf: async (name) => options.keys?.[name],
        searchProvider: options.searchProvider,
      },
      mcpResources: options.mcpResources ?? NO_SERVERS,
      google: options.google ?? NO_GOOGLE,
      outbox: options.outbox ?? NO_OUTBOX,
      memory: options.memory ?? NO_MEMORY,
      env: options.env ?? process.env,
    };
  }

  /** Writes a file below the workspace (or below `base` with `../`). */
  put(path: string, content: string | Uint8Array): string {
    const absolute = join(this.workspace, path);
    mkdirSync(dirname(absolute), { recursive: true });
    writeFileSync(absolute, content);
    return absolute;
  }

  /** As a model calls it, in a conversation of its own. */
  async call(name: string, input: unknown, options: CallOptions = {}): Promise<ToolResult> {
    const { decision, result } = await this.turn(name, input, options);
    const { text, isError, outcome } = result;
    const isOwnOutcome = decision.answer === 'allow' && (outcome === 'stopped' || outcome === 'declined');
    return { text, isError, ...(isOwnOutcome ? { outcome } : {}) };
  }

  async text(name: string, input: unknown, options: CallOptions = {}): Promise<string> {
    return (await this.call(name, input, options)).text;
  }

  /** The same, with what was decided. */
  async turn(
    name: string,
    input: unknown,
    {
      signal = never,
      onOutput,
      marks,
      said = '',
      conversationId = 'conversation-1',
      beforeImages,
      ...environment
    }: CallOptions = {},
  ): Promise<{ readonly decision: EventOf<'decision'>; readonly result: EventOf<'tool_result'> }> {
    const events = new MemoryEvents();
    const log = new ConversationLog(events, conversationId, 'turn-1', (event) => {
      if (event.type !== 'tool_output') return;
      this.output.push(event.chunk);
      onOutput?.(event.chunk);
    });
    if (marks !== undefined || said !== '')
      log.append({ type: 'user_message', content: [], marks: marks ?? [], named: namedBy({ typed: said }) });
    const calls = new ToolCalls(
      {
        tools: new ConversationToolset({ registry: this.registry }),
        gate: this.#gate(),
        environment: { ...this.environment, ...environment },
        beforeImages: beforeImages ?? forgottenImages(),
        provenance: noProvenance,
        maxResultChars: 0,
        askedModels: undefined,
        knownSecrets: this.knownSecrets,
      },
      log,
      'model',
      signal,
    );
    await calls.run([{ id: 'call-1', name, input }]);
    const [decision] = events.ofType('decision');
    const [result] = events.ofType('tool_result');
    if (decision === undefined || result === undefined) throw new Error(`${name} has no decision or no result`);
    this.marks.push(...(result.marks ?? []));
    this.links.push(...(result.links ?? []));
    if (result.card !== undefined) this.cards.push(result.card);
    return { decision, result };
  }

  /** What the call would touch. Throws the text of one that cannot be made. */
  async effectsOf(name: string, input: unknown, options: Partial<ToolEnvironment> = {}): Promise<CallEffects> {
    return this.#prepared(name, input).assess(this.#context(options));
  }

  /**
   * A call that was allowed; what is given does it, whatever has become of the world since. `signal`: the user's Stop.
   */
  async allowed(
    name: string,
    input: unknown,
    options: Partial<ToolEnvironment> = {},
  ): Promise<(signal?: AbortSignal) => Promise<ToolResult>> {
    const call = this.#prepared(name, input);
    const context = this.#context(options);
    const authorization = await allowed(await call.assess(context));
    return (signal = never) => call.execute(authorization, { ...context, signal });
  }

  #prepared(name: string, input: unknown): PreparedCall {
    const prepared = this.registry.prepare(name, input);
    if (!prepared.ok) throw new Error(prepared.text);
    return prepared.call;
  }

  #context(options: Partial<ToolEnvironment>): ToolContext {
    const log = new ConversationLog(new MemoryEvents(), 'conversation-1', 'turn-1', () => undefined);
    const kept = { images: forgottenImages(), provenance: noProvenance };
    const changes = { ...kept, log, callId: 'call-1', marks: [] };
    const files = this.environment.files.recording(new CallChanges(changes));
    return {
      ...this.environment,
      files,
      ...options,
      conversationId: 'conversation-1',
      callId: 'call-1',
      marks: [],
      signal: never,
      allowAccess: async () => undefined,
      mark: () => undefined,
      links: () => undefined,
      exited: () => undefined,
      card: () => undefined,
      record: () => undefined,
      askModel: () => Promise.reject(new Error('No other model can be asked here.')),
      findTools: async () => [],
      commandEnvironment: undefined,
      onOutput: () => undefined,
    };
  }

  async dispose(): Promise<void> {
    await this.processes.killAll();
    await this.http.close();
    rmSync(this.base, { recursive: true, force: true });
  }
}
