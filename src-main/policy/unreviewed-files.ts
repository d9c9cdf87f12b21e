/** Files that tools changed while text from outside was in a conversation, and that no person has looked at since. */
export interface UnreviewedFiles {
  /** Real paths of those in the root that a real folder lies in. As long as there is one, no rule answers for a command there. */
  inRootOf(directory: string): readonly string[];
}

export const NOTHING_UNREVIEWED: UnreviewedFiles = { inRootOf: () => [] };
