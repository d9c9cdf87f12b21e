import { type LiteralShape, TOKEN_SHAPES } from '../secrets/token-shapes.ts';

/**
 * Whether a text holds a credential in a precise shape, whatever the file is called: a token in `notes.txt` is as good
 * as one in `.env`. Source code mentions such shapes in expressions, examples and tests. So here each has the length
 * that its issuer gives it, and must not look made up.
 */
export function holdsCredential(text: string): boolean {
  if (text.includes('PRIVATE KEY') && holdsPrivateKey(text)) return true;
  const mayHold = ({ literals }: LiteralShape) => literals.some((literal) => text.includes(literal));
  if (CONFIGURATIONS.some((each) => mayHold(each) && each.shape.test(text) && each.value.test(text))) return true;
  if (TOKENS.some((each) => mayHold(each) && [...text.matchAll(each.shape)].some(([token]) => !looksMadeUp(token))))
    return true;
  if (holdsUnknownToken(text)) return true;
  return text.includes(ENCODED_BEGINNING) && encodedKeys(text).some(holdsPrivateKey);
}

/** Matches what stands before a private key. SSH2 writes four dashes. */
const KEY_BEGINS = /-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}/g;
/** In the text behind it, so many characters hold its headers and its first lines, however they are indented and quoted. */
const KEY_LOOK = 1_500;
/** The headers of a key: `Proc-Type: 4,ENCRYPTED`, `Version: GnuPG v2`. */
const KEY_HEADER = /^\W{0,40}[A-Z][\w-]{1,40}: ?[^\n]{0,200}\n/;
/** Matches a line end, also as JSON and XML write it. */
const LINE_END = /(?:\\{1,3}r)?\\{1,3}n|\r\n?|\\{1,3}u000[ad]|&#x?(?:10|13|0?[ad]);/gi;
/** Matches the first line of a key behind what YAML, shell scripts, mails and source code put before it. */
const KEY_LINE = /^[^A-Za-z0-9]{0,200}([A-Za-z0-9+/]{40})/;

/**
 * Whether a private key is in the text, alone or inside of JSON, YAML, a script, a mail. Where source code only names its
 * first line, no letters follow that could be a key.
 */
function holdsPrivateKey(text: string): boolean {
  for (const { 0: begin, index } of text.matchAll(KEY_BEGINS)) {
    let behind = text.slice(index + begin.length, index + begin.length + KEY_LOOK).replaceAll(LINE_END, '\n');
    for (let header = KEY_HEADER.exec(behind); header !== null; header = KEY_HEADER.exec(behind))
      behind = behind.slice(header[0].length);
    const [, key] = KEY_LINE.exec(behind) ?? [];
    if (key !== undefined && new Set(key).size >= 10) return true;
  }
  return false;
}

/** How `-----BEGIN ` begins in base64. Kubernetes and the settings of CI keep whole files so. */
const ENCODED_BEGINNING = 'LS0tLS1CRUdJTi';
const ENCODED = /LS0tLS1CRUdJTi(?:[A-Za-z0-9+/]|\\?\r?\n[ \t]{0,40}|\\n){40,1500}/g;

function encodedKeys(text: string): readonly string[] {
  return [...text.matchAll(ENCODED)].map(([encoded]) =>
    Buffer.from(encoded.replaceAll(/\\n|[^A-Za-z0-9+/]/g, ''), 'base64').toString('latin1'),
  );
}

/**
 * The configurations of Docker, kubectl and gcloud. Each is recognised by a mark of its file together with a value in
 * it.
 */
const CONFIGURATIONS: readonly (LiteralShape & { readonly value: RegExp })[] = [
  {
    literals: ['"auths"'],
    shape: /"auths"\s*:\s*\{/,
    value: /"(?:auth|identitytoken)"\s*:\s*"[A-Za-z0-9+/._-]{6,}={0,2}"/,
  },
  {
    literals: ['kind:'],
    shape: /^kind:\s*Config\s*$/m,
    value: /^[ \t-]*(?:client-key-data|token|password|id-token|refresh-token):\s*["']?[^\s"'$]{6,}/m,
  },
  {
    literals: ['"authorized_user"'],
    shape: /"type"\s*:\s*"authorized_user"/,
    value: /"refresh_token"\s*:\s*"[^"\s]{6,}"/,
  },
  // An access key of AWS, whose secret half is called differently in each language.
  {
    literals: ['AKIA', 'ASIA'],
    shape: /(?<![A-Za-z0-9])A[KS]IA(?![A-Z0-9]{0,16}EXAMPLE)[A-Z0-9]{16}(?![A-Za-z0-9])/,
    value: /(?<![A-Za-z0-9+/=])(?=[a-z0-9+/]{0,40}[A-Z])(?=[A-Z0-9+/]{0,40}[a-z])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])/,
  },
];

const TOKENS = TOKEN_SHAPES.flatMap(({ exact }) => exact ?? []);

/**
 * Matches a token of an issuer that isn't listed: `hf_…`, `xai-…`, `dckr_pat_…`. Most now write a short name in small
 * letters, and behind it random letters of both cases with digits, which names of things don't have. `sha512-…` is a
 * checksum.
 */
const UNKNOWN_TOKEN =
  /(?<![A-Za-z0-9+/=_.-])(?!sha\d)[a-z][a-z0-9]{1,9}(?:[_-][a-z0-9]{2,5}){0,2}[_-]([A-Za-z0-9]{27,200})(?![\w+/=-])/g;

function holdsUnknownToken(text: string): boolean {
  return [...text.matchAll(UNKNOWN_TOKEN)].some(
    ([token, random = '']) =>
      /[a-z]/.test(random) && /[A-Z]/.test(random) && /\d.*\d/.test(random) && !looksMadeUp(token),
  );
}

const MADE_UP = /example|sample|fixture|dummy|fake|your|redacted|placeholder|canary|xxxx|0123|1234|abcd|ABCD|(.)\1{3}/i;

/** Matches a token of hexadecimal digits, which needn’t have capitals. */
const HEXADECIMAL = /(?<![a-z0-9])(?=[a-f]{0,32}\d)(?=\d{0,32}[a-f])[0-9a-f]{32,}$/;

function looksMadeUp(token: string): boolean {
  if (HEXADECIMAL.test(token)) return new Set(token.slice(-32)).size < 9;
  return MADE_UP.test(token) || new Set(token).size < 14 || !/[A-Z]/.test(token);
}
