import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isSecretFile, isSecretText } from '../../../src-main/policy/secret-files.ts';

const KEY = '-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n';
const CERTIFICATE = '-----BEGIN CERTIFICATE-----\nabc\n';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'steward-secret-files-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(path: string, content: string | Uint8Array = ''): string {
  const absolute = join(folder, path);
  mkdirSync(dirname(absolute), { recursive: true });
  writeFileSync(absolute, content);
  return absolute;
}

test.each([
  ['.env'],
  ['.ENV'],
  ['app/.env.local'],
  ['.env.production.bak'],
  ['.env~'],
  ['.env.example.local'],
  ['id_rsa'],
  ['ID_ED25519'],
  ['id_ecdsa_sk'],
  ['id_rsa_work', KEY],
  ['server.pem', KEY],
  ['Server.KEY', `${'#'.repeat(100_000)}\n${KEY}`],
  ['utf16.pem', Buffer.from(KEY, 'utf16le')],
  ['.npmrc', '//registry.example/:_authToken=npm_abc\n'],
  ['.npmrc', 'registry=https://r.example\n_auth = "YWRh"\n'],
  ['.netrc', 'machine a.example login ada password pw\n'],
  ['_netrc', 'machine a.example\n  login ada\n  password pw\n'],
  ['.git-credentials', 'https://ada:pw@git.example\n'],
  ['.pypirc', '[pypi]\npassword = pw\n'],
  ['.pgpass'],
  ['.envrc'],
  ['signing.p12'],
  ['credentials'],
  ['Credentials.json', '{}'],
  ['credentials.toml'],
  ['credentials.yml'],
  ['home/.aws/config'],
  ['.ssh/known_hosts'],
  ['.GnuPG/trustdb.gpg'],
  ['.ssh/deep/er/notes.txt'],
] as const)('%s is a secret file', (path, content?: string | Uint8Array) => {
  expect(isSecretFile(put(path, content))).toBe(true);
});

test.each([
  ['.env.example', 'KEY=x'],
  ['.env.local.sample'],
  ['.env.Template'],
  ['.envrc.md'],
  ['env'],
  ['environment.ts'],
  ['id_rsa.pub', 'ssh-rsa AAAA'],
  ['id_rsa_helper.ts', 'export {}'],
  ['chain.pem', CERTIFICATE],
  ['slides.key', 'PK'],
  ['.npmrc', 'save-exact=true\n//registry.example/:_authToken=\u0024{NPM_TOKEN}\n'],
  ['.netrc', '# nothing yet\n'],
  ['.pypirc', '[distutils]\nindex-servers = pypi\n'],
  ['credentials.ts', KEY],
  ['credentials.md'],
  ['ssh/config'],
  ['.sshd/config'],
  ['notes.txt', KEY],
] as const)('%s is none', (path, content?: string | Uint8Array) => {
  expect(isSecretFile(put(path, content))).toBe(false);
});

test('a hard link is the file that it links to, whatever it is called, and other links are none', () => {
  const secret = put('.env', 'A=1');
  const plain = put('a.txt', 'a');
  mkdirSync(join(folder, 'docs'));
  for (const [from, to] of [
    [secret, 'notes.txt'],
    [secret, 'docs/notes.txt'],
    [plain, 'docs/a.txt'],
  ] as const)
    linkSync(from, join(folder, to));
  expect(['notes.txt', 'docs/notes.txt', 'docs/a.txt'].map((path) => isSecretFile(join(folder, path)))).toEqual([
    true,
    true,
    false,
  ]);
});

test('missing files and folders are not secret files', () => {
  mkdirSync(join(folder, '.env'));
  mkdirSync(join(folder, '.ssh'));
  expect(['.env', '.ssh', 'missing/.env'].map((path) => isSecretFile(join(folder, path)))).toEqual([
    false,
    false,
    false,
  ]);
});

test('a text without a path is judged by its name and what it holds', () => {
  expect(isSecretText('.env', 'A=1')).toBe(true);
  expect(isSecretText('server.pem', KEY)).toBe(true);
  expect(isSecretText('chain.pem', CERTIFICATE)).toBe(false);
});
