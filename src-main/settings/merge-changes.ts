import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../base/json.ts';
import type { KeyPath } from './problems.ts';
import { serverKeyAsWritten, withServersRenamed } from './spelling.ts';

type JsonObject = Record<string, unknown>;

/**
 * The file's object with exactly the differences between `before` and `after` applied: unknown keys, values that could not be
 * used, the order of keys and everything that was not changed stay as they are.
 *
 * `refused`: places whose value had no effect. Their list elements survive a change of the list.
 */
export function mergeChanges(
  raw: Readonly<JsonObject>,
  before: Readonly<JsonObject>,
  after: Readonly<JsonObject>,
  refused: readonly KeyPath[],
): JsonObject {
  const file = withServersRenamed(raw);
  mergeObject(file, before, after, [], refused);
  return file;
}

function mergeObject(
  file: JsonObject,
  before: Readonly<JsonObject>,
  after: Readonly<JsonObject>,
  path: KeyPath,
  refused: readonly KeyPath[],
): void {
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const old = before[key];
    const wanted = after[key];
    if (isDeepStrictEqual(old, wanted)) continue;
    const here = [...path, key];
    const written = path.length === 2 && path[0] === 'mcpServers' ? serverKeyAsWritten(file, key) : key;
    if (wanted === undefined) delete file[written];
    else if (isRecord(wanted)) file[written] = mergedMember(file[written], old, wanted, here, refused);
    else if (Array.isArray(wanted)) file[written] = [...wanted, ...refusedElements(file[written], here, refused)];
    else file[written] = wanted;
  }
}

function mergedMember(
  inFile: unknown,
  old: unknown,
  wanted: Readonly<JsonObject>,
  path: KeyPath,
  refused: readonly KeyPath[],
): JsonObject {
  if (isRecord(inFile) && (isRecord(old) || path.length === 1)) {
    const merged = { ...inFile };
    mergeObject(merged, isRecord(old) ? old : {}, wanted, path, refused);
    return merged;
  }
  // A section that the file does not have was all defaults; to write them down would pin them.
  if (inFile === undefined && isRecord(old) && path.length === 1) {
    const differences: JsonObject = {};
    mergeObject(differences, old, wanted, path, refused);
    return differences;
  }
  const merged: JsonObject = {};
  mergeObject(merged, {}, path[0] === 'mcpServers' ? withoutEmptyMembers(wanted) : wanted, path, refused);
  return merged;
}

/** A new server is written as a person would write it. */
function withoutEmptyMembers(server: Readonly<JsonObject>): JsonObject {
  const isEmpty = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  return Object.fromEntries(Object.entries(server).filter(([, value]) => !isEmpty(value)));
}

function refusedElements(inFile: unknown, path: KeyPath, refused: readonly KeyPath[]): unknown[] {
  if (!Array.isArray(inFile)) return [];
  return inFile.filter((_, index) => refused.some((place) => isDeepStrictEqual(place, [...path, index])));
}
