import { redactSecrets } from './redaction.ts';
import { environmentNames } from './secret-names.ts';

/** Names under which the app itself reads secrets; not all of them look like it. */
const OWN_SECRETS = new Set(Object.values(environmentNames));

/** Secret wherever they stand in a part of the name: PGPASSWORD, CLIENTSECRET. */
const SECRET_INSIDE = /SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL/;
/** Secret only as an own part or after such a word: API_KEY, APIKEY and GITHUB_TOKENS are, KEYBOARD and TOKENIZERS are not. */
const SECRET_PART =
  /^(?:(?:API|ACCESS|AUTH|PRIVATE|SECRET|SIGNING|ENCRYPTION|MASTER|DEPLOY|SSH|LICENSE|SERVICE|ACCOUNT)?KEYS?|[A-Z0-9]*TOKENS?)$/;
/** `scheme://name:password@host`. */
const PASSWORD_IN_URL = /^[a-z][\w+.-]*:\/\/[^\s/:@]*:[^\s/@]+@/i;

/** Whether a variable of this name looks like it holds a secret. Source: tool catalogue B.2. */
export function looksSecret(name: string): boolean {
  if (OWN_SECRETS.has(name.toUpperCase())) return true;
  const parts = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .split(/[^A-Z0-9]+/);
  return parts.some((part) => SECRET_INSIDE.test(part) || SECRET_PART.test(part));
}

/** Whether a value is a secret, whatever the name it goes by: a key of a known shape, a URL with a password. */
export function isSecretValue(value: string): boolean {
  return PASSWORD_IN_URL.test(value) || redactSecrets(value) !== value;
}
