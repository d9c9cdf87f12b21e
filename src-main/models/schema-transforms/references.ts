import { isRecord } from '../../base/json.ts';
import { mapSubschemas, type SchemaObject } from './valid-json-schema.ts';

const MAX_HOPS = 10;

/** Resolves a local JSON pointer (RFC 6901, in a URI fragment): `#`, `#/$defs/Item`. */
export function atPointer(document: unknown, reference: string): unknown {
  if (reference === '#') return document;
  if (!reference.startsWith('#/')) return undefined;
  let node = document;
  for (const part of reference.slice(2).split('/')) {
    const key = percentDecoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return undefined;
    node = Array.isArray(node) ? node[Number(key)] : isRecord(node) ? node[key] : undefined;
  }
  return node;
}

/** Returns the schema without references that lead to no schema of this document, or only back to themselves. */
export function withoutDeadReferences(document: SchemaObject): SchemaObject {
  const schemas = new Set<unknown>();
  const collect = (node: unknown): unknown => {
    if (isRecord(node)) {
      schemas.add(node);
      mapSubschemas(node, collect);
    }
    return node;
  };
  collect(document);
  const leads = (reference: string): boolean => {
    let target: unknown = { $ref: reference };
    for (let hops = 0; hops < MAX_HOPS; hops++) {
      if (!isRecord(target) || typeof target.$ref !== 'string') return target !== undefined;
      target = atPointer(document, target.$ref);
      if (!schemas.has(target)) return false;
    }
    return false;
  };
  const kept = (node: unknown): unknown => {
    if (!isRecord(node)) return node;
    const { $ref, ...rest } = node;
    return mapSubschemas(typeof $ref === 'string' && !leads($ref) ? rest : node, kept);
  };
  return mapSubschemas(document, kept);
}

function percentDecoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return part;
    throw error;
  }
}
