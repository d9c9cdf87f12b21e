/**
 * JSON in which whole numbers keep all their digits: what `JSON.parse` would round is a bigint. A model may write such
 * a number (the id of a message is often one), and rounded it is another message.
 */

/** Writes a value like `JSON.stringify`, which throws for bigints. */
export function exactJson(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent) ?? 'null';
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // The marks are new for each call, so that no text in the value can be taken for a number.
    const marks = new IntegerMarks();
    return marks.removedFrom(JSON.stringify(value, (_, each) => marks.marked(each), indent));
  }
}

/** Writes whole numbers as texts that nobody else can write, for JSON that is made elsewhere. */
export class IntegerMarks {
  readonly #mark = `integer ${crypto.randomUUID()} `;

  marked(value: unknown): unknown {
    return typeof value === 'bigint' ? `${this.#mark}${value}` : value;
  }

  removedFrom(json: string): string {
    return json.includes(this.#mark) ? json.replaceAll(new RegExp(`"${this.#mark}(-?\\d+)"`, 'g'), '$1') : json;
  }

  /** Whether a value that `JSON.parse` made is marked. */
  isMarked(value: unknown): value is string {
    return typeof value === 'string' && value.startsWith(this.#mark);
  }

  integer(marked: string): bigint {
    return BigInt(marked.slice(this.#mark.length));
  }
}
