/**
 * A rule answers "allow" for calls like the one it was built from. Rules live in the database, only main writes them.
 */
export type RuleMatcher =
  /** Writes (or reads) at or below this real path. */
  | { readonly kind: 'folder'; readonly class: 'read' | 'write'; readonly path: string }
  /** Commands whose argv begins with these words; of shell lines only plain ones (see `plainShellWords`). */
  | { readonly kind: 'command'; readonly argv: readonly string[] }
  /** Requests to exactly this host. */
  | { readonly kind: 'host'; readonly class: 'network' | 'network-private'; readonly host: string };

export interface RuleDraft {
  /** For people: `edit files in /home/ada/notes`, `run commands that begin with "git status"`. */
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
  /** Rules that hold in this conversation: its own and the ones for always. */
  list(conversationId: string | null): readonly Rule[];
  add(draft: RuleDraft, conversationId: string | null): Rule;
  markUsed(id: string): void;
  revoke(id: string): boolean;
}
