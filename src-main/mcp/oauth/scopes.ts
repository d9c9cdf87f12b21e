import { SignInFailure } from '../../accounts/sign-in-problem.ts';

/** Source: RFC 6749 section 3.3. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;
const MAX_CHARACTERS = 4_000;

/** The scopes in these texts, deduplicated, in order. */
export function scopesIn(...texts: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(texts.flatMap((text) => (text ?? '').split(' ').filter((scope) => scope !== '')))];
}

/** The scopes of `wanted` that are not in `granted`. */
export function scopesBeyond(granted: string | undefined, wanted: string | undefined): readonly string[] {
  const has = new Set(scopesIn(granted));
  return scopesIn(wanted).filter((scope) => !has.has(scope));
}

/** Throws `SignInFailure` for a malformed scope: scopes are shown to people and put into a URL. */
export function checkedScopes(scopes: readonly string[]): readonly string[] {
  if (!scopes.every((scope) => SCOPE.test(scope)) || scopes.join(' ').length > MAX_CHARACTERS)
    throw new SignInFailure({ code: 'protocol', reason: 'the server asks for something that is no scope' });
  return scopes;
}
