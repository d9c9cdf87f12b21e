import type { AccountName } from '../../src-preload/contract/account-reason.ts';
import type { MailLinks } from './known-addresses.ts';
import type { McpClass, McpContent } from './mcp/mcp-class.ts';

/**
 * A rule answers "allow" for calls like the one it was made from. Rules are stored in the database; only main writes
 * them.
 */
export type RuleMatcher =
  /** Writes (or reads) at or below this real path. */
  | { readonly kind: 'folder'; readonly class: 'read' | 'write'; readonly path: string }
  /**
   * Exactly this command (see `commands/exact-command.ts`) in exactly this real folder. `outsideTextShownIn`: the
   * conversation whose card warned of text from outside; there the rule also applies while such text is in the context.
   */
  | {
      readonly kind: 'exact-command';
      readonly line: string;
      readonly directory: string;
      readonly outsideTextShownIn?: string;
    }
  /**
   * A command that no rule can cover (see `commands/repeated-command.ts`), in exactly this real folder: only for a
   * conversation, and only until text from outside comes in that this command did not bring itself. `outsideThrough`:
   * what had come in when it was shown.
   */
  | {
      readonly kind: 'repeated-command';
      readonly hash: string;
      readonly line: string;
      readonly directory: string;
      readonly outsideThrough: number;
    }
  /** `git status`, `log`, `diff` and `show` in the repository whose working tree is at this real path. */
  | { readonly kind: 'repository'; readonly path: string; readonly outsideTextShownIn?: string }
  /** From a version whose rules covered all commands that begin the same way. No longer has any effect. */
  | { readonly kind: 'command'; readonly argv: readonly string[] }
  /**
   * Exactly this tool of this MCP server, as long as its class is the same. `outsideTextShownIn`: as for commands;
   * ignored for a tool that may change something.
   */
  | {
      readonly kind: 'mcp-tool';
      readonly server: string;
      readonly tool: string;
      readonly class: Exclude<McpClass, 'send'>;
      /** No tool: the server's resources or prompts. */
      readonly content?: McpContent;
      readonly outsideTextShownIn?: string;
    }
  /** Changes in this account of the user that nobody else sees. `outsideTextShownIn`: as for commands. */
  | { readonly kind: 'account'; readonly account: AccountName; readonly outsideTextShownIn?: string }
  /** Links that stood in mails of these senders when they were read, to these hosts: only for a conversation. */
  | { readonly kind: 'mail-links'; readonly mails: readonly MailLinks[] }
  /** Requests to exactly this host. */
  | { readonly kind: 'host'; readonly class: 'network' | 'network-private'; readonly host: string };

export interface RuleDraft {
  /** For people: `edit files in /home/ada/notes`, `run "npm test" in /home/ada/project`. */
  readonly label: string;
  /** `null`: any tool. */
  readonly tool: string | null;
  readonly matcher: RuleMatcher;
}

export interface Rule extends RuleDraft {
  readonly id: string;
  /** `null`: always. */
  readonly conversationId: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly uses: number;
}

/** Where rules are kept. Implemented by storage. */
export interface RuleStore {
  /** Rules for this conversation, including the permanent ones. */
  list(conversationId: string | null): readonly Rule[];
  add(draft: RuleDraft, conversationId: string | null): Rule;
  markUsed(id: string): void;
  revoke(id: string): boolean;
}

/** It can be kept for a conversation, and no longer. */
export function isForConversationOnly({ matcher }: Pick<Rule, 'matcher'>): boolean {
  return matcher.kind === 'repeated-command' || matcher.kind === 'mail-links';
}

/** Kept only for history, until it is removed. */
export function isWithoutEffect({ matcher }: Pick<Rule, 'matcher'>): boolean {
  return matcher.kind === 'command';
}
