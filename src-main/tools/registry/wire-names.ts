import { createHash } from 'node:crypto';
import type { Tool } from '../contract.ts';

const MAX_LENGTH = 63;
const KEPT_BEFORE_HASH = 54;
const HASH_DIGITS = 8;

/** The name in the form that every provider accepts: `[A-Za-z_][A-Za-z0-9_-]{0,62}`. Source: tool catalogue A.9. */
export function wireNameOf(original: string): string {
  const clean = cleaned(original);
  return clean.length > MAX_LENGTH ? hashForm(clean, original) : clean;
}

/** A wire name that is not taken yet: the plain form, else the one with a hash. */
export function freeWireName(original: string, isTaken: (wire: string) => boolean): string {
  const plain = wireNameOf(original);
  if (!isTaken(plain)) return plain;
  const clean = cleaned(original);
  for (let attempt = 0; ; attempt++) {
    const wire = hashForm(clean, attempt === 0 ? original : `${original}#${attempt}`);
    if (!isTaken(wire)) return wire;
  }
}

/**
 * Maps registered names to wire names and back. Wire names differ by more than case, because lookup is
 * case-insensitive. A name keeps its wire form until it is removed.
 */
export class WireNames {
  readonly #wireOf = new Map<string, string>();
  /** The original of each case-folded wire name. */
  readonly #originalOf = new Map<string, string>();
  /**
   * Case-folded hash form → the first attempt to try, so that names that all collide are not retried from the start.
   */
  readonly #nextAttempt = new Map<string, number>();

  assign(original: string): string {
    const known = this.#wireOf.get(original);
    if (known !== undefined) return known;
    let wire = wireNameOf(original);
    if (this.#isTaken(wire)) wire = this.#hashedName(original);
    this.#wireOf.set(original, wire);
    this.#originalOf.set(wire.toLowerCase(), original);
    return wire;
  }

  remove(original: string): void {
    const wire = this.#wireOf.get(original);
    if (wire === undefined) return;
    this.#wireOf.delete(original);
    this.#originalOf.delete(wire.toLowerCase());
    this.#nextAttempt.clear();
  }

  /** The original of a wire name, whatever its case. */
  originalOf(wire: string): string | undefined {
    return this.#originalOf.get(wire.toLowerCase());
  }

  /**
   * Names may differ only in what hashing can't see (lone surrogates encode to the same bytes in UTF-8), so a count is
   * added to the hash.
   */
  #hashedName(original: string): string {
    const clean = cleaned(original);
    const first = hashForm(clean, original);
    for (let attempt = this.#nextAttempt.get(first.toLowerCase()) ?? 0; ; attempt++) {
      const wire = attempt === 0 ? first : hashForm(clean, `${original}#${attempt}`);
      if (this.#isTaken(wire)) continue;
      this.#nextAttempt.set(first.toLowerCase(), attempt + 1);
      return wire;
    }
  }

  #isTaken(wire: string): boolean {
    return this.#originalOf.has(wire.toLowerCase());
  }
}

function cleaned(original: string): string {
  const legal = original.replace(/[^A-Za-z0-9_-]/gu, '_');
  return /^[A-Za-z_]/.test(legal) ? legal : `_${legal}`;
}

function hashForm(clean: string, hashed: string): string {
  const hash = createHash('sha256').update(hashed, 'utf8').digest('hex').slice(0, HASH_DIGITS);
  return `${clean.slice(0, KEPT_BEFORE_HASH)}_${hash}`;
}

/** The same tool under another name, as a plain or class instance. */
export function renamed(tool: Tool, name: string): Tool {
  return {
    name,
    description: tool.description,
    access: tool.access,
    get inputSchema() {
      return tool.inputSchema;
    },
    parameterAliases: tool.parameterAliases,
    nameAliases: tool.nameAliases,
    errorPrefix: tool.errorPrefix,
    emptyAllowed: tool.emptyAllowed,
    requiredTexts: tool.requiredTexts,
    ...(tool.isForwarded === undefined ? {} : { isForwarded: tool.isForwarded }),
    hasOwnResultCap: tool.hasOwnResultCap,
    undo: tool.undo,
    ...(tool.manual === undefined ? {} : { manual: tool.manual }),
    ...(tool.words === undefined ? {} : { words: tool.words }),
    asksModel: tool.asksModel,
    prepare: (input) => tool.prepare(input),
  };
}
