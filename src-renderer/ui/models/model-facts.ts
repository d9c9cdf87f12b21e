import type { ModelAbility, ModelRow } from '../../../src-preload/contract/providers.ts';

/**
 * The abilities in the order in which they are shown. Nearly all models have tools, so only their absence is worth a
 * word.
 */
const ABILITIES = [
  ['images', 'images'],
  ['audio', 'audio'],
  ['documents', 'PDFs'],
  ['thinking', 'thinking'],
] as const satisfies readonly (readonly [ModelAbility, string])[];

/** `200k context`, `1M context`. */
export function contextText(tokens: number): string {
  const size = tokens >= 1_000_000 ? `${rounded(tokens / 1_000_000)}M` : `${Math.round(tokens / 1_000)}k`;
  return `${size} context`;
}

/** `$3 in, $15 out`, per million tokens. */
export function priceText({ input, output }: { readonly input: number; readonly output: number }): string {
  return input === 0 && output === 0 ? 'free' : `${dollars(input)} in, ${dollars(output)} out`;
}

/** What is known of a model, shortest first. */
export function modelFacts({ contextTokens, price, abilities }: ModelRow): readonly string[] {
  return [
    ...(contextTokens === null ? [] : [contextText(contextTokens)]),
    ...(price === null ? [] : [priceText(price)]),
    ...(abilities === null ? [] : ABILITIES.flatMap(([ability, word]) => (abilities.includes(ability) ? [word] : []))),
  ];
}

/** Whether the model can only talk. */
export function hasNoTools({ abilities }: ModelRow): boolean {
  return abilities !== null && !abilities.includes('tools');
}

const STEPS = [
  [60, 'minute'],
  [3_600, 'hour'],
  [86_400, 'day'],
] as const;

/** `just now`, `5 minutes ago`, `2 days ago`. */
export function ageText(at: string, now: number): string {
  const seconds = Math.max(0, (now - Date.parse(at)) / 1_000);
  const step = STEPS.findLast(([size]) => seconds >= size);
  if (step === undefined) return 'just now';
  return new Intl.RelativeTimeFormat('en').format(-Math.floor(seconds / step[0]), step[1]);
}

/** `$3`, `$0.60`, `$0.075`. */
function dollars(amount: number): string {
  if (Number.isInteger(amount)) return `$${amount}`;
  const text = amount.toFixed(amount < 0.1 ? 3 : 2);
  return `$${text.replace(/(\.\d\d)0$/, '$1')}`;
}

function rounded(amount: number): string {
  return String(Number(amount.toFixed(2)));
}
