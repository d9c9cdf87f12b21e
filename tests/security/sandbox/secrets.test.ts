import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { allowAll } from '../../fixtures/allow-all.ts';
import { need, needSandbox } from '../../fixtures/machine-needs.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';
import { ATTACKERS, AttackPlace, CANARY } from './attack-place.ts';

/** What a command in the sandbox must not read. */

describe.each(ATTACKERS)('as %s', (attacker) => {
  let place: AttackPlace;
  beforeEach((context) => {
    place = new AttackPlace(context, attacker);
  });
  afterEach(() => place?.dispose());

  test.each([
    'home/.ssh/id_ed25519',
    'home/.aws/credentials',
    'home/.npmrc',
    'home/.netrc',
    'home/.bash_history',
    'home/.config/gh/hosts.yml',
    'home/.cargo/credentials.toml',
    'home/Documents/letter.txt',
    'other/.ssh/id_ed25519',
    'outside/notes.txt',
    'project/profile/config.json',
  ])('%s is not read', async (name) => {
    place.put(name, CANARY);
    symlinkSync(place.path(name), place.path('project/link'));
    const bash = `cat "${place.path(name)}"; cat link; grep -rs ${CANARY} "$HOME" .; cat /proc/*/root"${place.path(name)}"`;
    expect(await place.bare({ bash })).toContain(CANARY);
    expect(await place.held({ bash })).not.toContain(CANARY);
  });

  test('what is hidden stays hidden, whatever its owner tries', async () => {
    const path = place.put('project/.env', CANARY);
    const bash =
      'chmod 600 .env; cat .env; cp .env "$HOME"; ln .env "$HOME/x"; mv .env x; tar c . | cat; umount .env; unshare -Urm umount .env; cat .env x';
    expect(await place.held({ bash }, { hidden: [{ path, kind: 'file' }] })).not.toContain(CANARY);
    expect(await place.bare({ bash })).toContain(CANARY);
  });

  test('a secret file beside the programs of PATH is not read', async () => {
    for (const name of ['home/tools/bin/.env', 'home/tools/bin/id_rsa', 'home/tools/lib/.env']) place.put(name, CANARY);
    place.put('home/tools/bin/tool', '#!/bin/sh\necho works\n', 0o755);
    const environment = { PATH: `${place.path('home/tools/bin')}:/usr/bin:/bin` };
    const bash = 'tool; cat "$HOME"/tools/bin/{.env,id_rsa} "$HOME"/tools/lib/.env';
    expect(await place.bare({ bash }, { environment })).toContain(CANARY);
    const held = await place.held({ bash }, { environment });
    expect(held).toContain('works');
    expect(held).not.toContain(CANARY);
  });
});

test('what of /etc not everyone may read is not read by root either', async (context) => {
  need(context, process.getuid?.() === 0, 'needs root, who may read it outside');
  const place = new AttackPlace(context, 'the one who runs the tests');
  const bash =
    'for f in $(find /etc -type f ! -perm -o=r -size +0); do head -c 1 $f > /dev/null && echo "read $f"; done; ls -l /etc/shadow';
  expect(await place.bare({ bash })).toContain('read /etc/shadow');
  const held = await place.held({ bash });
  expect(held).not.toContain('read ');
  expect(held).toContain('/etc/shadow');
  place.dispose();
});

describe('secret files in a root', () => {
  let tools: ToolHarness;
  beforeEach((context) => {
    needSandbox(context);
    tools = new ToolHarness({ consent: allowAll, env: { ...process.env, DEPLOY_TOKEN: CANARY } });
  });
  afterEach(() => tools?.dispose());

  const run = async (sandbox: 'folder' | 'read-only', command: string) =>
    (await tools.turn('bash', { command, sandbox })).result.text;
  const bare = (command: string) =>
    spawnSync('bash', ['-c', command], { cwd: tools.workspace, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
      .stdout;

  test.each([
    ['in a nested folder', 'a/b/c/.env'],
    ['by another case', '.ENV'],
    ['with a newline', 'a\nb/.env'],
    ['with a wildcard', '[a]*/.env.local'],
    ['that Git ignores', 'ignored/.env'],
    ['in a hidden folder', '.cache/.env'],
    ['that is a key', 'keys/id_ed25519'],
  ])('one %s is not read', async (_, name) => {
    tools.put('.gitignore', 'ignored\n');
    tools.put(name, `password=${CANARY}\n`);
    symlinkSync(join(tools.workspace, name), join(tools.workspace, 'link'));
    const command = `cat link; grep -rs ${CANARY.slice(0, -1)} . ; find . -type f -exec cat {} +`;
    expect(bare(command)).toContain(CANARY);
    const text = await run('read-only', command);
    expect(text).not.toContain(CANARY);
    expect(text).toContain('Permission denied');
  });

  test.each([
    ['.env', 'conf/production'],
    ['deploy/.env', 'conf/production'],
    ['credentials.json', 'store/x'],
    ['deep/er/.netrc', 'store/y'],
    ['.pgpass', 'a/b/c/words'],
    ['id_ed25519', 'keys/a'],
    ['.SSH', 'keys'],
    ['.ssh/host', 'keys/a'],
    ['.config/gh', 'keys'],
  ])('what a link %s leads to is not read', async (link, name) => {
    const holding = `machine a.example login ada password ${CANARY}\n`;
    const file = ['keys', 'store'].includes(name) ? `${name}/a` : name;
    tools.put(file, holding);
    mkdirSync(dirname(join(tools.workspace, link)), { recursive: true });
    symlinkSync(join(tools.workspace, name), join(tools.workspace, link));
    const command = `cat ${file} ${link} ${link}/*; grep -rs ${CANARY.slice(0, -1)} .`;
    expect(bare(command)).toContain(CANARY);
    expect(await run('read-only', command)).not.toContain(CANARY);
    // Another file beside it is.
    tools.put('conf/plain', 'is read');
    expect(await run('read-only', 'cat conf/plain')).toContain('is read');
  });

  test.each([
    ['only named to Git', 'git add -N .'],
    ['committed, and named again', 'git commit -qm x --allow-empty; git add --intent-to-add .'],
    ['changed since', 'echo a > a/.env; echo b > credentials.json; git add .; RESTORE'],
    [
      'kept encrypted',
      'git config filter.c.clean "tr a-z b-za"; echo "* filter=c" > .gitattributes; git add .; git commit -qm x',
    ],
    [
      'entered with the id of another',
      'git update-index --add --cacheinfo 100644,$(git hash-object -w plain),a/.env --cacheinfo 100644,$(git hash-object -w plain),credentials.json',
    ],
  ])('one that is %s is not read', async (_, line) => {
    const put = () => {
      tools.put('a/.env', `A=${CANARY}\n`);
      tools.put('credentials.json', `{ "a": "${CANARY}" }\n`);
    };
    tools.put('plain', 'plain\n');
    put();
    const [before = '', after] = line.split('RESTORE');
    bare(`git init -q; git config user.name a; git config user.email a@b.example; ${before}`);
    if (after !== undefined) put();
    expect(bare('git ls-files')).toMatch(/a\/\.env\n[\s\S]*credentials\.json/);
    const command = 'cat a/.env credentials.json; git diff; git diff --cached';
    expect(bare(command)).toContain(CANARY);
    expect(await run('read-only', command)).not.toContain(CANARY);
    // The control: what a commit has as it is.
    bare('git config --unset filter.c.clean; git add . --renormalize; git add .; git commit -qm y --allow-empty');
    expect(await run('read-only', command)).toContain(CANARY);
  });

  test('one that a commit holds stays readable when it is changed', async () => {
    tools.put('.env', 'A=b\n');
    bare('git init -q; git add .; git -c user.name=a -c user.email=a@b.example commit -qm x');
    tools.put('.env', `A=${CANARY}\n`);
    expect(await run('read-only', 'git status --short; cat .env')).toBe(` M .env\nA=${CANARY}`);
  });

  test('one in a folder that can’t be listed is not read by its name', async () => {
    const folder = join(tools.workspace, 'closed');
    mkdirSync(folder);
    tools.put('closed/.env', CANARY);
    chmodSync(folder, 0o100);
    expect(bare('cat closed/.env')).toContain(CANARY);
    expect(await run('read-only', 'chmod 700 closed; cat closed/.env')).not.toContain(CANARY);
    // An ordinary user can't remove it otherwise.
    chmodSync(folder, 0o700);
  });

  test('nothing runs beside one in a folder whose name is not UTF-8', async () => {
    bare(`mkdir $'\\xff'; echo ${CANARY} > $'\\xff/.env'`);
    expect(bare('cat */.env')).toContain(CANARY);
    const text = await run('read-only', 'cat */.env');
    expect(text).not.toContain(CANARY);
    expect(text).toContain('Nothing was run');
  });

  test('variables that look like secrets are not there, in no process', async () => {
    expect(process.env.PATH).toBeDefined();
    expect(await run('read-only', 'env; cat /proc/*/environ | tr "\\0" "\\n"')).not.toContain(CANARY);
  });
});
