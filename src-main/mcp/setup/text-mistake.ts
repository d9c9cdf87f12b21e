/** The place at which a text can't be read, 1-based. */
export interface TextMistake {
  readonly line: number;
  readonly column: number;
  /** Completes the sentence "line 3: …". */
  readonly reason: string;
}
