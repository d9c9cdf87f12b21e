import type { MailAddress } from './mail-addresses.ts';

/** Gmail replaces a Message-ID of ours but keeps this header, by which a sent mail is found again. */
export const OUTBOX_HEADER = 'X-Steward-Outbox';

/**
 * The most characters of a run without blanks. It is well below 998, as the name of the header and an indentation stand
 * before it.
 */
const MAX_RUN_LENGTH = 900;

export interface OutgoingMail {
  /** The account that the user approved the mail for; absent if it is not known. */
  readonly from?: string;
  readonly to: readonly MailAddress[];
  readonly subject: string;
  readonly body: string;
}

/**
 * Composes an RFC 5322 message of one part, `text/plain` in UTF-8 as Base64, which leaves no line of the text to be
 * read as a header. Gmail adds From. Source: tool catalogue B.5.
 */
export async function composeMail({ to, subject, body }: OutgoingMail, outboxId: string): Promise<Buffer> {
  const [{ default: MimeNode }, { encodeWord }] = await Promise.all([
    import('nodemailer/lib/mime-node'),
    import('nodemailer/lib/mime-funcs'),
  ]);
  const encoded = { prepared: true, foldLines: true, value: encodeWord(subject, 'B', 52) };
  const node = new MimeNode('text/plain; charset=utf-8', {
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  node.setHeader([
    { key: OUTBOX_HEADER, value: outboxId },
    { key: 'To', value: to.map(({ name, address }) => ({ name, address })) },
    { key: 'Subject', value: encodesItself(subject) || hasLongRun(subject) ? encoded : subject },
    { key: 'Content-Transfer-Encoding', value: 'base64' },
  ]);
  node.setContent(canonicalLines(body));
  return node.build();
}

/** Whether a subject in ASCII would be decoded for recipients, into a text that the user was not shown. */
function encodesItself(subject: string): boolean {
  return subject.includes('=?');
}

/**
 * A line can only be folded where blanks and other characters meet, and none may have more than 998 characters (RFC
 * 5322, section 2.1.1).
 */
function hasLongRun(subject: string): boolean {
  return subject.split(/\s+/).some(({ length }) => length > MAX_RUN_LENGTH) || /\s{900}/.test(subject);
}

/** Gives a text the line ends that mail has. */
export function canonicalLines(text: string): string {
  return text.replace(/\r\n?|\n/g, '\r\n');
}
