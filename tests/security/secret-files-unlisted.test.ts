import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { documentXml, docxWith, packedDocx, paragraph } from '../fixtures/docx.ts';
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
  ...['hf_', 'r8_', 'xai-', 'gsk_', 'newissuer_', 'new-live_', 'a1_test_key_'].map(
    (prefix): readonly [string, string] => [`${prefix}.py`, `client(token="${prefix}${letters(28)}4kW9mR")\n`],
  ),
];
/** A key as other files hold it. */
const behind = (before: string, text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => `${before}${line}`)
    .join('\n');
const base64 = (text: string) => Buffer.from(text).toString('base64');
const PGP = KEY.replaceAll('PRIVATE KEY', 'PGP PRIVATE KEY BLOCK').replace('\n', '\nVersion: GnuPG v2\n\n');
const HIDDEN_IN: readonly (readonly [path: string, hold: (key: string) => string | Buffer])[] = [
  ['values.yaml', (key) => `tls:\n  key: |\n${behind('    ', key)}\n`],
  ['app.json', (key) => JSON.stringify({ tls: { key } })],
  ['app.pretty.json', (key) => JSON.stringify({ privateKey: key.replaceAll('\n', '\r\n') }, null, 2)],
  ['twice.json', (key) => JSON.stringify({ file: JSON.stringify({ key }) })],
  ['conf.toml', (key) => `key = '''${key}'''\n`],
  ['line.toml', (key) => `key = "${key.replaceAll('\n', '\\n')}"\n`],
  ['conf.ini', (key) => `[ssh]\nkey = ${key}`],
  ['app.properties', (key) => `ssl.key=${key.replaceAll('\n', '\\n\\\n')}`],
  ['client.ovpn', (key) => `client\n<key>\n${key}</key>\n`],
  ['deploy.sh', (key) => `echo '${key}' > key\n`],
  ['mail.md', (key) => behind('> ', key)],
  ['tabs', (key) => behind('\t', key)],
  ['old-mac', (key) => key.replaceAll('\n', '\r')],
  ['utf16.yaml', (key) => Buffer.from(`\ufeffkey: |\n${behind('  ', key)}\n`, 'utf16le')],
  ['joined.js', (key) => `const key = '${key.split('\n').join("\\n' +\n  '")}';\n`],
  ['key.xml', (key) => `<key>${key.replaceAll('\n', '&#10;')}</key>\n`],
  ['secret.yaml', (key) => `kind: Secret\ndata:\n  x: ${base64(key)}\n`],
  ['wrapped.txt', (key) => base64(key).replaceAll(/(.{76})/g, '$1\n')],
  ['ci.json', (key) => JSON.stringify({ FILE: base64(key).replaceAll(/(.{64})/g, '$1\n') })],
];
const KEYS = { KEY, RSA, PGP };
const IN_OTHERS = HIDDEN_IN.flatMap(([path, hold]) =>
  Object.values(KEYS).map((key, at) => [`${at}-${path}`, hold(key)] as const),
);
const hexadecimal = (digits: number) => randomBytes(digits).toString('hex').slice(0, digits);
const AWS = `${letters(39)}/`;
const TOKENS = [
  ['router.txt', `sk-or-v1-${hexadecimal(64)}`],
  ['aws.json', JSON.stringify({ aws_secret_access_key: AWS })],
  ['sts.json', JSON.stringify({ Credentials: { SecretAccessKey: AWS } }, null, 1)],
  ['aws.yaml', `secretAccessKey: ${AWS}\n`],
  ['twice.txt', JSON.stringify(JSON.stringify({ secretAccessKey: AWS }))],
  ['main.tf', `access_key = "AKIAQZ7RTYUIOPLKJHGF"\nsecret_key = "${AWS}"\n`],
  ['hook.txt', `https://discord.com/api/webhooks/928374655473829105/${letters(68)}`],
  ['a/.git/config', '[sendemail]\n\tsmtpPass = hunter2\n'],
  ['b/.git/config', '[http]\n\textraHeader = X-Api-Key: hunter2\n'],
  ['c/.git/config', '[credential]\n\tclientSecret = hunter2\n'],
] as const;

const LISTED = [
  ['.env', 'A=1'],
  ['.netrc', 'machine a.example login ada password pw'],
  ['.npmrc', '//registry.example/:_authToken=npm_abc'],
  ['credentials.json', '{}'],
  ['.pgpass', 'x'],
] as const;
const COPIES = [
  '.NAME.un~',
  'NAME.~1~',
  'NAME.tmp-4711-abc',
  'NAME.dpkg-old',
  'NAME.rpmsave',
  'NAME.pacnew',
  'NAME.part',
  'NAME.2026-01-02T10:00',
  'NAME.rej',
  'NAME.txt',
  'NAME.mine',
  'NAME.kate-swp',
  'NAME,v',
  'NAME@2026',
  'NAME+',
  'NAME.work',
  'NAME kopie',
  'NAME ',
  'NAME.',
  '2026-01-01-NAME',
  '%home%ada%NAME',
  '!home!ada!NAME~',
  "NAME (Ada's conflicted copy 2026-01-01)",
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
const BEFORE_EXTENSION = [
  ' - Copy',
  ' copy 2',
  ' (2) (1)',
  '_REMOTE_99',
  '.sync-conflict-20260101-120000-ABC',
  '.~2~',
].flatMap((addition) =>
  ['credentials.json', 'secrets.yml', '.yarnrc.yml'].map(
    (name) => [name.replace(/\.(?=[^.]+$)/, `${addition}.`), 'npmAuthToken: hunter2\n'] as const,
  ),
);

describe('a file that holds a secret asks, whatever it is called', () => {
  test.each([...HOLDING, ...GENERATED, ...BEFORE_EXTENSION, ...IN_OTHERS, ...TOKENS])('%s', async (path, content) => {
    tools.put(path, content);
    expect((await tools.turn('read_file', { path })).decision).toMatchObject({ answer: 'deny', by: 'user' });
    const word = path.replaceAll("'", String.raw`'\\''`);
    for (const command of [`cat '${word}'`, `base64 './${word}'`, `grep -c . '${word}'`])
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

  const inWord = (text: string) => text.trim().split('\n').map(paragraph).join('');
  test.each([
    ['server.docx', docxWith(inWord(KEY))],
    ['compressed.docm', packedDocx(documentXml(inWord(`ghp_${letters(36)}`)))],
    ['sts.docx', packedDocx(documentXml(inWord(`secretAccessKey: ${AWS}`)))],
  ])('a text that its bytes do not show: %s', async (path, content) => {
    tools.put(path, content);
    const { result } = await tools.turn('read_file', { path });
    expect(result.outcome).toBe('declined');
    expect(result.text).not.toMatch(/PRIVATE|ghp_|secretAccess/);
    // The control: what holds none.
    tools.put(path, docxWith(inWord('An ordinary letter.')));
    expect(await tools.text('read_file', { path })).toBe('An ordinary letter.');
  });

  test('a file is looked at again when it was changed', async () => {
    tools.put('a.txt', 'nothing\n');
    expect((await tools.turn('read_file', { path: 'a.txt' })).decision.answer).toBe('allow');
    tools.put('a.txt', KEY);
    expect((await tools.turn('read_file', { path: 'a.txt' })).decision.answer).toBe('deny');
  });
});

describe('a link with the name of a secret file makes one of what it leads to', () => {
  /** Beside it, above it, and elsewhere, where only the link itself is known. */
  const around = LISTED.flatMap(([name]) => ['', 'conf/'].map((folder) => [name, `${folder}kept`] as const));
  test.each([
    ...around,
    ['.ssh', 'keys/kept'],
    ['.config/gh', '.config/gh-of-team/kept'],
    ['a/.netrc', 'a/b/c/kept'],
    ['far/.pgpass', 'elsewhere/kept'],
  ] as const)('%s, a link to %s', async (link, kept) => {
    const content = 'machine a.example login ada password hunter2, //registry.example/:_authToken=npm_abc\n';
    const file = tools.put(kept, content);
    const at = join(tools.workspace, link);
    mkdirSync(dirname(at), { recursive: true });
    const isFolder = ['.ssh', '.config/gh'].includes(link);
    const read = async (path: string) => [
      (await tools.turn('read_file', { path })).decision.answer,
      (await tools.turn('bash', { command: `cat ${path}` })).decision.answer,
      (await tools.turn('bash', { command: `cd ${dirname(path)} && head -5 ${basename(path)}*` })).decision.answer,
    ];
    expect(await read(kept)).toEqual(['allow', 'allow', 'allow']);
    symlinkSync(isFolder ? dirname(file) : file, at);
    const paths = [isFolder ? `${link}/kept` : link, ...(kept.startsWith('elsewhere') ? [] : [kept])];
    for (const path of paths) expect([path, ...(await read(path))]).toEqual([path, 'deny', 'deny', 'deny']);
    // Saved anew, as editors do, it is another file.
    renameSync(tools.put('new', content), file);
    for (const path of paths) expect([path, ...(await read(path))]).toEqual([path, 'deny', 'deny', 'deny']);
    tools.put('plain', 'read');
    expect(await read('plain')).toEqual(['allow', 'allow', 'allow']);
  });
});

/** Ordinary files that speak of secrets. */
const ORDINARY: readonly (readonly [path: string, content: string])[] = [
  ['README.md', 'Set your token: export API_TOKEN=… and the password in .env. A PRIVATE KEY is never shown.\n'],
  ['README.md', 'Begin with `-----BEGIN PRIVATE KEY-----` and end with END.\n'],
  ['test.ts', "const key = 'sk-ant-api03-fixture'; const token = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';\n"],
  ['shapes.ts', 'const AWS = /AKIA[A-Z0-9]{16}/; const GH = /ghp_[A-Za-z0-9]{36}/; // AKIAIOSFODNN7EXAMPLE\n'],
  ['package-lock.json', `{ "integrity": "sha512-${'Ab3'.repeat(28)}==", "resolved": "https://registry.example/a" }`],
  ['sums.txt', `sha256-${letters(43)}=\nsha512-${letters(43)}/${letters(42)}==\n`],
  ['logo-5f2b3c4d5e6f708192a3b4c5d6e7f809.svg', 'url(logo-5f2b3c4d5e6f708192a3b4c5d6e7f809.svg)\n'],
  ['names.py', 'maybe_writeTheDistributionMetadata2ToTheFile is_aVeryLongNameOfAMethodThatSomebodyWrote\n'],
  ['ids.json', `{ "id": "usr_${'1a'.repeat(16)}", "run": "run-2026-01-01T00-00-00-000Z", "x": "msg_01ABCDEFGHIJ" }\n`],
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
  ['app.env.ts', 'export {};\n'],
  ['foo.environment', 'x\n'],
  ['secrets.yml.example', 'key:\n'],
  ['credentials.example.json', '{}'],
  ['credentials-types.json', '{}'],
  ['secrets-scan.yml', 'on: push\n'],
  ['xcredentials.json', '{}'],
  ['aws-credentials-provider.txt', 'x\n'],
  ['.envrc.md', 'Copy it.\n'],
  [
    'keys.md',
    'It begins with -----BEGIN RSA PRIVATE KEY----- and ends with -----END RSA PRIVATE KEY-----, and so on.\n',
  ],
  [
    'how.md',
    `-----BEGIN PRIVATE KEY-----\nHere the lines of the key itself follow, in base64, without any blank between them.\n`,
  ],
  [
    'names.txt',
    '-----BEGIN RSA PRIVATE KEY-----\n-----BEGIN PRIVATE KEY-----\n-----BEGIN EC PRIVATE KEY-----\n'.repeat(9),
  ],
  ['paste.json', JSON.stringify({ placeholder: '-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----' })],
  ['made-up.yaml', `key: |\n  -----BEGIN PRIVATE KEY-----\n  ${'x'.repeat(64)}\n  -----END PRIVATE KEY-----\n`],
  ['certificate.yaml', `ca: ${base64(KEY.replaceAll('PRIVATE KEY', 'CERTIFICATE'))}\n`],
  ['accounts.md', `AKIAQZ7RTYUIOPLKJHGF, ${hexadecimal(40)}, sha1-${hexadecimal(40)}\n`],
  ['sdk.ts', 'const { secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY_OF_THE_OTHER_ONE };\n'],
  ['.git/config', '[user]\n\tname = ada\n[pull]\n\trebase = true\n'],
];

test.each(ORDINARY)('the control, which is ordinary: %s', async (path, content) => {
  tools.put(path, content);
  expect((await tools.turn('read_file', { path })).decision.answer).toBe('allow');
  expect((await tools.turn('bash', { command: `cat ${path}` })).decision.answer).toBe('allow');
});
