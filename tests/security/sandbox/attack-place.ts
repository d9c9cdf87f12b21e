import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'vitest';
import { secretFileTest } from '../../../src-main/policy/secret-files.ts';
import { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import type { Hidden } from '../../../src-main/sandbox/visible-places.ts';
import { needOrdinaryUser, needSandbox } from '../../fixtures/machine-needs.ts';

/** Whose rights the attack has. */
export type Attacker = 'the one who runs the tests' | 'an ordinary user';

/** Root's tests run each attack as root and as somebody else; for others those are the same. */
export const ATTACKERS: readonly Attacker[] =
  process.getuid?.() === 0 ? ['the one who runs the tests', 'an ordinary user'] : ['the one who runs the tests'];

export const CANARY = 'text-that-must-not-get-out';

/** A program of the system with its arguments. */
export type Attack = { readonly bash: string } | { readonly python: string };

interface Circumstances {
  readonly environment?: Readonly<Record<string, string>>;
  readonly hidden?: readonly Hidden[];
  /** The project can be written. */
  readonly canWrite?: true;
  /** What the program gets as descriptor 3. */
  readonly inherited?: number;
}

const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' };
/** Without this line, an attack that was never made would seem to be held. */
const INSIDE = 'inside\n';
const SAYING_INSIDE = 'echo inside; exec "$@"';
/** The variables in which an attack finds the folders. */
const VARIABLES = { PROJECT: 'project', OUTSIDE: 'outside', HOME: 'home', OTHER_HOME: 'other' };

/** A root, and around it what a command in it must not get at. The same attack runs here with and without the sandbox. */
export class AttackPlace {
  readonly #base: string;
  readonly #user: { readonly uid?: number; readonly gid?: number };
  readonly #environment: Readonly<Record<string, string>>;
  readonly #running: ChildProcess[] = [];

  constructor(context: TestContext, attacker: Attacker) {
    needSandbox(context);
    this.#user = attacker === 'an ordinary user' ? needOrdinaryUser(context) : {};
    this.#base = realpathSync(mkdtempSync(join(tmpdir(), 'steward-attack-')));
    const folders = Object.entries(VARIABLES).map(([name, folder]) => [name, join(this.#base, folder)] as const);
    for (const path of [this.#base, ...folders.map(([, folder]) => folder)]) {
      mkdirSync(path, { recursive: true });
      this.#own(path);
    }
    this.#environment = { ...ENVIRONMENT, ...Object.fromEntries(folders) };
    this.put('project/README.md', 'hello\n');
    this.put('project/profile/config.json', CANARY);
  }

  path(name: string): string {
    return join(this.#base, name);
  }

  put(name: string, content: string, mode = 0o600): string {
    const path = this.path(name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { mode });
    this.#own(dirname(path));
    this.#own(path);
    return path;
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8');
  }

  /** Starts a program outside, at which the attack aims. Its first output. */
  async target(python: string): Promise<string> {
    const { child, stdout } = this.#spawn(['/usr/bin/python3', '-u', '-c', python], this.#environment);
    this.#running.push(child);
    const [output] = await once(stdout, 'data');
    return String(output);
  }

  /** What the attack printed without a sandbox. */
  bare(attack: Attack, { environment, inherited }: Circumstances = {}): Promise<string> {
    return this.#output(argvOf(attack), { ...this.#environment, ...environment }, inherited);
  }

  /** What the same attack printed inside. */
  async held(attack: Attack, { environment, hidden = [], inherited, canWrite }: Circumstances = {}): Promise<string> {
    const all = { ...this.#environment, ...environment };
    const sandbox = new Sandbox({
      home: this.path('home'),
      environment: () => all,
      secretFileTest,
    });
    const directory = this.path('project');
    const profile = this.path('project/profile');
    const argv = ['bash', '-c', SAYING_INSIDE, 'bash', ...argvOf(attack)];
    const inside = await sandbox.command({
      argv,
      directory,
      roots: [directory],
      ...(canWrite === true ? { writable: directory } : {}),
      hidden,
      profile,
    });
    const output = await this.#output(this.#forUser([inside.command, ...inside.args]), inside.environment, inherited);
    if (!output.includes(INSIDE)) throw new Error(`the sandbox did not start: ${output}`);
    return output.replace(INSIDE, '');
  }

  dispose(): void {
    for (const child of this.#running) child.kill('SIGKILL');
    rmSync(this.#base, { recursive: true, force: true });
  }

  /** The sandbox was prepared by root. The ordinary user needs no private devices, but needs the files. */
  #forUser(argv: readonly string[]): readonly string[] {
    const program = argv.indexOf('-c') + 3;
    const filter = argv[program - 1] ?? '';
    for (const path of [dirname(filter), filter, join(dirname(filter), 'hidden')]) this.#own(path);
    const rest = argv.slice(program);
    return [...argv.slice(0, program), ...rest.slice(this.#user.uid === undefined ? 0 : rest.findIndex(isBubblewrap))];
  }

  #own(path: string): void {
    const { uid = process.getuid?.(), gid = process.getgid?.() } = this.#user;
    if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
  }

  async #output(argv: readonly string[], env: Readonly<NodeJS.ProcessEnv>, inherited?: number): Promise<string> {
    const { stdout, stderr } = this.#spawn(argv, env, inherited);
    return (await Promise.all([text(stdout), text(stderr)])).join('');
  }

  #spawn([command = '', ...args]: readonly string[], env: Readonly<NodeJS.ProcessEnv>, inherited?: number) {
    const child = spawn(command, args, {
      ...this.#user,
      cwd: this.path('project'),
      env: { ...env },
      stdio: ['ignore', 'pipe', 'pipe', inherited ?? 'ignore'],
    });
    const { stdout, stderr } = child;
    if (stdout === null || stderr === null) throw new TypeError('it was started without pipes');
    return { child, stdout, stderr };
  }
}

function isBubblewrap(word: string): boolean {
  return word.endsWith('/bwrap');
}

function argvOf(attack: Attack): readonly string[] {
  return 'bash' in attack ? ['bash', '-c', attack.bash] : ['/usr/bin/python3', '-c', attack.python];
}
