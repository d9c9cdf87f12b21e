/** Matches what may be Base64, in either alphabet. What stands before it (`files/…`) may belong to the same run. */
const BASE64 = /[A-Za-z0-9+/_-]{8,}/g;
const HEXADECIMAL = /(?:[\da-fA-F]{2}){6,}/g;
/** Characters of Base64 that stand for whole bytes: a run may begin with as many others but one. */
const QUANTUM = 4;
/** Matches readable text between bytes of something else, as long as a short host (`evil.org`). */
const READABLE = /[\x20-\x7e]{8,}/g;
const CONTROLS = /[^\P{Cc}\t\r\n]/u;

/**
 * The texts that are in a text as Base64 or in hexadecimal digits, each in a line: all of one that is text, and what is
 * readable in one that is not. Empty if there are none.
 */
export function encodedTextIn(text: string): string {
  const found = new Set<string>();
  const add = (bytes: Buffer) => {
    for (const readable of readableIn(bytes)) found.add(readable);
  };
  // Mails and `base64` itself break it into lines.
  for (const unbroken of new Set([text, text.replace(/[\r\n]/g, '')])) {
    for (const [run] of unbroken.matchAll(BASE64))
      for (let start = 0; start < QUANTUM; start++) add(Buffer.from(run.slice(start), 'base64'));
    for (const [run] of unbroken.matchAll(HEXADECIMAL)) add(Buffer.from(run, 'hex'));
  }
  return [...found].join('\n');
}

function readableIn(bytes: Buffer): readonly string[] {
  const whole = bytes.toString('utf8');
  if (!whole.includes('\ufffd') && !CONTROLS.test(whole)) return [whole];
  // Every second byte of ASCII in UTF-16 is zero.
  return bytes.toString('latin1').replaceAll('\0', '').match(READABLE) ?? [];
}
