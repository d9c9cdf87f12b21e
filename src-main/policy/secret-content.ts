import { type LiteralShape, TOKEN_SHAPES } from '../secrets/token-shapes.ts';

/**
 * Whether a text holds a credential in a precise shape, whatever the file is called: a token in `notes.txt` is as good
 * as one in `.env`. Source code mentions such shapes in expressions, examples and tests. So here each has the length
 * that its issuer gives it, and must not look made up.
 */
export function holdsCredential(text: string): boolean {
  if (text.includes('PRIVATE KEY') && PRIVATE_KEYS.some((shape) => shape.test(text))) return true;
  const mayHold = ({ literals }: LiteralShape) => literals.some((literal) => text.includes(literal));
  if (CONFIGURATIONS.some((each) => mayHold(each) && each.shape.test(text) && each.value.test(text))) return true;
  return TOKENS.some((each) => mayHold(each) && [...text.matchAll(each.shape)].some(([token]) => !looksMadeUp(token)));
}

/**
 * Matches a private key in a file of its own, and in JSON as Google writes it. In source code it is mostly indented or
 * behind a quote.
 */
const PRIVATE_KEYS: readonly RegExp[] = [
  /^\ufeff?-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----\r?\n(?:[\w-]{1,40}: ?[^\n]{0,200}\r?\n){0,8}\s{0,8}[A-Za-z0-9+/=]{16,}\r?\n/m,
  /"private_key"\s{0,8}:\s{0,8}"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----\\n[A-Za-z0-9+/=]{16,}/,
];

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
];

const TOKENS = TOKEN_SHAPES.flatMap(({ exact }) => exact ?? []);

const MADE_UP = /example|sample|fixture|dummy|fake|your|redacted|placeholder|canary|xxxx|0123|1234|abcd|ABCD|(.)\1{3}/i;

function looksMadeUp(token: string): boolean {
  return MADE_UP.test(token) || new Set(token).size < 14 || !/[A-Z]/.test(token);
}
