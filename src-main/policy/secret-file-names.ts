import { compileGlob, expandBraces } from '../base/glob.ts';

/**
 * The names of files that usually hold secrets, in one table. Case never matters, because the file systems of macOS and
 * Windows, and some on Linux, open `.env` for `.ENV`.
 */
export interface SecretName {
  /** Patterns in lower case, in ripgrep's syntax. They also match copies with another ending (`.netrc.bak`). */
  readonly globs: readonly string[];
  /** Matches names that are meant to be public. */
  readonly except?: RegExp;
  /** Matches the content that makes the file secret. Without this, the name alone does. */
  readonly holding?: RegExp;
  /** Patterns for a search. They match the copies that can’t be told by a name with a dot in it, and some other files. */
  readonly copies?: readonly string[];
  /** Nearly every project has a file or folder of this name, so only the content tells. */
  readonly isOrdinary?: true;
}

const PRIVATE_KEY = /PRIVATE KEY/;

const SECRET_NAMES: readonly SecretName[] = [
  {
    globs: ['.env', '.env.*', '.env[-_~]*', '*[!.].env'],
    except: /\.(?:example|sample|template)$|^(?:example|sample|template|\.)\.env$/,
  },
  { globs: ['id_{rsa,dsa,ecdsa,ed25519}', 'id_{ecdsa,ed25519}_sk'] },
  // A longer name (`id_rsa.bak`, `id_rsa_work`) may also be that of a public key or a program.
  { globs: ['id_{rsa,dsa,ecdsa,ed25519}*'], holding: PRIVATE_KEY },
  // Rails keeps 32 hexadecimal digits in `master.key`.
  {
    globs: ['*.pem', '*.key'],
    holding: /PRIVATE KEY|^\s*[0-9a-f]{32,128}\s*$/i,
  },
  // A reference to a variable (`${NPM_TOKEN}`) is not a token.
  {
    globs: ['.npmrc'],
    holding: /(?:_authToken|_auth|_password)\s*=\s*(?!\s|"?\$\{[^{}\n]*\}"?\s*(?:\n|$))\S|:\/\/(?!\$\{)[^\s/@]+@/i,
  },
  {
    globs: ['.netrc', '_netrc'],
    holding: /\b(?:password|passwd|account)\s+\S/i,
    copies: ['_netrc[-_.~ ]*'],
  },
  { globs: ['.pypirc'], holding: /\bpassword\s*[:=]\s*\S/i },
  // These include keys that are bundled with their certificate, or in PuTTY's format.
  { globs: ['.git-credentials', '.pgpass', '.envrc', '*.{p12,pfx,ppk}'] },
  {
    globs: [
      'credentials',
      'credentials.{json,ini,toml,yml,yaml,db}',
      'credentials.tfrc.json',
      '*[-_.]credentials.json',
      'access_tokens.db',
    ],
    copies: ['.?credentials.*', 'credentials[-_~]*'],
  },
  // Files in which one program keeps its password or token, and stores of keys.
  {
    globs: ['.htpasswd', '.vault-token', '.s3cfg', '.boto', '.mylogin.cnf', 'rclone.conf', '*.{jks,keystore,kdbx}'],
  },
  // A setting that is turned off by a comment sign counts, and a comment in words (`# no-password: see docs`) does not.
  {
    globs: ['.my.cnf', '.terraformrc', '.yarnrc.yml'],
    holding:
      /^(?![ \t]{0,80}(?:[#;]|\/\/)[^\n:=]{0,400}[:=][ \t]{0,8}\S{1,400}[ \t]{1,8}\S)[^\n]{0,4000}\b(?:password|token|npmAuthToken|npmAuthIdent)[ \t]{0,8}[:=][ \t]{0,8}(?!["']?\$\{)\S/im,
  },
  { globs: ['secrets.{json,toml,yml,yaml}'], copies: ['secrets[-_~]*'] },
  // Passwords stand on command lines, and in statements.
  {
    globs: [
      '.{bash,zsh,sh,ksh,ash,psql,mysql,sqlite,rediscli,mongo,python,node_repl}_history',
      '{.zhistory,fish_history}',
    ],
    copies: ['fish_history[-_.~ ]*'],
  },
  { globs: ['*.tfstate', '*.tfvars', '*.tfvars.json'] },
  // The `config` of git may hold a password in the address of a remote, and `hosts.yml` of gh a token.
  {
    globs: ['config'],
    holding:
      /https?:\/\/[^\s/@]+@|(?:extraheader|token|passw(?:or)?d|pass|secret|oauth|apikey|authorization)\s{0,8}=\s{0,8}\S/i,
    isOrdinary: true,
  },
  { globs: ['hosts.{yml,yaml}'], holding: /oauth_token\s{0,8}:\s{0,8}\S/i, isOrdinary: true },
];

/**
 * The names of a row that have a dot in them, without wildcards. What stands around one in a longer name was mostly
 * added by whoever copied the file, and nobody knows all such additions (`.netrc.~1~`, `credentials.json,v`).
 */
function textsOf({ globs }: SecretName): readonly string[] {
  const texts = globs.flatMap(expandBraces).map((glob) => glob.replaceAll(/\*|\[[^\]]*\]/g, '').replace(/\.$/, ''));
  return [...new Set(texts.filter((text) => text.includes('.')))];
}

/** Matches a name with one of these texts in it, as a word of its own. */
function aroundTexts(texts: readonly string[]): RegExp | undefined {
  if (texts.length === 0) return undefined;
  const words = texts.map((text) => `${text.startsWith('.') ? '' : '(?<![a-z0-9])'}${text.replaceAll('.', '\\.')}`);
  return new RegExp(`(?:${words.join('|')})(?![a-z0-9])`);
}

/**
 * Matches a name in which something stands before the extension that no person writes to name a subject:
 * `credentials - Copy.json`, `secrets.sync-conflict-20260101.yml`. `credentials-types.json` is about something else.
 */
function insideTexts(texts: readonly string[]): RegExp | undefined {
  const parted = texts.flatMap((text) => {
    const parts = /^(.[^.]*)(\..+)$/.exec(text);
    return parts === null ? [] : [parts.slice(1).map((part) => part.replaceAll('.', '\\.'))];
  });
  if (parted.length === 0) return undefined;
  const names = parted.map(([stem, extension]) => {
    return `(?<![a-z0-9])${stem}(?=[^a-z0-9])(?=.*(?:\\d|[^a-z0-9._-])).*${extension}`;
  });
  return new RegExp(`(?:${names.join('|')})$`, 's');
}

/** Matches what is meant to be public, or is about such a file: its template, a program that reads it, its description. */
const ABOUT_A_SECRET =
  /(?<![a-z0-9])(?:example|sample|template|dist|schema)s?(?![a-z0-9])|\.(?:[cm]?[jt]sx?|vue|svelte|py|rb|go|rs|java|kt|swift|cs|php|[ch](?:pp)?|html?|css|mdx?|rst|svg|png|jpe?g)$/;

const MATCHERS = SECRET_NAMES.map((secret) => {
  const texts = secret.isOrdinary ? [] : textsOf(secret);
  const ofCopies = [aroundTexts(texts), insideTexts(texts)].filter((each) => each !== undefined);
  return { ...secret, matchers: secret.globs.map(compileGlob), ofCopies };
});
const FOLDERS = ['.aws', '.ssh', '.gnupg', '.kube'] as const;
/**
 * Patterns in lower case for what a search by name leaves to `isSecretFile`: files that are secret by their name, and
 * some others.
 */
export const secretNameGlobs: readonly string[] = [
  ...SECRET_NAMES.flatMap((secret) => {
    if (secret.isOrdinary) return [];
    const around = textsOf(secret).flatMap((text) => [
      `${text.startsWith('.') ? '*' : '*[!a-z0-9]'}${text}`,
      `*${text}[!a-z0-9]*`,
      ...(/^.[^.]*(?=\.)/.test(text) ? [text.replace(/^(.[^.]*)\./, '*$1[!a-z0-9]*.')] : []),
    ]);
    return [...new Set([...secret.globs, ...(secret.copies ?? []), ...around])];
  }),
  ...FOLDERS,
];
/** The same with ordinary names, for a search that looks for secrets instead of leaving them out. */
export const everySecretGlob: readonly string[] = [
  ...secretNameGlobs,
  ...SECRET_NAMES.flatMap(({ globs, isOrdinary }) => (isOrdinary ? globs : [])),
];
/** Matches folders in which every file counts as secret, whatever its name. */
const SECRET_FOLDER = new RegExp(
  `(?:^|[/\\\\])(?:${FOLDERS.map((name) => `\\${name}`).join('|')}|\\.config[/\\\\](?:gcloud|gh))(?:[/\\\\]|$)`,
  'i',
);

/**
 * Matches the objects, logs and index of git, which keep what a secret file once held: `git cat-file` prints a deleted
 * `.env`. The files that are excepted say nothing of contents.
 */
const OF_REPOSITORY =
  /(?:^|[/\\])\.git[/\\](?!(?:HEAD|config|description|packed-refs|info[/\\]exclude|(?:hooks|refs)[/\\][^\n]+)$)/i;
/** Matches the objects of a bare repository, which has no folder `.git` around them. */
const OBJECT = /(?:^|[/\\])objects[/\\](?:[0-9a-f]{2}[/\\][0-9a-f]{38,62}|pack[/\\]pack-[^/\\]+)$/i;

/** Matches what editors and people add to the name of a file when they copy it: `.env~`, `.env (copy)`, `.env.bak`. */
const COPY_ENDS =
  /(?:[~#]{1,8}|[-_. ]?\((?:copy|\d+)\)|[-_. ](?:bak|bk|backup|old|orig|original|save|saved|sav|sw[a-p]|tmp|temp|new|prev|previous|copy|disabled|prod|production|staging|stage|dev|development|local|live|test|\d{1,14}|\d{4}-\d\d-\d\d))$/;
const COPY_BEGINS = /^(?:\.?#|(?:copy of|copy|backup|bak|old)[-_. ])/;
const MAX_COPIES = 4;

/** The names, in lower case, of which this one may be a copy, and the name itself. */
function originals(name: string): readonly string[] {
  const found = [name.toLowerCase()];
  for (let at = 0; at < found.length && at < MAX_COPIES * 3; at += 1) {
    const each = found[at] ?? '';
    const end = COPY_ENDS.exec(each)?.index ?? each.length;
    // Vim names its copy of `credentials.json` `.credentials.json.swp`.
    const hidden = end < each.length && each.startsWith('.') ? [each.slice(1, end)] : [];
    // The addition may stand before the extension, as in `credentials-prod.json`.
    const [extension = ''] = /\.[a-z0-9]{1,8}$/.exec(each) ?? [];
    const stem = each.slice(0, each.length - extension.length).replace(COPY_ENDS, '');
    for (const shorter of [each.slice(0, end), each.replace(COPY_BEGINS, ''), stem + extension, ...hidden])
      if (shorter !== '' && !found.includes(shorter)) found.push(shorter);
  }
  return found;
}

/** The rows of the table that a name matches. */
export function namedLike(name: string): readonly SecretName[] {
  const lowerCase = name.toLowerCase();
  const names = originals(name);
  const isAbout = ABOUT_A_SECRET.test(lowerCase);
  return MATCHERS.filter(
    ({ matchers, ofCopies, except }) =>
      except?.test(lowerCase) !== true &&
      (matchers.some((matches) => names.some((each) => matches(each))) ||
        (!isAbout && ofCopies.some((copy) => names.some((each) => copy.test(each))))),
  );
}

/** Whether a file of this name may be secret; `isSecretFile` decides. */
export function hasSecretName(name: string): boolean {
  return namedLike(name).some(({ isOrdinary }) => isOrdinary !== true);
}

/** Whether everything in this folder (any path) counts as secret. */
export function isInSecretFolder(path: string): boolean {
  return SECRET_FOLDER.test(path);
}

/** Whether Git keeps contents of other files in this one (any path). */
export function isStoreOfGit(path: string): boolean {
  return OF_REPOSITORY.test(path) || OBJECT.test(path);
}
