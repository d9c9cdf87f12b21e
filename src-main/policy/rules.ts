import type { AccountName } from '../../src-preload/contract/account-reason.ts';
import type { KeptFor } from '../../src-preload/contract/decision-reason.ts';
import type { Peer } from '../network/peer.ts';
import { mayAlwaysConnect } from './command-hosts.ts';
import type { MailLinks } from './known-addresses.ts';
import type { McpClass, McpContent } from './mcp/mcp-class.ts';

/**
 * What a rule covers. A rule answers "allow" for calls like the one that it was made from. Rules are stored in the
 * database, and only main writes them.
 */
export type RuleMatcher =
  /** Allows reading or writing at or below this real path. */
  | { readonly kind: 'folder'; readonly class: 'read' | 'write'; readonly path: string }
  /**
   * Allows exactly this command (see `commands/exact-command.ts`) in exactly this real folder. `outsideTextShownIn` is
   * the conversation whose card warned of text from outside. There the rule also applies while such text is in the
   * context.
   */
  | {
      readonly kind: 'exact-command';
      readonly line: string;
      readonly directory: string;
      readonly outsideTextShownIn?: string;
    }
  /**
   * Allows a command that no rule can cover (see `commands/repeated-command.ts`) in exactly this real folder. It
   * applies only in one conversation, and only until text from outside comes in that this command did not bring itself.
   * `outsideThrough` is what had come in when it was shown.
   */
  | {
      readonly kind: 'repeated-command';
      readonly hash: string;
      readonly line: string;
      readonly directory: string;
      readonly outsideThrough: number;
    }
  /**
   * Allows edits in this real folder, and commands that are held in a sandbox in which only this folder can be written.
   * `until` is the time, in ISO 8601, when it ends.
   */
  | { readonly kind: 'work-freely'; readonly path: string; readonly until?: string }
  /**
   * Allows commands that are held in the sandbox of this real folder to connect to this host, or to package registries.
   * `outsideTextShownIn` is as for commands.
   */
  | {
      readonly kind: 'connection';
      readonly class: 'network' | 'network-private';
      readonly path: string;
      readonly to: Peer | 'registries';
      readonly outsideTextShownIn?: string;
    }
  /** Allows `git status`, `log`, `diff` and `show` in the repository whose working tree is at this real path. */
  | { readonly kind: 'repository'; readonly path: string; readonly outsideTextShownIn?: string }
  /**
   * A rule of an earlier version, which covered all commands that begin the same way. It has no effect: `git log` would
   * cover `git log --output=~/.bashrc`.
   */
  | { readonly kind: 'command'; readonly argv: readonly string[] }
  /**
   * Allows exactly this tool of this MCP server, as long as its class is the same. `outsideTextShownIn` is as for
   * commands, and ignored for a tool that may change something.
   */
  | {
      readonly kind: 'mcp-tool';
      readonly server: string;
      readonly tool: string;
      readonly class: Exclude<McpClass, 'send'>;
      /** The rule is about the server's resources or prompts, and not about a tool. */
      readonly content?: McpContent;
      readonly outsideTextShownIn?: string;
    }
  /** Allows changes in this account of the user that nobody else sees. `outsideTextShownIn` is as for commands. */
  | { readonly kind: 'account'; readonly account: AccountName; readonly outsideTextShownIn?: string }
  /**
   * Allows links to these hosts that stood in mails of these senders when they were read. It applies only in one
   * conversation.
   */
  | { readonly kind: 'mail-links'; readonly mails: readonly MailLinks[] }
  /** Allows requests to exactly this host. */
  | { readonly kind: 'host'; readonly class: 'network' | 'network-private'; readonly host: string };

export interface RuleDraft {
  /** What the rule allows, for people: `edit files in /home/ada/notes`, `run "npm test" in /home/ada/project`. */
  readonly label: string;
  /** The tool that the rule is for, or null for any. */
  readonly tool: string | null;
  readonly matcher: RuleMatcher;
}

export interface Rule extends RuleDraft {
  readonly id: string;
  /** The conversation that the rule applies in, or null if it always applies. */
  readonly conversationId: string | null;
  /** The time in ISO 8601. */
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly uses: number;
}

/** Keeps rules. The implementation is in the storage room. */
export interface RuleStore {
  /** The rules that apply in this conversation, including the permanent ones. */
  list(conversationId: string | null): readonly Rule[];
  add(draft: RuleDraft, conversationId: string | null): Rule;
  markUsed(id: string): void;
  revoke(id: string): boolean;
}

/** Whether the user can keep the rule for this long. */
export function mayBeKept({ matcher }: Pick<Rule, 'matcher'>, duration: KeptFor): boolean {
  switch (duration) {
    case 'conversation':
      return true;
    case 'week':
      return matcher.kind === 'work-freely';
    case 'always':
      if (matcher.kind === 'connection') return matcher.to === 'registries' || mayAlwaysConnect(matcher.to);
      return matcher.kind !== 'repeated-command' && matcher.kind !== 'mail-links';
  }
}

/** The time in ISO 8601 when the rule ends. Undefined if no time ends it. */
export function endOf({ matcher }: Pick<Rule, 'matcher'>): string | undefined {
  return matcher.kind === 'work-freely' ? matcher.until : undefined;
}

/** Whether the rule has no effect at this time, and is kept only as history until it is removed. */
export function isWithoutEffect(rule: Pick<Rule, 'matcher'>, now: Date): boolean {
  const end = endOf(rule);
  // A time that can't be read is over.
  return rule.matcher.kind === 'command' || (end !== undefined && !(Date.parse(end) > now.getTime()));
}
