import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { systemCode } from '../base/errors.ts';
import { FileLockHeld, withFileLock } from '../base/file-lock.ts';
import { ownValue } from '../base/json.ts';
import { Listeners } from '../base/listeners.ts';
import { renameOver } from '../base/rename-over.ts';
import { replaceFile } from '../base/replace-file.ts';
import { isSqliteFailure } from '../base/sqlite-failure.ts';
import { configEdits } from './config-edits.ts';
import { type ConfigFile, readConfigFile, readConfigText, setAside } from './config-file.ts';
import type { Config, configSchema } from './config-schema.ts';
import { hasRepeatedKey } from './config-text.ts';
import { editConfigText, layOut } from './edit-config-text.ts';
import { FileWatch } from './file-watch.ts';
import { type ConfiguredGrant, grantsIn } from './permission-grants.ts';
import { isKeyIn, keyText, problemText, SettingsError, type SettingsProblem } from './problems.ts';
import { type ProviderChange, providersIn, withoutProvider, withProviderChange } from './provider-entries.ts';
import { type ConfigReading, readConfig } from './read-config.ts';
import {
  type RemovedServer,
  type ServerEdit,
  serverRemoval,
  serversIn,
  withServerBack,
  withServerEdits,
} from './server-entries.ts';
import { hasServersTwice, withServersRenamed } from './spelling.ts';

/**
 * A file that vanished or broke while we run is read again after this, because an editor may be in the middle of
 * saving.
 */
const SECOND_LOOK_MS = 400;

type ReadFile = Pick<Extract<ConfigFile, { state: 'read' }>, 'text' | 'raw'>;

const NO_FILE: ReadFile = { text: '{}\n', raw: {} };

export interface SettingsChange {
  readonly config: Config;
  readonly previous: Config;
  /** An `update` was saved by this process, and a change of the `file` was made from outside. */
  readonly origin: 'update' | 'file';
}

/** An alternative to changing the draft in `update`: whole top-level keys; `undefined` removes one. */
export type ConfigPart = Partial<z.input<typeof configSchema>>;

export interface OpenSettings {
  readonly profileDirectory: string;
  /** Called once for each problem when it appears, also while opening. */
  readonly onProblem: (problem: SettingsProblem) => void;
}

/** Reads `config.json` of a profile. Never throws because of its content: see `problems`. */
export function openSettings(options: OpenSettings): Settings {
  return new Settings(options);
}

export class Settings {
  /** Absolute path of the file, which may not exist. */
  readonly path: string;
  /** The absolute path. */
  readonly profileDirectory: string;
  readonly #onProblem: (problem: SettingsProblem) => void;
  readonly #listeners = new Listeners<[change: SettingsChange]>();
  #file: ConfigFile;
  /** The last readable file and its text; saving over a file that has broken since starts from it. */
  #read: ReadFile;
  #config: Config;
  #fileProblems: readonly SettingsProblem[] = [];
  #sessionProblems: readonly SettingsProblem[] = [];
  #watch: FileWatch | undefined;
  #doubtful: string | undefined;

  constructor({ profileDirectory, onProblem }: OpenSettings) {
    this.profileDirectory = resolve(profileDirectory);
    this.path = join(this.profileDirectory, 'config.json');
    this.#onProblem = onProblem;
    this.#file = readConfigFile(this.path);
    this.#read = this.#file.state === 'read' ? this.#file : NO_FILE;
    const { config, problems } = this.#reading(this.#read.raw);
    this.#config = deepFreeze(config);
    this.#showProblems(this.#file.state === 'broken' ? [this.#file.problem] : problems);
  }

  /**
   * The current settings, frozen and replaced on every change. They contain unconfirmed values too, so use
   * `effectiveConfig` before acting on any.
   */
  get current(): Config {
    return this.#config;
  }

  get problems(): readonly SettingsProblem[] {
    return [...this.#fileProblems, ...this.#sessionProblems];
  }

  /** Every permission grant in config.json. */
  grants(): ConfiguredGrant[] {
    return grantsIn(this.#config);
  }

  /**
   * Changes the newest state of the file, under a lock shared with other processes. Only what the change touched is
   * written; unknown keys and unusable values are kept. `change` may run on a draft that another process has just
   * changed. Throws `SettingsError` if a value is invalid or the file can't be written; then nothing changed.
   */
  update(change: (draft: Config) => ConfigPart | undefined): Promise<Config> {
    return this.#locked(() => this.#updateLocked(change));
  }

  /** Every entry of `mcpServers` as written, including invalid ones. */
  get serversAsWritten(): Readonly<Record<string, unknown>> {
    return serversIn(this.#read.raw);
  }

  /** Sets values in a server's entry, adding it if it is missing. The result must be valid. Throws like `update`. */
  async editServer(name: string, edits: readonly ServerEdit[]): Promise<void> {
    await this.#locked(() => this.#editLocked((read) => withServerEdits(read, name, edits), ['mcpServers', name]));
  }

  /** Every entry of `providers` as written, including invalid ones. */
  get providersAsWritten(): Readonly<Record<string, unknown>> {
    return providersIn(this.#read.raw);
  }

  /** Adds or changes an entry of `providers`, which must be valid then. Throws like `update`. */
  async editProvider(change: ProviderChange): Promise<void> {
    const needed = ['providers', change.renamed ?? change.name] as const;
    await this.#locked(() => this.#editLocked((read) => withProviderChange(read, change), needed));
  }

  /** Throws like `update`. */
  async removeProvider(name: string): Promise<void> {
    await this.#locked(() => this.#editLocked((read) => withoutProvider(read, name)));
  }

  /** Throws like `update`. */
  async removeServer(name: string): Promise<RemovedServer> {
    let removed: RemovedServer | undefined;
    await this.#locked(() =>
      this.#editLocked((read) => {
        removed = serverRemoval(read, name);
        return removed.textAfter;
      }),
    );
    if (removed === undefined) throw new TypeError('the entry was not looked at');
    return removed;
  }

  /** Throws like `update`, and if another server of that name was added in the meantime. */
  async putServerBack(removed: RemovedServer): Promise<void> {
    await this.#locked(() => this.#editLocked((read) => withServerBack(read, removed)));
  }

  async #locked<T>(work: () => Promise<T>): Promise<T> {
    try {
      const locks = join(dirname(this.path), 'locks');
      // Not recursive, so that a deleted profile is not recreated.
      await mkdir(locks, { mode: 0o700 }).catch((error: unknown) => {
        if (systemCode(error) !== 'EEXIST') throw error;
      });
      return await withFileLock(join(locks, 'config.lock'), work);
    } catch (error) {
      const reason = saveFailure(error);
      if (reason === undefined) throw error;
      throw new SettingsError(`${this.path} could not be saved: ${reason}. Nothing was changed.`, { cause: error });
    }
  }

  /**
   * The listener is called on every change of `current`, by `update` or from outside. Returns a function that
   * unsubscribes.
   */
  watch(listener: (change: SettingsChange) => void): () => void {
    const unsubscribe = this.#listeners.add(listener);
    this.#watch ??= new FileWatch(
      this.path,
      () => this.#look(),
      (reason) =>
        this.#addSessionProblem({
          severity: 'notice',
          code: 'not_watched',
          message: `Changes to config.json are noticed late, because its folder cannot be watched (${reason}).`,
        }),
    );
    return () => {
      unsubscribe();
      if (this.#listeners.count === 0) this.#stopWatching();
    };
  }

  close(): void {
    this.#listeners.clear();
    this.#stopWatching();
  }

  /** The newest state of the file, in a form that edits can be applied to. */
  #newest(): { readonly file: ConfigFile; readonly read: ReadFile } {
    const file = readConfigFile(this.path);
    let read = this.#read;
    if (file.state === 'read') read = file;
    else if (file.state === 'absent') read = NO_FILE;
    return { file, read: withPlainKeys(read) };
  }

  /** `needed` is an entry that must be valid afterwards. */
  async #editLocked(
    textOf: (read: ReadFile) => string,
    needed?: readonly ['mcpServers' | 'providers', string],
  ): Promise<Config> {
    const { file, read } = this.#newest();
    const text = textOf(read);
    const wanted = readConfigText(text);
    if (needed !== undefined && wanted.state === 'read') {
      const { config, problems } = this.#reading(wanted.raw);
      const [section, name] = needed;
      const entry = keyText(needed);
      const wrong = problems.filter(({ key, severity }) => severity === 'error' && isKeyIn(entry, key));
      if (ownValue<unknown>(config[section], name) === undefined)
        throw new SettingsError(wrong.map(({ message }) => message).join('\n'), { problems: wrong });
    }
    if (text === read.text) return this.#adopt(file, 'file');
    await this.#save(text, file.state === 'broken');
    return this.#adopt(wanted, 'update');
  }

  async #updateLocked(change: (draft: Config) => ConfigPart | undefined): Promise<Config> {
    const { file, read } = this.#newest();
    const { raw, text: old } = read;
    const before = this.#reading(raw);
    const draft = structuredClone(before.config);
    const part = change(draft) ?? {};
    const wanted = this.#reading({ ...draft, ...part });
    if (wanted.problems.length > 0)
      throw new SettingsError(wanted.problems.map(({ message }) => message).join('\n'), {
        problems: wanted.problems,
      });
    const edits = configEdits({
      raw,
      before: before.config,
      after: wanted.config,
      refused: before.refused,
      given: Object.keys(part),
    });
    const text = editConfigText(old, edits);
    if (text === old) return this.#adopt(file, 'file');
    await this.#save(text, file.state === 'broken');
    return this.#adopt(readConfigText(text), 'update');
  }

  async #save(text: string, isBroken: boolean): Promise<void> {
    if (!isBroken) return replaceFile(this.path, text);
    const aside = await setAside(this.path);
    try {
      await replaceFile(this.path, text);
    } catch (error) {
      await renameOver(aside, this.path);
      throw error;
    }
    this.#addSessionProblem({
      severity: 'notice',
      code: 'set_aside',
      message: `config.json could not be read, so it was kept as ${aside} before a new one was saved.`,
    });
  }

  #look(): void {
    const file = readConfigFile(this.path);
    const identity = identityOf(file);
    if (identity === identityOf(this.#file)) {
      this.#doubtful = undefined;
    } else if (file.state === 'read' || this.#doubtful === identity) {
      this.#doubtful = undefined;
      this.#adopt(file, 'file');
    } else {
      this.#doubtful = identity;
      this.#watch?.lookIn(SECOND_LOOK_MS);
    }
  }

  /** A broken file only changes the problems: the last readable values stay in effect. */
  #adopt(file: ConfigFile, origin: SettingsChange['origin']): Config {
    this.#file = file;
    if (file.state === 'broken') {
      this.#showProblems([{ ...file.problem, inEffect: 'settings_read_before' }]);
      return this.#config;
    }
    this.#read = file.state === 'read' ? file : NO_FILE;
    const { config, problems } = this.#reading(this.#read.raw);
    const previous = this.#config;
    this.#showProblems(problems);
    if (isDeepStrictEqual(config, previous)) return previous;
    this.#config = deepFreeze(config);
    this.#listeners.tell({ config: this.#config, previous, origin });
    return this.#config;
  }

  #reading(raw: Readonly<Record<string, unknown>>): ConfigReading {
    return readConfig(raw, this.profileDirectory);
  }

  #showProblems(problems: readonly SettingsProblem[]): void {
    const known = new Set(this.#fileProblems.map(problemText));
    this.#fileProblems = problems;
    for (const problem of problems) if (!known.has(problemText(problem))) this.#onProblem(problem);
  }

  #addSessionProblem(problem: SettingsProblem): void {
    this.#sessionProblems = [...this.#sessionProblems, problem];
    this.#onProblem(problem);
  }

  #stopWatching(): void {
    this.#watch?.close();
    this.#watch = undefined;
  }
}

const SAVE_FAILURES: Readonly<Record<string, string>> = {
  EACCES: 'you may not write there (EACCES)',
  EPERM: 'you may not write there (EPERM)',
  EROFS: 'the file system is read-only (EROFS)',
  ENOSPC: 'the disk is full (ENOSPC)',
  EDQUOT: 'the disk quota is used up (EDQUOT)',
  ENOENT: 'the profile folder no longer exists (ENOENT)',
};

/** Why the file could not be written; `undefined` for other errors. */
function saveFailure(error: unknown): string | undefined {
  if (error instanceof FileLockHeld) return 'another Steward is saving it';
  if (isSqliteFailure(error)) return `its lock cannot be used (${error.message})`;
  const code = error instanceof Error && 'syscall' in error ? systemCode(error) : '';
  return code === '' ? undefined : (ownValue(SAVE_FAILURES, code) ?? `it failed with ${code}`);
}

/** Edits find keys by name: if one is duplicated, the file is rewritten first, without comments. */
function withPlainKeys({ text, raw }: ReadFile): ReadFile {
  if (!hasServersTwice(raw) && !hasRepeatedKey(text)) return { text, raw };
  const plain = withServersRenamed(raw);
  return { text: layOut(plain, text), raw: plain };
}

function identityOf(file: ConfigFile): string {
  if (file.state === 'read') return `read ${file.text}`;
  return file.state === 'broken' ? `broken ${file.identity}` : 'absent';
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null)
    for (const member of Object.values(Object.freeze(value))) deepFreeze(member);
  return value;
}
