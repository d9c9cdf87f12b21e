import type { Peer } from '../network/peer.ts';

/**
 * Domains of package registries, and of the hosts from which they deliver, which one rule covers together. Whoever can
 * publish there could be handed text as a package, but not unseen: it takes an account and a key, and no key is in
 * reach of a command that is held. Not listed: hosts where anyone gets a place of their own without an account, and
 * those that serve more than packages (GitHub, storage of clouds).
 */
const REGISTRIES: readonly string[] = [
  'npmjs.org',
  'yarnpkg.com',
  'pypi.org',
  'pythonhosted.org',
  'crates.io',
  'rubygems.org',
  'proxy.golang.org',
  'sum.golang.org',
  'repo.maven.apache.org',
  'plugins.gradle.org',
  'nuget.org',
  'packagist.org',
  'hex.pm',
  'pub.dev',
];

/** What a rule that covers them is called. */
export const REGISTRIES_TEXT = 'package registries (npm, PyPI, crates.io and others)';

/**
 * Domains of models and of mail: whoever may always write to one can have anything read out there, or sent on. They are
 * allowed for one conversation at most.
 */
const NEVER_ALWAYS: readonly string[] = [
  'anthropic.com',
  'claude.ai',
  'openai.com',
  'chatgpt.com',
  'googleapis.com',
  'mistral.ai',
  'deepseek.com',
  'groq.com',
  'x.ai',
  'openrouter.ai',
  'together.xyz',
  'cohere.com',
  'cohere.ai',
  'perplexity.ai',
  'huggingface.co',
  'openai.azure.com',
  'mail.google.com',
  'gmail.com',
  'outlook.com',
  'office365.com',
  'icloud.com',
  'sendgrid.com',
  'sendgrid.net',
  'mailgun.net',
  'mailgun.org',
  'postmarkapp.com',
];
/** Mail: SMTP, its submission, POP3 and IMAP, with and without TLS. */
const MAIL_PORTS: ReadonlySet<number> = new Set([25, 110, 143, 465, 587, 993, 995, 2525]);
const MAIL_NAME = /^(?:smtp|imap|pop3?|mail|mx)[\d.-]/;

export function isRegistry(host: string): boolean {
  return isBelow(host, REGISTRIES);
}

/** Whether a rule may let commands connect there for longer than one conversation. */
export function mayAlwaysConnect({ host, port }: Peer): boolean {
  return !isBelow(host, NEVER_ALWAYS) && !MAIL_PORTS.has(port) && !MAIL_NAME.test(host);
}

function isBelow(host: string, domains: readonly string[]): boolean {
  return domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
}
