import { ExactNumber } from './json-document.ts';

/** What a filter compares with. */
export type Literal = string | number | boolean | null | ExactNumber;

const COMPARISONS = ['==', '!=', '<=', '>=', '<', '>'] as const;
export type Comparison = (typeof COMPARISONS)[number];

export function isComparison(text: string | undefined): text is Comparison {
  return COMPARISONS.some((each) => each === text);
}

/** Numbers with more digits are compared as doubles, because a JSON number can have any length. */
const MAX_INTEGER_LENGTH = 1_000;

/**
 * Compares according to RFC 9535, section 2.3.5.2.2: no conversion between types, ordering only among numbers or among
 * strings.
 */
export function compare(value: unknown, comparison: Comparison, literal: Literal): boolean {
  const order = orderOf(value, literal);
  switch (comparison) {
    case '==':
      return order === 0;
    case '!=':
      return order !== 0;
    case '<':
      return order !== undefined && order < 0;
    case '<=':
      return order !== undefined && order <= 0;
    case '>':
      return order !== undefined && order > 0;
    case '>=':
      return order !== undefined && order >= 0;
  }
}

/** Undefined if the two are neither equal nor ordered. */
function orderOf(value: unknown, literal: Literal): number | undefined {
  const left = digitsOf(value);
  const right = digitsOf(literal);
  if (left !== undefined && right !== undefined) return orderOfNumbers(left, right);
  if (typeof value === 'string' && typeof literal === 'string') return value < literal ? -1 : value > literal ? 1 : 0;
  return value === literal ? 0 : undefined;
}

function digitsOf(value: unknown): string | undefined {
  if (value instanceof ExactNumber) return value.digits;
  return typeof value === 'number' ? String(value) : undefined;
}

function orderOfNumbers(left: string, right: string): number {
  const isExact = [left, right].every((digits) => /^-?\d+$/.test(digits) && digits.length <= MAX_INTEGER_LENGTH);
  const [a, b] = isExact ? [BigInt(left), BigInt(right)] : [Number(left), Number(right)];
  return a < b ? -1 : a > b ? 1 : 0;
}
