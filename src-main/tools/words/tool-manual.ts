/** What docs/TOOLS.md says in addition to parameters and class. */
export interface ToolManual {
  /** Input of a typical call. */
  readonly example: Readonly<Record<string, unknown>>;
  /** Limits of size, time and count, one sentence each. */
  readonly limits?: readonly string[];
}
