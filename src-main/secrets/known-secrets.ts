import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { namesIn } from '../base/names-in.ts';
import { readPlainText } from './dot-env.ts';
import { secretValuesIn, withoutSecretAssignments } from './env-file-values.ts';
import { type PiecewiseReplacement, ValueReplacement, WITHHELD } from './replaced-values.ts';

const ENV_FILE = /^\.env(?:\.|$)/i;

/**
 * The limit of all files' values together, in UTF-16 units. It leaves enough of `MAX_SEARCHED` for those that Steward
 * holds.
 */
const MAX_IN_FILES = 400_000;

/** The limit of all files together, because reading them takes time whether or not they hold values. */
const MAX_BYTES = 1024 * 1024;

/** The limit for one folder. A project has a handful. */
const MAX_ENV_FILES = 100;

/** What stands in a structure beside its texts: kinds, ids, paths. */
const SHORT_WORD = /^[\w.:/-]{0,64}$/;

/** Instead of a version: the file is read as soon as texts are no longer withheld because of another one. */
const UNREAD = '';

interface ReadFile {
  readonly version: string;
  readonly bytes: number;
  /** Undefined if there are more than can be looked for. */
  readonly values: readonly string[] | undefined;
}

/**
 * The secret values that Steward knows: those that it holds, and those in `.env` files that it has read. None of them
 * may appear in a tool's result. The files may be hostile: where they hold more than can be looked for, texts are
 * withheld until they don't.
 */
export class KnownSecrets {
  readonly #held: () => readonly string[];
  /** Values by file, with the version of the file they were read from. */
  readonly #files = new Map<string, ReadFile>();
  readonly #folders = new Map<string, { readonly version: string; readonly names: readonly string[] }>();
  /** Made again when a value is added. */
  #made: { readonly values: readonly string[] | undefined; readonly replacement: ValueReplacement } | undefined;

  constructor(held: () => readonly string[]) {
    this.#held = held;
  }

  /** Reads the `.env` files directly in a folder, if they have changed. */
  readFolder(folder: string): void {
    const version = versionOf(folder);
    if (version === undefined) return;
    if (this.#folders.get(folder)?.version !== version)
      this.#folders.set(folder, { version, names: namesIn(folder).filter((name) => ENV_FILE.test(name)) });
    const names = this.#folders.get(folder)?.names ?? [];
    for (const name of names.slice(0, MAX_ENV_FILES)) this.readFile(join(folder, name));
    if (names.length > MAX_ENV_FILES) this.#files.set(folder, { version, bytes: 0, values: undefined });
    else this.#files.delete(folder);
  }

  /** Reads a file if its name is that of a `.env` file. Anything unreadable, binary or special has no values. */
  readFile(path: string): void {
    if (!ENV_FILE.test(basename(path))) return;
    const version = versionOf(path);
    if (version === undefined || this.#files.get(path)?.version === version) return;
    // A value that was replaced in the file may still be in use somewhere.
    const before = this.#files.get(path)?.values ?? [];
    this.#files.delete(path);
    this.#forgetRemoved();
    const others = [...this.#files.values()];
    // What follows one that is too much is not looked at until that one is better: texts are withheld anyway.
    if (others.some(({ values, version: of }) => values === undefined && of !== UNREAD)) {
      this.#files.set(path, { version: UNREAD, bytes: 0, values: undefined });
      return;
    }
    const { text = '', isTooLarge = false } = readPlainText(path);
    const bytes = Buffer.byteLength(text);
    const isTooMuch = isTooLarge || bytes + others.reduce((sum, other) => sum + other.bytes, 0) > MAX_BYTES;
    const values = isTooMuch ? [] : [...new Set([...before, ...secretValuesIn(text)])];
    const length = lengthOf(values) + others.reduce((sum, other) => sum + lengthOf(other.values ?? []), 0);
    this.#files.set(path, { version, bytes, values: isTooMuch || length > MAX_IN_FILES ? undefined : values });
  }

  /** The text without these values. `from` are the files that were read for it. */
  redact(text: string, from: readonly string[] = []): string {
    return this.#redaction(from)(text);
  }

  /**
   * Replaces secrets in every text of a value made of objects, lists and plain values. Where texts are withheld, short
   * words are not: without kinds and ids the value would be no such value any more.
   */
  redactIn<T>(value: T, from: readonly string[] = []): T {
    const redact = this.#redaction(from);
    const { withholds } = this.#replacement();
    return mapTexts(value, (text) => (withholds && SHORT_WORD.test(text) ? text : redact(text))) as T;
  }

  /** Replaces secrets in a text that comes in pieces. */
  live(onText: (text: string) => void): PiecewiseReplacement {
    return this.#replacement().live(onText);
  }

  #redaction(from: readonly string[]): (text: string) => string {
    const isOfEnvFile = from.some((path) => ENV_FILE.test(basename(path)));
    const replacement = this.#replacement();
    if (replacement.withholds) return (text) => (text === '' ? '' : WITHHELD);
    return (text) => replacement.apply(isOfEnvFile ? withoutSecretAssignments(text) : text);
  }

  #replacement(): ValueReplacement {
    const values = this.#values();
    if (this.#made === undefined || !isSame(this.#made.values, values))
      this.#made = { values, replacement: new ValueReplacement(values) };
    return this.#made.replacement;
  }

  /** Undefined if there are more than can be looked for. */
  #values(): readonly string[] | undefined {
    const inFiles = this.#valuesInFiles();
    return inFiles === undefined ? undefined : [...new Set([...this.#held(), ...inFiles])];
  }

  #valuesInFiles(): readonly string[] | undefined {
    this.#forgetRemoved();
    const values: string[] = [];
    for (const read of this.#files.values()) {
      if (read.values === undefined) return undefined;
      for (const value of read.values) values.push(value);
    }
    return values;
  }

  /** Values stay known when their file is removed; that it held too many does not. */
  #forgetRemoved(): void {
    for (const [path, { values }] of this.#files)
      if (values === undefined && versionOf(path) === undefined) this.#files.delete(path);
  }
}

function lengthOf(values: readonly string[]): number {
  return values.reduce((sum, { length }) => sum + length, 0);
}

function isSame(one: readonly string[] | undefined, other: readonly string[] | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.length === other.length && one.every((value, index) => value === other[index]);
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapTexts(each, change)]));
}

function versionOf(path: string): string | undefined {
  try {
    const { mtimeMs, size, ino } = statSync(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return undefined;
  }
}
