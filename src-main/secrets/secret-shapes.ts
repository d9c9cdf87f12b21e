import { REDACTED, redactSecrets } from './redaction.ts';
import { environmentNames } from './secret-names.ts';

/** Variables that the app itself reads secrets from; not all of their names look secret. */
const OWN_SECRETS = new Set(Object.values(environmentNames));

/**
 * Matches names of what is not secret, although a word in them looks like it: working folders, and addresses of desktop
 * services.
 */
const HARMLESS =
  /^(?:PWD|OLDPWD|DBUS_SESSION_BUS_ADDRESS|SSH_AUTH_SOCK|XAUTHORITY|GIT_AUTHOR_\w+|DESKTOP_SESSION|SESSION_MANAGER|XDG_SESSION_\w+|.*SESSION_(?:ID|TYPE))$/;
/** Matches words that are secret anywhere in a name: PGPASSWORD, CLIENTSECRET. */
const SECRET_INSIDE = /SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL/;
/**
 * Secret only as whole words, or at the end of such a word: API_KEY, APIKEY and GITHUB_TOKENS, but not KEYBOARD,
 * COMPASS and TOKENIZERS.
 */
const SECRET_WORD = new RegExp(
  `^(?:${[
    '(?:API|ACCESS|AUTH|PRIVATE|SECRET|SIGNING|ENCRYPTION|MASTER|DEPLOY|SSH|LICENSE|SERVICE|ACCOUNT)?KEYS?',
    '[A-Z0-9]*TOKENS?',
    '(?:SSH)?PASS|PASSCODE|PIN|PWD|PAT|O?AUTH|JWT|OTP|BEARER|COOKIES?|SESSIONS?|WEBHOOKS?|SEED|MNEMONIC|DSN|CREDS?',
  ].join('|')})$`,
);

/** Matches `scheme://name:password@host` anywhere in a text. */
const PASSWORD_IN_URL = /(?<![\w+.-])[a-z][\w+.-]{1,30}:\/\/[^\s/?#:@]*:[^\s/@]+@/i;
/**
 * Matches the name of a value, as in connection strings (`Server=db;Password=…`, `host=db password=…`), addresses
 * (`?access_token=…`), options (`--password=…`, `-Djavax.net.ssl.keyStorePassword=…`), JSON and YAML. A colon alone
 * separates the folders of a path.
 */
const NAMED_VALUE =
  /(?<![^;&?\s"'{,])-{0,2}([a-z][\w.-]{0,63})(?=["']?\s{0,8}(?:=|:(?=[\s"']))\s{0,8}["']?[^\s;&"']{3})/gi;
const SECRET_NAME = /(?:password|passwd|pwd|account_?key|shared_?access_?(?:key|signature)|api_?key|token|secret)$/i;
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY/;

/**
 * The words of a name, split in camelCase and at everything that is not a letter or digit; trailing digits are dropped.
 */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .map((word) => word.replace(/(?<!\d)\d+$/, ''));
}

/** Whether a variable of this name probably holds a secret. Source: tool catalogue B.2. */
export function looksSecret(name: string): boolean {
  const upperCase = name.toUpperCase();
  if (OWN_SECRETS.has(upperCase)) return true;
  if (HARMLESS.test(upperCase)) return false;
  return wordsOf(name).some((word) => SECRET_INSIDE.test(word) || SECRET_WORD.test(word));
}

/**
 * Whether a value is a secret, whatever its name: a key of a known shape, a URL or a connection string with a password.
 */
export function isSecretValue(value: string): boolean {
  return PASSWORD_IN_URL.test(value) || namesSecret(value) || PRIVATE_KEY.test(value) || redactSecrets(value) !== value;
}

function namesSecret(text: string): boolean {
  return [...text.matchAll(NAMED_VALUE)].some(([, name = '']) => SECRET_NAME.test(name));
}

/** All of it: in a text that only contains one of these, anything can stand beside it. */
const WHOLE_PRIVATE_KEY =
  /^\s*-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:[A-Za-z0-9+/=\s]|\\n)+-----END [A-Z ]{0,40}PRIVATE KEY-----\s*$/;
const DATABASE_ADDRESS =
  /^(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver|clickhouse|cockroachdb):\/\/[^\s"'`$;|<>\\]+$/i;

/** Whether a value is nothing but a key of a known shape, or the address of a database with its password. */
export function isKnownKey(value: string): boolean {
  if (redactSecrets(value) === REDACTED || WHOLE_PRIVATE_KEY.test(value)) return true;
  return DATABASE_ADDRESS.test(value) && PASSWORD_IN_URL.test(value);
}

/** One word of letters, digits and what Base64 has beside them; no path, no option, no address. */
export function isOneWord(value: string): boolean {
  return /^(?:\d+:)?[A-Za-z0-9_][\w.~+/=-]*$/.test(value);
}

/** Variables that describe the working environment. The content of any other is unknown. */
const PLAIN = new Set(
  `PATH HOME LANG LANGUAGE USER LOGNAME SHELL TERM COLORTERM TERM_PROGRAM TERM_PROGRAM_VERSION COLUMNS LINES TZ PWD OLDPWD EDITOR VISUAL
  PAGER BROWSER HOSTNAME HOSTTYPE OSTYPE MACHTYPE SHLVL TMPDIR TMP TEMP DISPLAY WAYLAND_DISPLAY DESKTOP_SESSION NO_COLOR FORCE_COLOR CI
  NODE_ENV USERNAME USERPROFILE USERDOMAIN HOMEDRIVE HOMEPATH COMPUTERNAME OS PATHEXT COMSPEC SYSTEMROOT SYSTEMDRIVE WINDIR APPDATA
  LOCALAPPDATA PROGRAMDATA PROGRAMFILES PROCESSOR_ARCHITECTURE NUMBER_OF_PROCESSORS JAVA_HOME GOPATH GOROOT CARGO_HOME VIRTUAL_ENV
  CONDA_PREFIX NVM_DIR`.split(/\s+/),
);
const PLAIN_FAMILY = /^(?:LC_[A-Z]+|XDG_[A-Z_]+)$/;

/**
 * Whether a variable is read without a question: its name is on the list, and its value does not look like a secret.
 */
export function isPlainVariable(name: string, value: string): boolean {
  // Names are case-insensitive on Windows (`Path`); elsewhere another spelling is another variable.
  const listed = process.platform === 'win32' ? name.toUpperCase() : name;
  return (PLAIN.has(listed) || PLAIN_FAMILY.test(listed)) && !isSecretValue(value);
}
