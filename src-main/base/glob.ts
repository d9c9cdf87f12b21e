import { grouped } from './text.ts';

/** An invalid pattern; the message gives the reason. */
export class GlobError extends Error {
  override readonly name = 'GlobError';
}

type Step =
  | { readonly kind: 'any' }
  | { readonly kind: 'one'; readonly literal?: string; readonly accepts: (character: string) => boolean };

/** The longest path that systems allow. */
const MAX_PATTERN_LENGTH = 4096;
/** `{a,b}{c,d}…` multiplies; more alternatives than this, or a longer total, are rejected. */
const MAX_ALTERNATIVES = 1000;
const MAX_ALTERNATIVE_CHARACTERS = 50_000;

/**
 * A matcher for names without `/`: `*` any run (even one that begins with a dot), `?` one character, `[a-z]` and
 * `[!a-z]`, `{a,b}` (may be nested), `\` escapes the next character. Throws `GlobError`. Matching takes time
 * proportional to pattern × name, whatever the pattern.
 */
export function compileGlob(pattern: string): (name: string) => boolean {
  const alternatives = expandBraces(pattern).map((each) => matcherOf(parseSteps(each)));
  const [only] = alternatives;
  return alternatives.length === 1 && only !== undefined
    ? only
    : (name) => alternatives.some((matchesName) => matchesName(name));
}

/** Nearly all patterns are plain text, or two texts with a `*` between them: these are compared directly. */
function matcherOf(steps: readonly Step[]): (name: string) => boolean {
  const firstAny = steps.findIndex(({ kind }) => kind === 'any');
  const before = literalText(firstAny === -1 ? steps : steps.slice(0, firstAny));
  const after = firstAny === -1 ? '' : literalText(steps.slice(firstAny + 1));
  if (before === undefined || after === undefined) return (name) => matches(steps, Array.from(name));
  if (firstAny === -1) return (name) => name === before;
  const atLeast = before.length + after.length;
  return (name) => name.length >= atLeast && name.startsWith(before) && name.endsWith(after);
}

function literalText(steps: readonly Step[]): string | undefined {
  let text = '';
  for (const step of steps) {
    if (step.kind !== 'one' || step.literal === undefined) return undefined;
    text += step.literal;
  }
  return text;
}

/** Turns `a{b,c}` into `ab` and `ac`. Throws `GlobError`. */
export function expandBraces(pattern: string): string[] {
  if (pattern.length > MAX_PATTERN_LENGTH)
    throw new GlobError(
      `the pattern has ${grouped(pattern.length)} characters, more than ${grouped(MAX_PATTERN_LENGTH)}`,
    );
  const open = indexOutsideClasses(pattern, 0, '{');
  if (open === -1) return [pattern];
  const parts: string[] = [];
  let depth = 0;
  let start = open + 1;
  for (let index = open; index < pattern.length; index++) {
    const character = pattern[index];
    if (character === '\\') index++;
    else if (character === '{') depth++;
    else if (character === ',' && depth === 1) {
      parts.push(pattern.slice(start, index));
      start = index + 1;
    } else if (character === '}' && --depth === 0) {
      parts.push(pattern.slice(start, index));
      const head = pattern.slice(0, open);
      const tails = expandBraces(pattern.slice(index + 1));
      const middles = parts.flatMap(expandBraces);
      if (tails.length * middles.length > MAX_ALTERNATIVES) throw tooManyAlternatives(pattern);
      const expanded = middles.flatMap((middle) => tails.map((tail) => head + middle + tail));
      const characters = expanded.reduce((sum, { length }) => sum + length, 0);
      if (characters > MAX_ALTERNATIVE_CHARACTERS) throw tooManyAlternatives(pattern);
      return expanded;
    }
  }
  throw new GlobError(`the pattern ${pattern} has a { without }`);
}

function tooManyAlternatives(pattern: string): GlobError {
  return new GlobError(`the pattern ${pattern} has too many alternatives`);
}

/** The pattern with each `[…]` taken literally, as in `app/[id]`. Undefined if it has none. */
export function withoutClasses(pattern: string): string | undefined {
  if (pattern.length > MAX_PATTERN_LENGTH) return undefined;
  const plain = pattern.replace(/\\.|\[[!^]?\]?[^\]]*\]/gs, (part) =>
    part.startsWith('[') ? part.replace(/[\\[\]{},*?]/g, '\\$&') : part,
  );
  return plain === pattern ? undefined : plain;
}

function indexOutsideClasses(pattern: string, from: number, wanted: string): number {
  for (let index = from; index < pattern.length; index++) {
    const character = pattern[index];
    if (character === '\\') index++;
    else if (character === '[') index = classEnd(pattern, index);
    else if (character === wanted) return index;
  }
  return -1;
}

/** Index of the `]` that ends the class beginning at `open`. */
function classEnd(pattern: string, open: number): number {
  let index = open + 1;
  if (pattern[index] === '!' || pattern[index] === '^') index++;
  if (pattern[index] === ']') index++;
  const end = pattern.indexOf(']', index);
  if (end === -1) throw new GlobError(`the pattern ${pattern} has a [ without ]`);
  return end;
}

function parseSteps(pattern: string): Step[] {
  const steps: Step[] = [];
  for (let index = 0; index < pattern.length; index++) {
    const character = String.fromCodePoint(pattern.codePointAt(index) ?? 0);
    if (character === '*') steps.push({ kind: 'any' });
    else if (character === '?') steps.push({ kind: 'one', accepts: () => true });
    else if (character === '[') {
      const end = classEnd(pattern, index);
      steps.push({ kind: 'one', accepts: parseClass(pattern.slice(index + 1, end)) });
      index = end;
    } else {
      const literal =
        character === '\\' && index + 1 < pattern.length
          ? String.fromCodePoint(pattern.codePointAt(++index) ?? 0)
          : character;
      index += literal.length - 1;
      steps.push({ kind: 'one', literal, accepts: (given) => given === literal });
    }
  }
  return steps;
}

function parseClass(inside: string): (character: string) => boolean {
  const isNegated = inside.startsWith('!') || inside.startsWith('^');
  const characters = Array.from(isNegated ? inside.slice(1) : inside);
  const ranges: [string, string][] = [];
  for (let index = 0; index < characters.length; index++) {
    const from = characters[index] ?? '';
    const to = characters[index + 1] === '-' ? characters[index + 2] : undefined;
    ranges.push([from, to ?? from]);
    if (to !== undefined) index += 2;
  }
  return (character) => ranges.some(([from, to]) => character >= from && character <= to) !== isNegated;
}

/** Backtracks only to the latest `*`, which is sufficient and bounds the time. */
function matches(steps: readonly Step[], name: readonly string[]): boolean {
  let step = 0;
  let at = 0;
  let lastAny = -1;
  let anyTook = 0;
  while (at < name.length) {
    const current = steps[step];
    if (current?.kind === 'one' && current.accepts(name[at] ?? '')) {
      step++;
      at++;
    } else if (current?.kind === 'any') {
      lastAny = step++;
      anyTook = at;
    } else if (lastAny >= 0) {
      step = lastAny + 1;
      at = ++anyTook;
    } else return false;
  }
  while (steps[step]?.kind === 'any') step++;
  return step === steps.length;
}
