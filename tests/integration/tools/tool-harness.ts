import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Roots } from '../../../src-main/policy/roots.ts';
import type { Mark } from '../../../src-main/storage/events.ts';
import { registerBuiltInTools } from '../../../src-main/tools/built-in-tools.ts';
import type { ToolContext, ToolResult } from '../../../src-main/tools/contract.ts';
import { WorkspaceFiles } from '../../../src-main/tools/files/workspace-files.ts';
import { ToolRegistry } from '../../../src-main/tools/registry.ts';
import { BackgroundShells } from '../../../src-main/tools/shell/background-shells.ts';
import { ProcessRunner } from '../../../src-main/tools/shell/process-runner.ts';

export interface HarnessOptions {
  /** Workspace below the temporary folder. Default `ws`. */
  readonly workspace?: string;
  /** Granted folders below the temporary folder. */
  readonly folders?: readonly string[];
  /** Profile folder below the temporary folder. Default `profile`. */
  readonly profile?: string;
  readonly readWalkUp?: boolean;
  readonly now?: () => Date;
}

/** Real tools on a real folder of their own; everything below `base` goes when it is disposed of. */
export class ToolHarness {
  /** Real path. */
  readonly base: string;
  readonly workspace: string;
  readonly registry = new ToolRegistry();
  readonly processes = new ProcessRunner();
  readonly shells = new BackgroundShells(this.processes);
  readonly marks: Mark[] = [];
  readonly output: string[] = [];
  readonly context: ToolContext;

  constructor(options: HarnessOptions = {}) {
    this.base = realpathSync(mkdtempSync(join(tmpdir(), 'steward-tools-')));
    this.workspace = join(this.base, options.workspace ?? 'ws');
    const profileDirectory = join(this.base, options.profile ?? 'profile');
    const folders = (options.folders ?? []).map((folder) => join(this.base, folder));
    for (const folder of [this.workspace, profileDirectory, ...folders]) mkdirSync(folder, { recursive: true });
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
      fetch,
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
    rmSync(this.base, { recursive: true, force: true });
  }
}
