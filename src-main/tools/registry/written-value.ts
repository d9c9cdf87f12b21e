import { isDeepStrictEqual } from 'node:util';
import { isRecord, ownValue } from '../../base/json.ts';
import type { JsonSchema } from '../contract.ts';
import { converted, isOfWrittenType } from './lossless-conversion.ts';
import { isTypeName, type Misfit } from './misfit.ts';
import { evaluatedNames, memberSchemas } from './schema-members.ts';
import { differsInCaseOnly, isTextOf, listedIn, referred, requiredIn, typesOf } from './schema-reading.ts';

/** A value as it is sent: the one that was written, or the same in the type that the schema demands. */
export type Fitted = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly misfit: Misfit };

/** Schemas may be recursive, and alternatives multiply. What lies deeper than this is sent as it is. */
const MAX_LEVELS = 256;
const MAX_STEPS = 200_000;

/**
 * Fits a value to a schema that is not ours without changing what it says. Nothing is added, clamped or left out; it is
 * converted only where the schema demands another type, and only without loss. Only types, listed values, and which
 * members there are, are judged here: patterns, formats and limits are left to whoever declared them, as is whatever
 * this can't read. Source: tool catalogue A.6.
 */
export class WrittenValue {
  readonly #root: JsonSchema;
  #stepsLeft = MAX_STEPS;
  /** What is being fitted to each schema, to end circles of references. */
  readonly #open = new Map<JsonSchema, unknown[]>();

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  fit(value: unknown): Fitted {
    return this.#fit(this.#root, value, { path: '', level: 0, mayConvert: true });
  }

  #fit(schema: unknown, value: unknown, place: Place): Fitted {
    if (schema === false) return misfit({ kind: 'forbidden', path: place.path });
    this.#stepsLeft--;
    if (!isRecord(schema) || place.level > MAX_LEVELS || this.#stepsLeft < 0) return fits(value);
    const open = this.#open.get(schema) ?? [];
    if (open.includes(value)) return fits(value);
    this.#open.set(schema, open);
    open.push(value);
    const fitted = this.#fitNode(schema, value, { ...place, level: place.level + 1 });
    open.pop();
    return fitted;
  }

  #fitNode(schema: JsonSchema, value: unknown, place: Place): Fitted {
    const types = typesOf(schema);
    const isJudged = types.length > 0 && types.every(isTypeName);
    const isRight =
      !isJudged || types.some((type) => isOfWrittenType(type, value)) || (schema.nullable === true && value === null);
    if (isRight) return this.#fitKeywords(schema, value, place);
    let first: Misfit | undefined;
    for (const candidate of place.mayConvert ? converted(types, value) : []) {
      const result = this.#fitKeywords(schema, candidate, place);
      if (result.ok) return result;
      // Nobody wrote the list that one value would have made.
      const isOfItem = result.misfit.kind === 'type' && result.misfit.path === `${place.path}[0]`;
      if (!isOfItem || !isListOf(candidate, value)) first ??= result.misfit;
    }
    return misfit(first ?? { kind: 'type', path: place.path, types });
  }

  /** Fits a value whose type is right. */
  #fitKeywords(schema: JsonSchema, value: unknown, place: Place): Fitted {
    const { $ref, allOf, anyOf, oneOf } = schema;
    const parts = [...(typeof $ref === 'string' ? [referred($ref, this.#root)] : []), ...listOf(allOf)];
    const unions = [listOf(anyOf), listOf(oneOf)].filter((alternatives) => alternatives.length > 0);
    const steps: ((given: unknown) => Fitted)[] = [
      ...parts.map((part) => (given: unknown) => this.#fit(part, given, place)),
      ...unions.map((alternatives) => (given: unknown) => this.#fitOne(alternatives, given, place)),
      (given) => fitListed(schema, given, place),
      (given) => this.#fitInside(schema, given, place),
    ];
    let fitted = value;
    for (const step of steps) {
      const result = step(fitted);
      if (!result.ok) return result;
      fitted = result.value;
    }
    return fits(fitted);
  }

  #fitInside(schema: JsonSchema, value: unknown, place: Place): Fitted {
    if (Array.isArray(value)) return this.#fitItems(schema, value, place);
    return isRecord(value) ? this.#fitMembers(schema, value, place) : fits(value);
  }

  /** An alternative that it fits as it is comes before one that it can be converted for. */
  #fitOne(alternatives: readonly unknown[], value: unknown, place: Place): Fitted {
    const misfits: Misfit[] = [];
    for (const mayConvert of place.mayConvert ? [false, true] : [false]) {
      misfits.length = 0;
      for (const alternative of alternatives) {
        const result = this.#fit(alternative, value, { ...place, mayConvert });
        if (result.ok) return result;
        misfits.push(result.misfit);
      }
    }
    return misfit(nearestMisfit(misfits, place.path));
  }

  #fitItems(schema: JsonSchema, items: readonly unknown[], place: Place): Fitted {
    const fitted: unknown[] = [];
    for (const [index, item] of items.entries()) {
      const result = this.#fit(itemSchema(schema, index), item, { ...place, path: `${place.path}[${index}]` });
      if (!result.ok) return result;
      fitted.push(result.value);
    }
    return fits(fitted.every((item, index) => item === items[index]) ? items : fitted);
  }

  #fitMembers(schema: JsonSchema, value: Readonly<Record<string, unknown>>, place: Place): Fitted {
    const names = Object.keys(value).filter((name) => ownValue(value, name) !== undefined);
    const evaluated = schema.unevaluatedProperties === false ? evaluatedNames(schema, this.#root) : undefined;
    const entries: [string, unknown][] = [];
    let isChanged = false;
    for (const name of names) {
      const path = memberPath(place.path, name);
      const schemas = memberSchemas(schema, name);
      if (schemas === 'forbidden' || evaluated?.(name) === false)
        return misfit({ kind: 'unknown', path, name, given: names, known: knownNames(schema, this.#root) });
      let member = ownValue(value, name);
      for (const each of schemas) {
        const result = this.#fit(each, member, { ...place, path });
        if (!result.ok) return result;
        member = result.value;
      }
      isChanged ||= member !== ownValue(value, name);
      entries.push([name, member]);
    }
    // These come after the members: in a union, the members say which alternative was meant.
    for (const name of requiredIn(schema))
      if (!names.includes(name)) return misfit({ kind: 'required', path: memberPath(place.path, name) });
    // Object.fromEntries defines own properties, so that a parameter called __proto__ stays a parameter.
    return fits(isChanged ? Object.fromEntries(entries) : value);
  }
}

interface Place {
  /** Names the value in error texts (`edits[0].oldText`). It is empty at the root. */
  readonly path: string;
  readonly level: number;
  readonly mayConvert: boolean;
}

function fitListed(schema: JsonSchema, value: unknown, { path, mayConvert }: Place): Fitted {
  const listed = listedIn(schema);
  const isListed = listed?.some((each) => each === value || isDeepStrictEqual(each, value));
  if (listed === undefined || isListed || (schema.nullable === true && value === null)) return fits(value);
  // `post` can only mean POST.
  const [meant, ...others] = mayConvert
    ? listed.filter((each) => isTextOf(each, value) || differsInCaseOnly(each, value))
    : [];
  if (meant !== undefined && others.length === 0) return fits(structuredClone(meant));
  return misfit({ kind: 'listed', path, listed });
}

function itemSchema({ items, prefixItems, additionalItems }: JsonSchema, index: number): unknown {
  // A list of schemas in `items` is the tuple of drafts before 2020-12.
  const first: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
  if (index < first.length) return first[index];
  return Array.isArray(items) ? additionalItems : items;
}

function knownNames(schema: JsonSchema, root: JsonSchema): readonly string[] {
  const names = new Set<string>();
  const open: unknown[] = [schema];
  for (let steps = 0; open.length > 0 && steps < 1_000; steps++) {
    const next = open.pop();
    if (!isRecord(next)) continue;
    if (isRecord(next.properties)) for (const name of Object.keys(next.properties)) names.add(name);
    if (schema.unevaluatedProperties !== false) break;
    if (typeof next.$ref === 'string') open.push(referred(next.$ref, root));
    open.push(...listOf(next.allOf), ...listOf(next.anyOf), ...listOf(next.oneOf));
  }
  return [...names].filter((name) => ownValue(Object(schema.properties), name) !== false);
}

/** What says most about why none of the alternatives fits. */
function nearestMisfit(misfits: readonly Misfit[], path: string): Misfit {
  const inner = misfits.filter((each) => each.path !== path || each.kind === 'unknown');
  // One that fails because it is for another kind (`type: "a"`) says the least.
  const [nearest] = [...inner.filter(({ kind }) => kind !== 'listed'), ...inner];
  if (nearest?.kind === 'listed') {
    const same = inner.flatMap((each) => (each.kind === 'listed' && each.path === nearest.path ? each.listed : []));
    return { ...nearest, listed: same };
  }
  if (nearest !== undefined) return nearest;
  const types = misfits.flatMap((each) => (each.kind === 'type' ? each.types : []));
  const listed = misfits.flatMap((each) => (each.kind === 'listed' ? each.listed : []));
  if (types.length === 0 && listed.length > 0) return { kind: 'listed', path, listed };
  if (listed.length === 0 && types.length > 0) return { kind: 'type', path, types: [...new Set(types)] };
  return types.length > 0 ? { kind: 'either', path, types, listed } : { kind: 'forbidden', path };
}

function isListOf(list: unknown, item: unknown): boolean {
  return Array.isArray(list) && list.length === 1 && list[0] === item;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function memberPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function fits(value: unknown): Fitted {
  return { ok: true, value };
}

function misfit(of: Misfit): Fitted {
  return { ok: false, misfit: of };
}
