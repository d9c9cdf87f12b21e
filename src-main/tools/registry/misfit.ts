import { nearName } from './near-name.ts';

/**
 * Why a value can't be sent as it was written. `path` is like `edits[0].oldText`, and empty for the input as a whole.
 */
export type Misfit = { readonly path: string } & (
  | { readonly kind: 'required' | 'forbidden' }
  | { readonly kind: 'type'; readonly types: readonly string[] }
  | { readonly kind: 'listed'; readonly listed: readonly unknown[] }
  | { readonly kind: 'either'; readonly types: readonly string[]; readonly listed: readonly unknown[] }
  /** `given` are all names that were given beside it, and `known` all that are known there. */
  | {
      readonly kind: 'unknown';
      readonly name: string;
      readonly given: readonly string[];
      readonly known: readonly string[];
    }
);

const TYPE_WORDS: ReadonlyMap<string, string> = new Map([
  ['string', 'a string'],
  ['number', 'a number'],
  ['integer', 'a whole number'],
  ['boolean', 'true or false'],
  ['object', 'an object'],
  ['array', 'a list'],
  ['null', 'null'],
]);

/** Others are not JSON Schema: what they mean is left to whoever wrote them. */
export function isTypeName(type: string): boolean {
  return TYPE_WORDS.has(type);
}

/** The text without a prefix. Source: tool catalogue A.6. */
export function misfitText(misfit: Misfit): string {
  const what = misfit.path === '' ? 'the input' : misfit.path;
  switch (misfit.kind) {
    case 'required':
      return `${what} is required`;
    case 'forbidden':
      return `${what} is not allowed`;
    case 'type':
      return `${what} must be ${typeWords(misfit.types)}`;
    case 'listed':
      return `${what} must be one of: ${listWords(misfit.listed)}`;
    case 'either':
      return `${what} must be ${typeWords(misfit.types)}, or one of: ${listWords(misfit.listed)}`;
    case 'unknown': {
      const near = nearName(
        misfit.name,
        misfit.known.filter((name) => !misfit.given.includes(name)),
      );
      return `unknown parameter ${what}${near === undefined ? '' : ` (did you mean ${near}?)`}`;
    }
  }
}

function typeWords(types: readonly string[]): string {
  const words = [...new Set(types)].map((type) => TYPE_WORDS.get(type) ?? type);
  return words.length < 3 ? words.join(' or ') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

function listWords(listed: readonly unknown[]): string {
  return [...new Set(listed.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))))].join(', ');
}
