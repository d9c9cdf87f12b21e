// @ts-check
// `npm run fresh-machine` tries README's promise on machines that have nothing but Node and npm. For each release of
// Debian debootstrap makes a bare root, and this working copy is put into it. There `npm ci && npm start` is run, as
// root and as a normal user, until the window has drawn something; then npm alone is ended. It needs root on Linux, and
// debootstrap, and is not part of `npm test`.
//   npm run fresh-machine -- [bookworm|trixie]… [--user root|person]… [--node VERSION] [--keep] [-- COMMAND…]
// A COMMAND (`npm test`, …) runs after `npm ci` instead of `npm start`.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { interruptible } from './electron-interruption.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const INSIDE = join(ROOT, 'scripts', 'fresh-machine');
const RELEASES = ['bookworm', 'trixie'];
const USERS = /** @type {const} */ (['root', 'person']);
const NODE = '20';
const NPM = '11';
/** Only these variables of the environment reach the machine. */
const PASSED_ON = /^(?:https?_proxy|no_proxy|all_proxy|ELECTRON_MIRROR)$/i;

/** @typedef {typeof USERS[number]} User */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    user: { type: 'string', multiple: true },
    node: { type: 'string', default: NODE },
    keep: { type: 'boolean', default: false },
  },
  args: beforeDashes(process.argv.slice(2)).options,
});
const { command } = beforeDashes(process.argv.slice(2));
const releases = positionals.length === 0 ? RELEASES : positionals;
const users = /** @type {readonly User[]} */ (values.user ?? USERS);

const problem = whatIsMissing();
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 2;
} else {
  let failed = 0;
  for (const release of releases) for (const user of users) if (!(await tryOn(release, user))) failed += 1;
  process.exitCode = failed === 0 ? 0 : 1;
}

/** @returns {string | undefined} */
function whatIsMissing() {
  const unknown = [
    ...releases.filter((name) => !RELEASES.includes(name)),
    ...users.filter((name) => !USERS.includes(name)),
  ];
  if (unknown.length > 0)
    return `Unknown: ${unknown.join(', ')}. Releases: ${RELEASES.join(', ')}; users: ${USERS.join(', ')}.`;
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'It needs root on Linux, to make a machine of its own.';
  if (spawnSync('debootstrap', ['--version']).error) return 'debootstrap is missing: apt-get install debootstrap';
  return undefined;
}

/**
 * @param {string} release
 * @param {User} user
 * @returns {Promise<boolean>}
 */
function tryOn(release, user) {
  return interruptible((signal) => tryOnMachine(release, user, signal));
}

/**
 * @param {string} release
 * @param {User} user
 * @param {AbortSignal} signal
 * @returns {Promise<boolean>}
 */
async function tryOnMachine(release, user, signal) {
  const name = `Debian ${release}, ${user === 'root' ? 'root' : 'a normal user'}`;
  const machine = mkdtempSync(join(tmpdir(), `steward-${release}-`));
  process.stderr.write(`${name}: ${machine}\n`);
  try {
    execFileSync('cp', ['--archive', `${bareRoot(release)}/.`, machine]);
    const home = user === 'root' ? '/root' : '/home/person';
    prepareMachine(machine, user, home);
    const status = await runInside(machine, user, home, signal);
    process.stdout.write(`${status === 0 ? '✓' : '✗'} ${name}${status === 0 ? '' : ` (exit code ${status})`}\n`);
    return status === 0;
  } finally {
    if (!values.keep) rmSync(machine, { recursive: true, force: true });
  }
}

/**
 * Makes the root once and keeps it in the cache, from the mirror that this machine's apt uses.
 * @param {string} release
 */
function bareRoot(release) {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'steward', 'fresh-machine');
  const root = join(cache, release);
  if (existsSync(root)) return root;
  mkdirSync(cache, { recursive: true });
  const making = `${root}.${process.pid}`;
  try {
    execFileSync('debootstrap', ['--variant=minbase', release, making, mirror()], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    execFileSync('mv', ['-T', making, root]);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
  return root;
}

/** @returns {string} */
function mirror() {
  const said = execFileSync('apt-get', ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages'], {
    encoding: 'utf8',
  });
  const found = said.split('\n').find((uri) => /\/debian\/?$/.test(uri));
  if (found === undefined)
    throw new Error(
      'apt on this machine has no source of Debian: apt-get indextargets lists none that ends in /debian.',
    );
  return found;
}

/**
 * @param {string} machine
 * @param {User} user
 * @param {string} home
 */
function prepareMachine(machine, user, home) {
  for (const file of ['/etc/resolv.conf', '/etc/hosts', '/etc/apt/apt.conf.d', '/etc/ssl/certs/ca-certificates.crt']) {
    if (!existsSync(file)) continue;
    mkdirSync(dirname(join(machine, file)), { recursive: true });
    cpSync(file, join(machine, file), { recursive: true, dereference: true });
  }
  const tools = join(machine, 'opt', 'node');
  const node = `node-linux-${process.arch}@${values.node}`;
  execFileSync('npm', ['install', '--prefix', tools, '--ignore-scripts', '--no-save', node, `npm@${NPM}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const programs = {
    node: `/opt/node/node_modules/node-linux-${process.arch}/bin/node`,
    npm: '/opt/node/node_modules/npm/bin/npm-cli.js',
    npx: '/opt/node/node_modules/npm/bin/npx-cli.js',
  };
  for (const [name, target] of Object.entries(programs))
    execFileSync('ln', ['-sf', target, join(machine, 'usr', 'local', 'bin', name)]);
  const clone = join(machine, home, 'steward');
  for (const file of execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  }).split('\0')) {
    if (file === '' || !existsSync(join(ROOT, file))) continue;
    mkdirSync(dirname(join(clone, file)), { recursive: true });
    cpSync(join(ROOT, file), join(clone, file), { verbatimSymlinks: true });
  }
  if (user === 'root') return;
  execFileSync('chroot', [machine, 'useradd', '--create-home', '--shell', '/bin/bash', user]);
  execFileSync('chroot', [machine, 'chown', '-R', `${user}:`, home]);
}

/**
 * Runs the trial in a new mount and process namespace, with `pivot_root` instead of `chroot`, in which the kernel
 * allows no user namespaces. When the first process ends, everything in it ends.
 * @param {string} machine
 * @param {User} user
 * @param {string} home
 * @param {AbortSignal} signal
 * @returns {Promise<number>}
 */
function runInside(machine, user, home, signal) {
  cpSync(INSIDE, join(machine, 'opt', 'fresh-machine'), { recursive: true });
  const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED_ON.test(name)));
  const child = spawn(
    'unshare',
    [
      '--mount',
      '--pid',
      '--ipc',
      '--fork',
      '--kill-child',
      'sh',
      join(INSIDE, 'enter.sh'),
      machine,
      user,
      home,
      ...command,
    ],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
      signal,
      // It ignores the others while it waits.
      killSignal: 'SIGKILL',
      env: {
        ...environment,
        ...npmSettings(machine),
        PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      },
    },
  );
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

/**
 * Returns this machine's registry and its certificates, and nothing else of its configuration.
 * @param {string} machine
 */
function npmSettings(machine) {
  const setting = (/** @type {string} */ name) =>
    execFileSync('npm', ['config', 'get', name], { encoding: 'utf8', cwd: tmpdir() }).trim();
  const certificates = setting('cafile');
  const isGiven = certificates !== '' && certificates !== 'null';
  if (isGiven) writeFileSync(join(machine, 'opt', 'certificates.pem'), readFileSync(certificates));
  return {
    npm_config_registry: setting('registry'),
    ...(isGiven && { npm_config_cafile: '/opt/certificates.pem', NODE_EXTRA_CA_CERTS: '/opt/certificates.pem' }),
  };
}

/** @param {readonly string[]} args */
function beforeDashes(args) {
  const at = args.indexOf('--');
  return at === -1 ? { options: [...args], command: [] } : { options: args.slice(0, at), command: args.slice(at + 1) };
}
