import type { AccessClass } from '../../src-preload/contract/access-class.ts';
import type { NetworkAccess } from '../network/network-access.ts';
import type { DiffPreview } from './diff-preview.ts';

export type { AccessClass } from '../../src-preload/contract/access-class.ts';

export interface FileAccess {
  readonly kind: 'file';
  readonly class: 'read' | 'write';
  /** A folder and what is in it. */
  readonly isFolder?: true;
  /** Real path: symlinks resolved, even for a file that does not exist yet. */
  readonly path: string;
  /** Outside the roots, but the tool may go there if the user allows it (read_file's walk to the repository root). */
  readonly outsideRoots: boolean;
  /** A read of a file that usually holds secrets (`secret-files.ts`). */
  readonly isSecret?: boolean;
  /** The file does not exist yet. */
  readonly isNew?: boolean;
  /** The user is shown it. The model is given none of it, but learns that it exists. */
  readonly isForUser?: true;
}

export interface CommandAccess {
  readonly kind: 'command';
  readonly class: 'execute';
  /** `argv`: started without a shell. `shell`: one line for a shell. */
  readonly command:
    | { readonly kind: 'argv'; readonly argv: readonly string[] }
    | { readonly kind: 'shell'; readonly line: string };
  /** Real path. */
  readonly directory: string;
  /** Absent: it may do anything. Otherwise it only reads inside the roots; `repository`: the one git reads. */
  readonly reading?: { readonly repository: string | null };
  /** Names of variables withheld because they look like secrets; absent: none, or it gets no variables at all. */
  readonly withheld?: readonly string[];
  /** It opens something for the user. The model is given nothing of it, not even its output. */
  readonly isForUser?: true;
}

/** A mail from the user's account. */
export interface MailAccess {
  readonly kind: 'mail';
  readonly class: 'send';
  /** The address of the account that sends it, if known. */
  readonly from?: string;
  readonly recipients: readonly string[];
  /** Those of the recipients who are outside the user's organisation; see `recipients.ts`. */
  readonly external?: readonly string[];
  readonly subject?: string;
  /** For how long it can be undone once it is allowed. Absent: it can't. */
  readonly undoSeconds?: number;
  /** Everything that would be sent, besides the subject. */
  readonly text: string;
}

/** The mail that guests of an event get. */
export interface InvitationAccess {
  readonly kind: 'invitation';
  readonly class: 'send';
  readonly recipients: readonly string[];
  /** Those of the recipients who are outside the user's organisation; see `recipients.ts`. */
  readonly external?: readonly string[];
  /** Everything that would be sent. */
  readonly text: string;
}

/** A read or write of the app's own data (memory, to-do list), or a pure computation: no question needed. */
export type AppAccess =
  | { readonly kind: 'app'; readonly class: 'read' }
  /** A write to memory asks while the context is marked untrusted. */
  | { readonly kind: 'app'; readonly class: 'write'; readonly memory: boolean };

/** A variable of Steward's own environment. */
export interface VariableAccess {
  readonly kind: 'variable';
  readonly class: 'read';
  readonly name: string;
  /** It is on the list of variables without secrets and its value does not look like one: no question needed. */
  readonly isPlain: boolean;
}

/** What a server has besides tools. */
export type McpContent = 'resources' | 'prompts';

/** What a tool of an MCP server is assumed to do. Source: design section 4 ("MCP calls"). */
export type McpClass = Extract<AccessClass, 'read' | 'write' | 'send'>;

/** `table`: a server whose tools we know. `person`: set by the user. `claim`: claimed by the server, unverified. */
export type McpClassSource = 'table' | 'person' | 'claim' | 'none';

/** A call of a server's tool. Addresses in its arguments are separate accesses. */
export interface McpAccess {
  readonly kind: 'mcp';
  /** With `classFrom: 'none'` the effects are unknown and `write` is assumed. */
  readonly class: McpClass;
  readonly classFrom: McpClassSource;
  /** As named in config.json. */
  readonly server: string;
  /** As named by the server. Untrusted. The same as `content` if no tool is called. */
  readonly tool: string;
  /** Set if these are listed or read instead of calling a tool. */
  readonly content?: McpContent;
  /** Whose text the results are: a stranger's (`outside`), published (`public`), the user's (`own`). */
  readonly text: 'outside' | 'public' | 'own';
  /** The host of a remote server, as written in URLs; `null` for a server on this machine. */
  readonly remoteHost: string | null;
}

/**
 * The user's own account at a service they connected. Nobody else sees what is asked of it, so it is no network host. Source: design
 * section 4 ("Connected accounts").
 */
export interface AccountAccess {
  readonly kind: 'account';
  /** `write`: only the user sees the change. What reaches other people is another access. */
  readonly class: 'read' | 'write';
  readonly account: 'gmail' | 'calendar';
  /** The calendar's id, if it is not the user's main one: other people may see what is in it. */
  readonly calendar?: string;
  /** What would be created. */
  readonly event?: EventDetails;
}

/** An event as people read it. Everything but `when` is untrusted. */
export interface EventDetails {
  readonly title: string;
  /** In the user's local time, in words, with the time zone. */
  readonly when: string;
  readonly place?: string;
  readonly description?: string;
}

/** An entry in a calendar of the user, whose details are known. */
export function isEvent(access: Access): access is AccountAccess & { readonly event: EventDetails } {
  return access.kind === 'account' && access.event !== undefined;
}

/**
 * A call of a tool that a client of this conversation registered: a program that was paired, or one that runs `ask`. Source: design section 4
 * ("Client tools").
 */
export interface ClientAccess {
  readonly kind: 'client';
  /** What it really does is the client's business. With `requiresPermission` it counts as `execute` (`effectiveClass`). */
  readonly class: 'write';
  /** The client wants the user to be asked each time. */
  readonly requiresPermission: boolean;
  /** The name that the client gives itself. Untrusted. */
  readonly client: string;
  /** Of a program at the socket: an answer is for this pairing alone. */
  readonly pairing?: string;
  /** As named by the client. Untrusted. */
  readonly tool: string;
}

/** Text on the system's clipboard: what the user copied anywhere, or what they paste next. */
export interface ClipboardAccess {
  readonly kind: 'clipboard';
  readonly class: 'read' | 'write';
}

export type Access =
  | ClientAccess
  | ClipboardAccess
  | AccountAccess
  | VariableAccess
  | FileAccess
  | CommandAccess
  | NetworkAccess
  | MailAccess
  | InvitationAccess
  | AppAccess
  | McpAccess;

/** It reaches other people. */
export function isMessage(access: Access): access is MailAccess | InvitationAccess {
  return access.kind === 'mail' || access.kind === 'invitation';
}

/** Only the user sees it; see `isForUser`. */
export function isForUser(access: Access): boolean {
  return (access.kind === 'file' || access.kind === 'command') && access.isForUser === true;
}

/** What the user is shown in addition to the arguments and accesses. */
export type Preview =
  | DiffPreview
  /** `isShort`: usually of one line, and shown beside its title. */
  | { readonly kind: 'text'; readonly title: string; readonly text: string; readonly isShort?: true };

/** The effects of one exact call. */
export interface CallEffects {
  readonly access: readonly Access[];
  readonly previews?: readonly Preview[];
  /**
   * Hash of everything outside the arguments that the answer depends on (the file before the change). An answer is bound
   * to it: if it changed meanwhile, the user is asked again.
   */
  readonly beforeImage?: string;
}
