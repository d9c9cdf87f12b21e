/**
 * Whether a text holds a credential in a precise shape, whatever the file is called. Source code names such shapes (in
 * an expression, an example, a test), so here each has the length that its issuer gives it, and doesn't look made up.
 */
export function holdsCredential(text: string): boolean {
  if (text.includes('PRIVATE KEY') && PRIVATE_KEYS.some((shape) => shape.test(text))) return true;
  const mayHold = ({ literals }: Shape) => literals.some((literal) => text.includes(literal));
  if (CONFIGURATIONS.some((each) => mayHold(each) && each.shape.test(text) && each.value.test(text))) return true;
  return TOKENS.some((each) => mayHold(each) && [...text.matchAll(each.shape)].some(([token]) => !looksMadeUp(token)));
}

/** As a file of its own, and as Google writes it into JSON. In code it is mostly indented or behind a quote. */
const PRIVATE_KEYS: readonly RegExp[] = [
  /^\ufeff?-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----\r?\n(?:[\w-]{1,40}: ?[^\n]{0,200}\r?\n){0,8}\s{0,8}[A-Za-z0-9+/=]{16,}\r?\n/m,
  /"private_key"\s{0,8}:\s{0,8}"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----\\n[A-Za-z0-9+/=]{16,}/,
];

/** A shape is only looked for where one of its literals is: nearly all files have none. */
interface Shape {
  readonly literals: readonly string[];
  readonly shape: RegExp;
}

/** Each by a mark of its file and a value in it: of Docker, kubectl, gcloud. */
const CONFIGURATIONS: readonly (Shape & { readonly value: RegExp })[] = [
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

const TOKENS: readonly Shape[] = [
  {
    literals: ['sk-'],
    shape: /(?<![A-Za-z0-9])sk-(?:ant-[a-z]{3}\d\d-[A-Za-z0-9_-]{80,}|(?:proj-|svcacct-|or-v1-)?[A-Za-z0-9_-]{40,})/g,
  },
  { literals: ['AIza'], shape: /(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/g },
  { literals: ['ya29.'], shape: /(?<![A-Za-z0-9])ya29\.[A-Za-z0-9._-]{40,}/g },
  { literals: ['GOCSPX-'], shape: /(?<![A-Za-z0-9])GOCSPX-[A-Za-z0-9_-]{28}(?![A-Za-z0-9_-])/g },
  {
    literals: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    shape: /(?<![A-Za-z0-9])gh[pousr]_[A-Za-z0-9]{36,}/g,
  },
  { literals: ['github_pat_'], shape: /(?<![A-Za-z0-9])github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}/g },
  { literals: ['xox'], shape: /(?<![A-Za-z0-9])xox[abeprs]-\d{8,}-[A-Za-z0-9-]{20,}/g },
  { literals: ['glpat-'], shape: /(?<![A-Za-z0-9])glpat-[A-Za-z0-9_-]{20,}/g },
  { literals: ['npm_'], shape: /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/g },
  { literals: ['k_live_'], shape: /(?<![A-Za-z0-9])[rs]k_live_[A-Za-z0-9]{24,}/g },
  { literals: ['gsk_'], shape: /(?<![A-Za-z0-9])gsk_[A-Za-z0-9]{52}(?![A-Za-z0-9])/g },
  {
    literals: ['hooks.slack.com'],
    shape: /https:\/\/hooks\.slack\.com\/services\/T[A-Z0-9]{8,}\/B[A-Z0-9]{8,}\/[A-Za-z0-9]{24}/g,
  },
  {
    literals: ['aws_secret_access_key', 'AWS_SECRET_ACCESS_KEY'],
    shape: /aws_secret_access_key\s{0,8}[=:]\s{0,8}["']?[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/])/gi,
  },
];

const MADE_UP = /example|sample|fixture|dummy|fake|your|redacted|placeholder|canary|xxxx|0123|1234|abcd|ABCD|(.)\1{3}/i;

function looksMadeUp(token: string): boolean {
  return MADE_UP.test(token) || new Set(token).size < 14 || !/[A-Z]/.test(token);
}
