import { isAscii } from 'node:buffer';
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import Module, { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script, constants as vmConstants } from 'node:vm';

/** Opens no link: another user could put one where this user's cache is expected. Windows has no such flag. */
const NEVER_A_LINK = constants.O_NOFOLLOW ?? 0;
const DIGEST_BYTES = 32;

type Wrapped = (
  exports: unknown,
  require: (id: string) => unknown,
  module: { exports: unknown },
  file: string,
  folder: string,
) => void;

/**
 * Runs CommonJS scripts of the build with what V8 compiled at the first run, which halves the start: of two megabytes
 * of script, a run executes a tenth. Not `module.enableCompileCache`, which Node 20 lacks; not `v8-compile-cache`, which
 * keeps the code in the shared temporary folder, can't tell a damaged file, and makes `import()` impossible.
 *
 * What is cached is executed. So a file counts only if it is this user's alone (else another user of a shared machine
 * could leave code there), was made from exactly this source, and is undamaged: V8 itself compares only the length of
 * the source, its own version and its flags.
 */
export class CachedScripts {
  readonly #folder: string;
  readonly #modules = new Map<string, { exports: unknown }>();
  readonly #compiled: { readonly script: Script; readonly source: Buffer; readonly file: string }[] = [];
  /** Paths of the scripts that needed no compiling. */
  readonly fromCache: string[] = [];

  /** `folder`: of the caches; one for each V8 is made in it. */
  constructor(folder: string) {
    this.#folder = join(folder, `${process.versions.v8}-${process.arch}`);
  }

  /** What the script at this absolute path exports. */
  load(path: string): unknown {
    const loaded = this.#modules.get(path);
    if (loaded !== undefined) return loaded.exports;
    const module = { exports: {} };
    this.#modules.set(path, module);
    const fromNode = createRequire(path);
    const load = (id: string) => (id.startsWith('.') ? this.load(join(dirname(path), id)) : fromNode(id));
    this.#compile(path)(module.exports, load, module, path, dirname(path));
    return module.exports;
  }

  #compile(path: string): Wrapped {
    const source = readFileSync(path);
    const file = join(this.#folder, `${basename(path)}.cache`);
    const script = new Script(Module.wrap(textOf(source)), {
      filename: path,
      cachedData: cachedCode(file, source),
      importModuleDynamically: vmConstants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    if (script.cachedDataRejected === false) this.fromCache.push(path);
    else this.#compiled.push({ script, source, file });
    return script.runInThisContext() as Wrapped;
  }

  /** Keeps the compiled code at the end of the process, because by then it contains the functions that were called. */
  keep(): void {
    try {
      if (this.#compiled.length > 0) mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      for (const { script, source, file } of this.#compiled) keepCode(file, source, script.createCachedData());
    } catch {
      // The disk may be full, or the folder someone else's. The next start then compiles again.
    }
  }
}

/** The text of a script, with one byte per character if possible, which takes half the memory. */
function textOf(source: Buffer): string {
  return source.toString(isAscii(source) ? 'latin1' : 'utf8');
}

function digest(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/** The compiled code of this source, or undefined if there is none that may be executed. */
function cachedCode(file: string, source: Buffer): Buffer | undefined {
  const kept = readOwnFile(file);
  if (kept === undefined) return undefined;
  const code = kept.subarray(2 * DIGEST_BYTES);
  const isOfSource = kept.subarray(0, DIGEST_BYTES).equals(digest(source));
  const isWhole = kept.subarray(DIGEST_BYTES, 2 * DIGEST_BYTES).equals(digest(code));
  return isOfSource && isWhole ? code : undefined;
}

/**
 * The content of a file. Undefined if it does not exist, or if another user owns it or could change it: whoever can
 * write the cache would otherwise choose what runs.
 */
function readOwnFile(file: string): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, constants.O_RDONLY | NEVER_A_LINK);
    const { uid, mode } = fstatSync(descriptor);
    const isOwn = process.platform === 'win32' || (uid === process.getuid?.() && (mode & 0o077) === 0);
    return isOwn ? readFileSync(descriptor) : undefined;
  } catch {
    // Most often ENOENT, at the first run; whatever else prevents reading it, the source is compiled.
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Several processes may do this at once. */
function keepCode(file: string, source: Buffer, code: Buffer): void {
  const temporary = `${file}.${process.pid}`;
  try {
    writeFileSync(temporary, Buffer.concat([digest(source), digest(code), code]), { mode: 0o600, flag: 'wx' });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
