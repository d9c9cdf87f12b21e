/** Something the user allowed an MCP server, apart from being started or contacted. */
export type ServerPermission =
  /** The user gave these tools a class. */
  | { readonly kind: 'class'; readonly class: 'read' | 'write'; readonly tools: readonly string[] }
  | { readonly kind: 'text'; readonly text: 'own' | 'public' }
  /** Rules cover the server's tools. They are given by their labels. */
  | { readonly kind: 'rules'; readonly labels: readonly string[] }
  /** The server's tools and instructions were reviewed, so its resources are read without asking. */
  | { readonly kind: 'reviewed'; readonly definitions: number };

/** The permissions that a server had before it was changed. */
export interface HeldBefore {
  readonly permissions: readonly ServerPermission[];
  /** It is another server now, so the permissions don't carry over. */
  readonly ends: boolean;
}

/** The permissions of MCP servers, by their name in config.json. */
export interface HeldPermissions {
  /** The permissions that are in effect now, or as soon as the server is confirmed. */
  of(server: string): readonly ServerPermission[];
  /**
   * Ends all of its permissions, and removes from config.json what it names of them. Resolves with the keys of the
   * removed values. The permissions have ended even if it rejects.
   */
  end(server: string): Promise<readonly string[]>;
}
