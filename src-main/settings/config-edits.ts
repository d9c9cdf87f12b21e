import { isDeepStrictEqual } from 'node:util';
import { isRecord, ownValue } from '../base/json.ts';
import type { ConfigEdit } from './edit-config-text.ts';
import type { KeyPath } from './problems.ts';
import { serverKeyAsWritten, serversKeyAsWritten } from './spelling.ts';

type JsonObject = Readonly<Record<string, unknown>>;

export interface ConfigChange {
  /** The file's content. */
  readonly raw: JsonObject;
  /** The parsed configuration, before and after the change. */
  readonly before: JsonObject;
  readonly after: JsonObject;
  /** The paths of values that have no effect. They stay unchanged, also in a list that changes. */
  readonly refused: readonly KeyPath[];
  /** Keys that were set explicitly: their refused values are replaced even if the default in effect is the same. */
  readonly given: readonly string[];
}

/** The edits that turn one configuration into the other and change nothing else. */
export function configEdits(change: ConfigChange): ConfigEdit[] {
  return [...new Edits(change).all()].map(({ path, value }) => ({ path: asWritten(path, change.raw), value }));
}

class Edits {
  readonly #change: ConfigChange;

  constructor(change: ConfigChange) {
    this.#change = change;
  }

  *all(): Generator<ConfigEdit> {
    const { before, after, refused, given } = this.#change;
    yield* this.#inObject(before, after, []);
    for (const place of refused) if (given.includes(String(place[0]))) yield* this.#correction(place);
  }

  *#inObject(before: JsonObject, after: JsonObject, parent: KeyPath): Generator<ConfigEdit> {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const [old, value] = [ownValue(before, key), ownValue(after, key)];
      if (isDeepStrictEqual(old, value)) continue;
      const path = [...parent, key];
      const inFile = this.#inFile(path);
      if (isRecord(value)) yield* this.#ofObject(inFile, old, value, path);
      else if (Array.isArray(value)) yield* this.#ofList(inFile, old, value, path);
      else if (value !== undefined || inFile !== undefined) yield { path, value };
    }
  }

  *#ofObject(inFile: unknown, old: unknown, value: JsonObject, path: KeyPath): Generator<ConfigEdit> {
    const isSection = path.length === 1;
    if (isRecord(inFile) && (isRecord(old) || isSection)) yield* this.#inObject(isRecord(old) ? old : {}, value, path);
    // A section missing from the file consists of defaults; writing them would pin them.
    else if (inFile === undefined && isRecord(old) && isSection) yield* this.#inObject(old, value, path);
    else yield { path, value: path[0] === 'mcpServers' ? withoutEmptyMembers(value) : value };
  }

  /** Item by item if items were only appended or removed, so that the others keep their spelling and comments. */
  *#ofList(inFile: unknown, old: unknown, value: readonly unknown[], path: KeyPath): Generator<ConfigEdit> {
    const entries = Array.isArray(inFile) ? inFile : [];
    const isRefused = (index: number) =>
      this.#change.refused.some((place) => isDeepStrictEqual(place, [...path, index]));
    const inEffect = [...entries.keys()].filter((index) => !isRefused(index));
    const before = Array.isArray(old) ? old : [];
    const isKept = before.map((entry) => value.some((wanted) => isDeepStrictEqual(entry, wanted)));
    const kept = before.filter((_entry, position) => isKept[position]);
    const isSimple =
      Array.isArray(inFile) &&
      inEffect.length === before.length &&
      isDeepStrictEqual(kept, value.slice(0, kept.length));
    if (!isSimple) {
      yield { path, value: [...value, ...entries.filter((_entry, index) => isRefused(index))] };
      return;
    }
    const removed = inEffect.filter((_index, position) => !isKept[position]);
    for (const index of removed.toReversed()) yield { path: [...path, index], value: undefined };
    const length = entries.length - removed.length;
    for (const [index, entry] of value.slice(kept.length).entries())
      yield { path: [...path, length + index], value: entry };
  }

  *#correction(place: KeyPath): Generator<ConfigEdit> {
    const [top, inner] = place;
    const section = ownValue(this.#change.after, String(top));
    if (place.length === 1 && section !== undefined) yield { path: place, value: section };
    if (place.length !== 2 || typeof inner !== 'string' || !isRecord(section)) return;
    if (ownValue(section, inner) !== undefined && isRecord(this.#inFile([String(top)])))
      yield { path: place, value: ownValue(section, inner) };
  }

  #inFile(path: KeyPath): unknown {
    let value: unknown = this.#change.raw;
    for (const key of asWritten(path, this.#change.raw))
      value = isRecord(value) ? ownValue(value, String(key)) : undefined;
    return value;
  }
}

/** `mcpServers` and the keys of a server may be in any letter case. */
function asWritten(path: KeyPath, raw: JsonObject): KeyPath {
  const [section, server, key, ...rest] = path;
  if (section !== 'mcpServers') return path;
  const writtenSection = serversKeyAsWritten(raw);
  const servers = raw[writtenSection];
  if (server === undefined) return [writtenSection];
  if (typeof key !== 'string') return [writtenSection, server];
  const inFile = isRecord(servers) ? ownValue(servers, String(server)) : undefined;
  return [writtenSection, server, isRecord(inFile) ? serverKeyAsWritten(inFile, key) : key, ...rest];
}

/** The server without its empty members, as a user would write it. */
function withoutEmptyMembers(server: JsonObject): JsonObject {
  const isEmpty = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  return Object.fromEntries(Object.entries(server).filter(([, value]) => !isEmpty(value)));
}
