import { createHash } from 'node:crypto';

/** The outcome of a request to the receiver. */
export type PageOutcome = 'signed-in' | 'denied' | 'failed' | 'used' | 'not-ours';

const PAGES: Readonly<Record<PageOutcome, { readonly status: number; readonly title: string; readonly text: string }>> =
  {
    'signed-in': { status: 200, title: 'You are signed in', text: 'You can close this page and return to Steward.' },
    denied: {
      status: 200,
      title: 'You are not signed in',
      text: 'Access was denied. You can close this page and return to Steward.',
    },
    failed: {
      status: 200,
      title: 'The sign-in did not work',
      text: 'Steward shows why. You can close this page and return to it.',
    },
    used: {
      status: 409,
      title: 'This sign-in was already used',
      text: 'You can close this page and return to Steward.',
    },
    'not-ours': {
      status: 400,
      title: 'This is not the sign-in that Steward is waiting for',
      text: 'If you are signing in, go back to Steward and start again.',
    },
  };

const STYLE =
  ':root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}body{margin:20vh auto 0;max-width:30rem;padding:0 1.5rem}h1{font-size:1.5rem}';
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Contains nothing from the request: its URL has the code in it, which must not leak. */
export function loopbackPage(outcome: PageOutcome): {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
} {
  const { status, title, text } = PAGES[outcome];
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      connection: 'close',
    },
    body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title} – Steward</title><style>${STYLE}</style></head><body><h1>${title}</h1><p>${text}</p></body></html>\n`,
  };
}
