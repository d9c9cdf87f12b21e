import { randomInt } from 'node:crypto';

/** A part of a text that one value covers, or several that overlap. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** A position in a text that is searched from its beginning, in one piece or several. */
export interface SearchState {
  /** The node of the longest beginning of a value that the text ends with. */
  node: number;
  /** How many characters were searched. */
  position: number;
  /** The stretches in ascending order. The last one may still grow. */
  readonly found: Stretch[];
}

/**
 * Finds many values in one pass over a text, however they overlap (Aho and Corasick, 1975): what it takes grows with
 * the text and with the values, never with their product. The files that hold the values may be hostile. The packages
 * on npm keep an object per character and return every occurrence, of which there may be more than memory holds.
 */
export class ValueSearch {
  /** Characters that begin a value: most of a text is passed over by looking here only. */
  readonly #begins = new Uint8Array(0x1_0000);
  readonly #moves: Moves;
  /** For each node, the one to go on with if no value goes on from here. */
  readonly #fallback: Int32Array;
  /** For each node, how many characters before it a value may still need to continue. */
  readonly #open: Int32Array;
  /** For each node, the length of the longest value that ends here, or 0 if none does. */
  readonly #ends: Int32Array;

  constructor(values: readonly string[]) {
    const nodes = values.reduce((sum, { length }) => sum + length, 1);
    this.#moves = new Moves(nodes);
    this.#fallback = new Int32Array(nodes);
    this.#open = new Int32Array(nodes);
    const depth = new Int32Array(nodes);
    this.#ends = new Int32Array(nodes);
    const parents = new Int32Array(nodes);
    const characters = new Uint16Array(nodes);
    let count = 1;
    for (const value of values) {
      if (value === '') continue;
      this.#begins[value.charCodeAt(0)] = 1;
      let node = 0;
      for (let at = 0; at < value.length; at++) {
        const character = value.charCodeAt(at);
        let next = this.#moves.from(node, character);
        if (next === 0) {
          next = count++;
          this.#moves.add(node, character, next);
          parents[next] = node;
          characters[next] = character;
          depth[next] = at + 1;
          this.#open[node] = at;
        }
        node = next;
      }
      this.#ends[node] = value.length;
    }
    for (const node of byDepth(depth, count)) {
      const parent = parents[node] ?? 0;
      const fallback = parent === 0 ? 0 : this.#next(this.#fallback[parent] ?? 0, characters[node] ?? 0);
      this.#fallback[node] = fallback;
      this.#ends[node] ||= this.#ends[fallback] ?? 0;
      this.#open[node] ||= this.#open[fallback] ?? 0;
    }
  }

  start(): SearchState {
    return { node: 0, position: 0, found: [] };
  }

  /** Searches the next piece of the text. */
  search(piece: string, state: SearchState): void {
    let { node } = state;
    for (let at = 0; at < piece.length; at++) {
      const character = piece.charCodeAt(at);
      if (node === 0 && this.#begins[character] === 0) continue;
      node = this.#next(node, character);
      const length = this.#ends[node] ?? 0;
      if (length > 0) addTo(state.found, state.position + at + 1 - length, state.position + at + 1);
    }
    state.node = node;
    state.position += piece.length;
  }

  /** How much of the text's end may be the beginning of a value. */
  open({ node }: SearchState): number {
    return this.#open[node] ?? 0;
  }

  #next(from: number, character: number): number {
    let node = from;
    for (;;) {
      const next = this.#moves.from(node, character);
      if (next !== 0 || node === 0) return next;
      node = this.#fallback[node] ?? 0;
    }
  }
}

/** The nodes by depth, without the root. */
function byDepth(depth: Int32Array, count: number): Int32Array {
  return Int32Array.from({ length: count - 1 }, (_, index) => index + 1).sort(
    (a, b) => (depth[a] ?? 0) - (depth[b] ?? 0),
  );
}

/** Ends come in ascending order, starts do not. Stretches that only touch stay apart. */
function addTo(found: Stretch[], start: number, end: number): void {
  let first = start;
  for (let last = found.at(-1); last !== undefined && last.end > first; last = found.at(-1)) {
    first = Math.min(first, last.start);
    found.pop();
  }
  found.push({ start: first, end });
}

/** Which node follows another by a character; 0: none. A hash table, as a value may continue with any character. */
class Moves {
  /** Unknown to whoever writes the values, so that they can't all meet in one place. */
  readonly #factor = randomInt(1, 2 ** 30) * 2 + 1;
  readonly #shift: number;
  readonly #nodes: Int32Array;
  readonly #characters: Uint16Array;
  readonly #targets: Int32Array;

  constructor(most: number) {
    const bits = Math.max(4, Math.ceil(Math.log2(most * 2)));
    this.#shift = 32 - bits;
    this.#nodes = new Int32Array(2 ** bits);
    this.#characters = new Uint16Array(2 ** bits);
    this.#targets = new Int32Array(2 ** bits);
  }

  from(node: number, character: number): number {
    return this.#targets[this.#placeOf(node, character)] ?? 0;
  }

  add(node: number, character: number, target: number): void {
    const place = this.#placeOf(node, character);
    this.#nodes[place] = node;
    this.#characters[place] = character;
    this.#targets[place] = target;
  }

  /** The place of the move, or the one where it belongs. */
  #placeOf(node: number, character: number): number {
    const mask = this.#targets.length - 1;
    let place = Math.imul(Math.imul(node, 0x9e3779b1) ^ character, this.#factor) >>> this.#shift;
    while (this.#targets[place] !== 0 && (this.#nodes[place] !== node || this.#characters[place] !== character))
      place = (place + 1) & mask;
    return place;
  }
}
