import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createHttpClient } from '../../../src-main/network/http-client.ts';
import { Roots } from '../../../src-main/policy/roots.ts';
import { ProcessRunner } from '../../../src-main/processes/process-runner.ts';
import type { AppSecretName } from '../../../src-main/secrets/secret-names.ts';
import { type ServiceName, vendorBaseUrls } from '../../../src-main/settings/endpoints.ts';
import type { Memory } from '../../../src-main/storage/records/memory.ts';
import { registerBuiltInTools } from '../../../src-main/tools/built-in-tools.ts';
import type { SearchProviderName, ToolContext, ToolResult } from '../../../src-main/tools/contract.ts';
import { WorkspaceFiles } from '../../../src-main/tools/files/workspace-files.ts';
import { ToolRegistry } from '../../../src-main/tools/registry.ts';
import { BackgroundShells } from '../../../src-main/tools/shell/background-shells.ts';
import type { Mark } from '../../../src-preload/contract/events.ts';
import type { ToolCard } from '../../../src-preload/contract/tool-card.ts';

export interface HarnessOptions {
  /** Workspace below the temporary folder. Default `ws`. */
  readonly workspace?: string;
  /** Granted folders below the temporary folder. */
  readonly folders?: readonly string[];
  /** Profile folder below the temporary folder. Default `profile`. */
  readonly profile?: string;
  readonly readWalkUp?: boolean;
  readonly now?: () => Date;
  readonly endpoints?: Partial<Record<ServiceName, string>>;
  readonly keys?: Partial<Record<AppSecretName, string>>;
  readonly searchProvider?: SearchProviderName;
  readonly memory?: Memory;
  readonly env?: NodeJS.ProcessEnv;
}

/** For tools that have nothing to do with memory. */
const NO_MEMORY = new Proxy({} as Memory, {
  get: () => () => {
    throw new TypeError('This harness was made without a memory');
  },
});

/** Real tools on a real folder of their own; everything below `base` goes when it is disposed of. */
export class ToolHarness {
  /** Real path. */
  readonly base: string;
  readonly workspace: string;
  readonly registry: ToolRegistry;
  readonly processes = new ProcessRunner();
  readonly shells = new BackgroundShells(this.processes);
  readonly http = createHttpClient();
  readonly marks: Mark[] = [];
  readonly cards: ToolCard[] = [];
  readonly output: string[] = [];
  readonly context: ToolContext;

  constructor(options: HarnessOptions = {}) {
    this.base = realpathSync(mkdtempSync(join(tmpdir(), 'steward-tools-')));
    this.workspace = join(this.base, options.workspace ?? 'ws');
    const profileDirectory = join(this.base, options.profile ?? 'profile');
    const folders = (options.folders ?? []).map((folder) => join(this.base, folder));
    for (const folder of [this.workspace, profileDirectory, ...folders]) mkdirSync(folder, { recursive: true });
    // Every credential: what a tool needs to be offered is the registry's own test.
    this.registry = new ToolRegistry({ available: { hasCredential: () => true } });
    registerBuiltInTools(this.registry);
    const roots = new Roots({
      workspace: this.workspace,
      folders,
      profileDirectory,
      homeDirectory: dirname(this.base),
    });
    this.context = {
      workspace: this.workspace,
      files: new WorkspaceFiles({ roots, readWalkUp: options.readWalkUp }),
      processes: this.processes,
      shells: this.shells,
      signal: new AbortController().signal,
      now: options.now ?? (() => new Date()),
      http: this.http,
      vendors: {
        baseUrlOf: (service) => options.endpoints?.[service] ?? vendorBaseUrls[service],
        keyOf: async (name) => options.keys?.[name],
        searchProvider: options.searchProvider,
      },
      memory: options.memory ?? NO_MEMORY,
      env: options.env ?? process.env,
      conversationId: null,
      marks: [],
      card: (card) => this.cards.push(card),
      mark: (mark) => this.marks.push(mark),
      onOutput: (chunk) => this.output.push(chunk),
    };
  }

  /** Writes a file below the workspace (or below `base` with `../`). */
  put(path: string, content: string | Uint8Array): string {
    const absolute = join(this.workspace, path);
    mkdirSync(dirname(absolute), { recursive: true });
    writeFileSync(absolute, content);
    return absolute;
  }

  /** As a model calls it. */
  call(name: string, input: unknown, context: Partial<ToolContext> = {}): Promise<ToolResult> {
    return this.registry.execute(name, input, { ...this.context, ...context });
  }

  async text(name: string, input: unknown, context: Partial<ToolContext> = {}): Promise<string> {
    return (await this.call(name, input, context)).text;
  }

  async dispose(): Promise<void> {
    await this.processes.killAll();
    await this.http.close();
    rmSync(this.base, { recursive: true, force: true });
  }
}
