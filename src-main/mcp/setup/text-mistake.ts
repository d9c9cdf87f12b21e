/** Where a text can't be read. 1-based. */
export interface TextMistake {
  readonly line: number;
  readonly column: number;
  /** Completes "line 3: …". */
  readonly reason: string;
}
