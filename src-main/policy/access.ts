import type { NetworkAccess } from '../network/network-access.ts';
import type { DiffPreview } from './diff-preview.ts';

/**
 * What a call would touch. A tool says it of each exact call before anything runs; the policy decides on it and the user
 * is shown it. Source: design section 4, tool catalogue B ("Side-effect classes").
 */
export type AccessClass = 'read' | 'write' | 'execute' | 'network' | 'network-private' | 'send';

export interface FileAccess {
  readonly class: 'read' | 'write';
  readonly kind: 'file' | 'directory';
  /** Real path: symlinks resolved, also of a file that does not exist yet. */
  readonly path: string;
  /** Outside the roots, yet the tool may go there if the user says so (read_file's walk to the repository root). */
  readonly outsideRoots: boolean;
  /** It usually holds secrets (`secret-files.ts`), and is read. */
  readonly isSecret?: boolean;
  /** There is no such file yet. */
  readonly isNew?: boolean;
}

export interface ExecuteAccess {
  readonly class: 'execute';
  /** `argv`: started without a shell. `shell`: one line for a shell. */
  readonly command:
    | { readonly kind: 'argv'; readonly argv: readonly string[] }
    | { readonly kind: 'shell'; readonly line: string };
  /** Real path. */
  readonly directory: string;
  /** Absent: it may do anything. Else it only reads, inside the roots; `repository`: the one that git looks into. */
  readonly reading?: { readonly repository: string | null };
  /** Names of variables that it is not given, because they look like secrets; absent: none, or it is given none at all. */
  readonly withheld?: readonly string[];
}

export interface SendAccess {
  readonly class: 'send';
  readonly recipients: readonly string[];
  /** Everything that would go out. */
  readonly text: string;
}

/** A read or write of the app's own store (memory, to-do list), or a pure computation: there is nothing to ask. */
export type AppAccess =
  | { readonly class: 'read'; readonly kind: 'app' }
  /** A write to memory asks while the context is marked untrusted. */
  | { readonly class: 'write'; readonly kind: 'app'; readonly memory: boolean };

/** A variable of Steward's own environment. */
export interface EnvironmentAccess {
  readonly class: 'read';
  readonly kind: 'environment';
  readonly name: string;
  /** It is on the list of those that hold no secrets, and so does its value look: it is read without a question. */
  readonly isPlain: boolean;
}

/** What a tool of an MCP server is taken for. Source: design section 4 ("MCP calls"). */
export type McpClass = Extract<AccessClass, 'read' | 'write' | 'send'>;

/** `table`: of a server whose tools we know. `person`: they set it. `claim`: the server says so, and nobody has checked it. */
export type McpClassSource = 'table' | 'person' | 'claim' | 'none';

/** A call of a server's tool. Addresses in its arguments are accesses of their own beside it. */
export interface McpAccess {
  readonly kind: 'mcp';
  /** `none`: nothing says what it does, and it is taken for `write`. */
  readonly class: McpClass;
  readonly classFrom: McpClassSource;
  /** As config.json names it. */
  readonly server: string;
  /** As the server names it. Untrusted. */
  readonly tool: string;
  /** Whose text the results are: a stranger's (`outside`), anybody's (`public`), the person's (`own`). */
  readonly text: 'outside' | 'public' | 'own';
  /** Where a server is that does not run on this machine, as URLs carry it; `null`: it runs here. */
  readonly remoteHost: string | null;
}

export type Access =
  | EnvironmentAccess
  | FileAccess
  | ExecuteAccess
  | NetworkAccess
  | SendAccess
  | AppAccess
  | McpAccess;

/** What the user is shown besides the arguments and what would be touched. */
export type Preview = DiffPreview | { readonly kind: 'text'; readonly title: string; readonly text: string };

/** What one exact call would touch. */
export interface CallEffects {
  readonly access: readonly Access[];
  readonly previews?: readonly Preview[];
  /**
   * Hash of everything outside the arguments that the answer depends on (the file before the change). An answer is bound
   * to it: if it changed meanwhile, the user is asked again.
   */
  readonly beforeImage?: string;
}
