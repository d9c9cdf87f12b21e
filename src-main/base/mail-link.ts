/** What a `mailto:` link asks a mail program to write. */
export interface MailLink {
  /** The link with nothing but what is here, as `URL` would write it. */
  readonly href: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly subject: string;
  readonly body: string;
}

/**
 * The fields of a mailto link that are understood. Others attach files (`attach`), or are whatever a mail program makes
 * of them. Source: RFC 6068.
 */
const RECIPIENTS = ['to', 'cc', 'bcc'] as const;
type Recipients = (typeof RECIPIENTS)[number];
/** Everything that ends a line somewhere, encoded or not, and what a mail program may take for its end. */
const LINE_BREAK = /[\0\n\v\f\r\u0085\u2028\u2029]/;

/** Why a link is refused. */
export class MailLinkError extends Error {
  override readonly name = 'MailLinkError';
}

/** Throws `MailLinkError`. Headers other than recipients, subject and body are dropped. */
export function mailLink({ pathname, search }: Pick<URL, 'pathname' | 'search'>): MailLink {
  const recipients: Record<Recipients, string[]> = { to: addressesIn(pathname), cc: [], bcc: [] };
  let subject = '';
  let body = '';
  for (const field of search.slice(1).split('&')) {
    const at = field.indexOf('=');
    const name = decoded(at === -1 ? field : field.slice(0, at)).toLowerCase();
    const written = at === -1 ? '' : field.slice(at + 1);
    const kind = RECIPIENTS.find((each) => each === name);
    if (kind !== undefined) recipients[kind].push(...addressesIn(written));
    // Programs take the first or the last of several: all are shown, and all are one.
    else if (name === 'subject') subject = joined(subject, oneLine(decoded(written)), ' ');
    else if (name === 'body') body = joined(body, decoded(written).replace(/\r\n?/g, '\n'), '\n');
  }
  return { href: hrefOf({ ...recipients, subject, body }), ...recipients, subject, body };
}

function hrefOf({ to, cc, bcc, subject, body }: Omit<MailLink, 'href'>): string {
  const list = (addresses: readonly string[]) => addresses.map(encodeURIComponent).join(',').replaceAll('%40', '@');
  const fields = [
    ['cc', list(cc)],
    ['bcc', list(bcc)],
    ['subject', encodeURIComponent(subject)],
    ['body', encodeURIComponent(body.replaceAll('\n', '\r\n'))],
  ].filter(([, value]) => value !== '');
  const query = fields.map(([name, value]) => `${name}=${value}`).join('&');
  return `mailto:${list(to)}${query === '' ? '' : `?${query}`}`;
}

/** A comma that is encoded divides too, as some programs have it. */
function addressesIn(written: string): string[] {
  return oneLine(decoded(written))
    .split(/[,;]/)
    .map((address) => address.trim())
    .filter((address) => address !== '');
}

function joined(before: string, more: string, between: string): string {
  return before === '' ? more : `${before}${between}${more}`;
}

function oneLine(text: string): string {
  if (LINE_BREAK.test(text)) throw new MailLinkError('it has a line break where a mail has a header');
  return text;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new MailLinkError('its characters can’t be decoded');
  }
}
