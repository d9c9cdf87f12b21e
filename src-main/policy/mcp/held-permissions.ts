/** Something the user allowed an MCP server, apart from being started or contacted. */
export type ServerPermission =
  /** Classes the user gave. */
  | { readonly kind: 'class'; readonly class: 'read' | 'write'; readonly tools: readonly string[] }
  | { readonly kind: 'text'; readonly text: 'own' | 'public' }
  /** Labels of the rules for its tools. */
  | { readonly kind: 'rules'; readonly labels: readonly string[] }
  /** Its tools and instructions were reviewed, so its resources are read without asking. */
  | { readonly kind: 'reviewed'; readonly definitions: number };

/** What a server was allowed before it was changed. */
export interface HeldBefore {
  readonly permissions: readonly ServerPermission[];
  /** It is another server now: they don't carry over. */
  readonly ends: boolean;
}

/** The permissions of MCP servers, by their name in config.json. */
export interface HeldPermissions {
  /** In effect now, or as soon as the server is confirmed. */
  of(server: string): readonly ServerPermission[];
  /**
   * Ends all of them, and removes from config.json what it names of them. Resolves with the keys of the removed values.
   * They have ended even if it rejects.
   */
  end(server: string): Promise<readonly string[]>;
}
