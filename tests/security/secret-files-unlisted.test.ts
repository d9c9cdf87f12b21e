import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { needLinux } from '../fixtures/machine-needs.ts';
import { no, User } from '../fixtures/memory-ports.ts';
import { ToolHarness } from '../fixtures/tool-harness.ts';

let tools: ToolHarness;
beforeEach((context) => {
  needLinux(context, 'options and programs are those of GNU');
  tools = new ToolHarness({ consent: new User(() => no) });
});
afterEach(() => tools?.dispose());

/** Letters that look like a real token, and are nobody's. */
const letters = (count: number) =>
  `Qz7${randomBytes(count * 2)
    .toString('base64')
    .replaceAll(/[^A-Za-z]/g, '')}`
    .replaceAll(/(.)\1+/g, '$1')
    .slice(0, count);
const KEY = `-----BEGIN PRIVATE KEY-----\n${letters(64)}\n${letters(64)}\n-----END PRIVATE KEY-----\n`;
const RSA = KEY.replaceAll('PRIVATE', 'RSA PRIVATE');

const HOLDING: readonly (readonly [path: string, content: string])[] = [
  ['.git/config', '[remote "origin"]\n\turl = https://ada:hunter22@git.example/x.git\n'],
  ['.git/config', `[http "https://git.example/"]\n\textraheader = AUTHORIZATION: basic YWRhOmh1bnRlcjI=\n`],
  ['.docker/config.json', '{ "auths": { "r.example": { "auth": "YWRhOmh1bnRlcjI=" } } }'],
  ['.kube/config', 'apiVersion: v1\nkind: Config\nusers:\n- user:\n    token: hunter2hunter2\n'],
  ['kubeconfig.yaml', 'apiVersion: v1\nkind: Config\nusers:\n- user:\n    client-key-data: LS0tLS1CRUdJTg==\n'],
  ['.config/gh/hosts.yml', 'github.com:\n    oauth_token: gho_hunter2\n'],
  ['.config/gcloud/application_default_credentials.json', '{ "type": "authorized_user", "refresh_token": "hunter2" }'],
  ['adc.json', '{ "type": "authorized_user", "refresh_token": "1//hunter2hunter2" }'],
  ['.config/gcloud/credentials.db', 'hunter2'],
  ['service.json', `{ "type": "service_account", "private_key": "-----BEGIN PRIVATE KEY-----\\n${letters(64)}\\n" }`],
  ['terraform.tfstate', '{ "outputs": {} }'],
  ['terraform.tfstate.backup', '{ "outputs": {} }'],
  ['prod.tfvars', 'db_password = "hunter2"\n'],
  ['secrets.auto.tfvars', 'x = "y"\n'],
  ['config/master.key', `${randomBytes(16).toString('hex')}\n`],
  ['config/credentials/production.key', `${randomBytes(16).toString('hex')}\n`],
  ['deploy.txt', KEY],
  ['notes', RSA],
  ['backup/old-server', KEY],
  ['.netrc.bak', 'machine a.example login ada password pw\n'],
  ['.npmrc~', '//registry.example/:_authToken=npm_abc\n'],
  ['prod.env', 'A=1\n'],
  ['.env-production', 'A=1\n'],
  ['.env.swp', 'A=1\n'],
  ['.credentials.json.swp', '{}'],
  ['credentials.json.old', '{}'],
  ['id_rsa.orig', 'x'],
  ['.pgpass.save', 'h:5432:*:ada:pw\n'],
  ['.git-credentials.1', 'https://ada:pw@git.example\n'],
  ['.pypirc_backup', '[pypi]\npassword = pw\n'],
  ['signing.p12.bak', 'x'],
  ['credentials-prod.json', '{}'],
  ['credentials (copy).json', '{}'],
  ['.my.cnf', '[client]\npassword = hunter2\n'],
  ['.mylogin.cnf', 'x'],
  ['.htpasswd', 'ada:hunter2\n'],
  ['.vault-token', 'hunter2'],
  ['.s3cfg', '[default]\nsecret_key = hunter2\n'],
  ['.boto', '[Credentials]\ngs_oauth2_refresh_token = hunter2\n'],
  ['rclone.conf', '[drive]\ntoken = hunter2\n'],
  ['.terraformrc', 'credentials "app.example" {\n  token = "hunter2"\n}\n'],
  ['.yarnrc.yml', 'npmAuthToken: hunter2\n'],
  ['.yarnrc.yml', 'npmScopes: { acme: { npmAuthToken: hunter2 } }\n'],
  ['.my.cnf', '[client]\r\n#password=hunter2\r\n'],
  ['.terraform.d/credentials.tfrc.json', '{ "credentials": { "app.example": { "token": "hunter2" } } }'],
  ['credentials.tfrc.json.bak', '{}'],
  ['release.jks', 'x'],
  ['upload.keystore', 'x'],
  ['passwords.kdbx', 'x'],
  ['secrets.yml', 'production:\n  key: hunter2\n'],
  ['config/secrets.json', '{ "key": "hunter2" }'],
  ['.bash_history', 'mysql -phunter2\n'],
  ['.zsh_history', ': 1:0;curl -u ada:hunter2\n'],
  ['fish_history', '- cmd: mysql -phunter2\n'],
  ['.zhistory', 'mysql -phunter2\n'],
  ['.ksh_history', 'mysql -phunter2\n'],
  ['.ash_history', 'mysql -phunter2\n'],
  ['.python_history', "connect(password='hunter2')\n"],
  ['.node_repl_history', "connect({ password: 'hunter2' })\n"],
  ['fish_history.old', '- cmd: mysql -phunter2\n'],
  ['.psql_history.bak', "alter role ada password 'hunter2';\n"],
  ['aws.txt', `[default]\naws_secret_access_key = ${letters(40)}\n`],
  ['todo.md', `The new one is ghp_${letters(36)}, for CI.\n`],
  ['slack.txt', `https://hooks.slack.com/services/T0AB1CD2E/B0AB1CD2E/${letters(24)}\n`],
];
const LISTED = [
  ['.env', 'A=1'],
  ['.netrc', 'machine a.example login ada password pw'],
  ['.npmrc', '//registry.example/:_authToken=npm_abc'],
  ['credentials.json', '{}'],
  ['.pgpass', 'x'],
] as const;
const COPIES = [
  'NAME~',
  'NAME.old',
  'NAME.2',
  'NAME-prod',
  '#NAME#',
  'NAME.bak~',
  'NAME (copy)',
  'copy of NAME',
  'NAME.2026-01-02',
];
const GENERATED = LISTED.flatMap(([name, content]) =>
  COPIES.map((copy) => [copy.replace('NAME', name), content] as const),
);

describe('a file that holds a secret asks, whatever it is called', () => {
  test.each([...HOLDING, ...GENERATED])('%s', async (path, content) => {
    tools.put(path, content);
    expect((await tools.turn('read_file', { path })).decision).toMatchObject({ answer: 'deny', by: 'user' });
    for (const command of [`cat '${path}'`, `base64 './${path}'`, `grep -c . '${path}'`])
      expect([command, (await tools.turn('bash', { command })).decision.answer]).toEqual([command, 'deny']);
  });

  test('searches leave it out', async () => {
    tools.put('deploy.txt', `needle\n${KEY}`);
    tools.put('plain.txt', 'needle\n');
    for (const tool of ['grep', 'search_code'])
      expect(await tools.text(tool, tool === 'grep' ? { pattern: 'needle' } : { query: 'needle' })).not.toContain(
        'deploy',
      );
  });

  test('a file is looked at again when it was changed', async () => {
    tools.put('a.txt', 'nothing\n');
    expect((await tools.turn('read_file', { path: 'a.txt' })).decision.answer).toBe('allow');
    tools.put('a.txt', KEY);
    expect((await tools.turn('read_file', { path: 'a.txt' })).decision.answer).toBe('deny');
  });
});

/** Ordinary files that speak of secrets. */
const ORDINARY: readonly (readonly [path: string, content: string])[] = [
  ['README.md', 'Set your token: export API_TOKEN=… and the password in .env. A PRIVATE KEY is never shown.\n'],
  ['README.md', 'Begin with `-----BEGIN PRIVATE KEY-----` and end with END.\n'],
  ['test.ts', "const key = 'sk-ant-api03-fixture'; const token = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';\n"],
  ['shapes.ts', 'const AWS = /AKIA[A-Z0-9]{16}/; const GH = /ghp_[A-Za-z0-9]{36}/; // AKIAIOSFODNN7EXAMPLE\n'],
  ['package-lock.json', `{ "integrity": "sha512-${'Ab3'.repeat(28)}==", "resolved": "https://registry.example/a" }`],
  ['key.test.ts', "const KEY = '-----BEGIN OPENSSH PRIVATE KEY-----\\nabc\\n';\n"],
  ['docker.yml', 'services:\n  db:\n    environment:\n      POSTGRES_PASSWORD: postgres\n'],
  ['.git/config', '[remote "origin"]\n\turl = git@git.example:x.git\n'],
  ['config', 'theme = dark\n'],
  ['credentials.ts', 'export const token = read();\n'],
  ['.env.example', 'API_KEY=\n'],
  ['example.env', 'API_KEY=\n'],
  ['environment.ts', 'export {};\n'],
  ['styles.css', '.sk-circle-loader-animated-with-many-words-2-here { color: red }\n'],
  ['id_rsa.pub', 'ssh-rsa AAAA\n'],
  ['hosts.yml', 'all:\n  hosts:\n    a.example:\n'],
  ['chain.pem', '-----BEGIN CERTIFICATE-----\nabc\n'],
  ['slides.key', 'PK'],
  ['.yarnrc.yml', `nodeLinker: node-modules\nnpmAuthToken: "\${NPM_TOKEN}"\n`],
  ['.yarnrc.yml', 'npmAuthToken:\nnodeLinker: node-modules\n'],
  ['.yarnrc.yml', '# no-password: see docs\nnodeLinker: node-modules\n'],
  ['.my.cnf', '[client]\nuser = ada\n'],
  ['.my.cnf', '[client]\npassword =\nuser = ada\n'],
  ['.my.cnf', '[client]\n  ; token: ask the admin\nuser = ada\n'],
  ['history.ts', 'export {};\n'],
  ['src/secrets.ts', 'export const secrets = [];\n'],
  ['keystore.ts', 'export class Keystore {}\n'],
];

test.each(ORDINARY)('the control, which is ordinary: %s', async (path, content) => {
  tools.put(path, content);
  expect((await tools.turn('read_file', { path })).decision.answer).toBe('allow');
  expect((await tools.turn('bash', { command: `cat ${path}` })).decision.answer).toBe('allow');
});
