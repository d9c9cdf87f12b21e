import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { namesIn } from '../base/names-in.ts';
import { readPlainText } from './dot-env.ts';
import { secretValuesIn, withoutSecretAssignments } from './env-file-values.ts';
import { PiecewiseReplacement, withoutValues } from './replaced-values.ts';

const ENV_FILE = /^\.env(?:\.|$)/i;

/**
 * The secret values that Steward knows: those that it holds, and those in `.env` files that it has read. None of them
 * may appear in a tool's result. Source: issue 9, item 4.
 */
export class KnownSecrets {
  readonly #held: () => readonly string[];
  /** Values by file, with the version of the file they were read from. */
  readonly #files = new Map<string, { readonly version: string; readonly values: readonly string[] }>();

  readonly #folders = new Map<string, { readonly version: string; readonly names: readonly string[] }>();

  constructor(held: () => readonly string[]) {
    this.#held = held;
  }

  /** Reads the `.env` files directly in a folder, if they have changed. */
  readFolder(folder: string): void {
    const version = versionOf(folder);
    if (version === undefined) return;
    if (this.#folders.get(folder)?.version !== version)
      this.#folders.set(folder, { version, names: namesIn(folder).filter((name) => ENV_FILE.test(name)) });
    for (const name of this.#folders.get(folder)?.names ?? []) this.readFile(join(folder, name));
  }

  /** Reads a file if its name is that of a `.env` file. Anything unreadable, binary or special has no values. */
  readFile(path: string): void {
    if (!ENV_FILE.test(basename(path))) return;
    const version = versionOf(path);
    if (version === undefined || this.#files.get(path)?.version === version) return;
    const { text = '' } = readPlainText(path);
    // A value that was replaced in the file may still be in use somewhere.
    const before = this.#files.get(path)?.values ?? [];
    this.#files.set(path, { version, values: [...new Set([...before, ...secretValuesIn(text)])] });
  }

  /** The text without these values. `from`: the files that were read for it. */
  redact(text: string, from: readonly string[] = []): string {
    return this.#redaction(from)(text);
  }

  /** The same for every text in a value made of objects, lists and plain values. */
  redactIn<T>(value: T, from: readonly string[] = []): T {
    return mapTexts(value, this.#redaction(from)) as T;
  }

  /** The same for a text that comes in pieces. */
  live(onText: (text: string) => void): PiecewiseReplacement {
    return new PiecewiseReplacement(this.#values(), onText);
  }

  #redaction(from: readonly string[]): (text: string) => string {
    const isOfEnvFile = from.some((path) => ENV_FILE.test(basename(path)));
    const values = this.#values();
    return (text) => withoutValues(isOfEnvFile ? withoutSecretAssignments(text) : text, values);
  }

  #values(): readonly string[] {
    return [...new Set([...this.#held(), ...[...this.#files.values()].flatMap(({ values }) => values)])];
  }
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
