export interface AtQuery {
  /** What stands between `@` and the caret. */
  readonly query: string;
  /** Where the `@` is. */
  readonly start: number;
}

/** The `@` that is being written, with a blank or nothing before it; `null`: none. */
export function atQuery(text: string, caret: number): AtQuery | null {
  const [, query] = /(?:^|\s)@([^\s@]{0,200})$/.exec(text.slice(0, caret)) ?? [];
  return query === undefined ? null : { query, start: caret - query.length - 1 };
}
