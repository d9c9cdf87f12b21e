import { isOnThisComputer } from '../../src-preload/contract/provider-keys.ts';
import { SignInFailure } from './sign-in-problem.ts';

/** The address, unchanged, if the connection to it can't be intercepted. Throws `SignInFailure`. */
export function secureAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url));
  if (url === undefined || !isSecure) throw new SignInFailure({ code: 'insecure_address', url: text.slice(0, 200) });
  return url.href;
}

export function isLoopback({ hostname }: URL): boolean {
  return isOnThisComputer({ hostname });
}

/** The address without its query, which may contain anything. */
export function shownAddress(text: string): string {
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname}`;
}
