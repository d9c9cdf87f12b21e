/**
 * Sums and products have decimal numbers only: with a leading zero they would be octal, and names could mean anything.
 */
const NUMBER = '(?:0|[1-9][0-9]{0,8})';
const CONSTANT = new RegExp(`^\\$\\(\\( *(${NUMBER}(?: *[-+*] *${NUMBER})*) *\\)\\)`);

export interface ConstantArithmetic {
  /** The expansion as it is written in the line: `$((2 + 3 * 4))`. */
  readonly source: string;
  /** The value of the expansion in every shell: `14`. */
  readonly value: string;
}

/**
 * An arithmetic expansion at the start of a text that has the same value in every shell, or undefined if there is none.
 */
export function constantArithmetic(text: string): ConstantArithmetic | undefined {
  const [source, expression] = CONSTANT.exec(text) ?? [];
  if (source === undefined || expression === undefined) return undefined;
  const terms = expression.replaceAll(' ', '').match(/[-+]?[^-+]+/g) ?? [];
  const sum = terms.reduce((total, term) => total + product(term), 0);
  return Number.isSafeInteger(sum) ? { source, value: String(sum) } : undefined;
}

function product(term: string): number {
  const sign = term.startsWith('-') ? -1 : 1;
  const factors = term.replace(/^[-+]/, '').split('*').map(Number);
  const value = factors.reduce((all, factor) => all * factor, sign);
  // Zero has a sign in JavaScript, and an unsafe product may look safe in a sum.
  return Number.isSafeInteger(value) ? value + 0 : Number.NaN;
}
