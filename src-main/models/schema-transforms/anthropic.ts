import { define, isRecord, type SchemaObject, validSchema } from './valid-json-schema.ts';

/**
 * Tool schemas in the form that the Anthropic Messages API accepts. Source: tool catalogue A.10. One schema that it
 * refuses fails the whole request, so what is known to be refused is repaired here and said in the description instead.
 */

export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: Readonly<Record<string, unknown>> & { readonly type: 'object' };
}

export interface ToolSchemaSource {
  readonly name: string;
  readonly description: string;
  /** Any JSON value: client tools may register `{}`, MCP servers anything at all. */
  readonly inputSchema: unknown;
}

const COMBINATORS = {
  oneOf: 'The input must match exactly one of these JSON Schemas',
  anyOf: 'The input must match at least one of these JSON Schemas',
  allOf: 'The input must match all of these JSON Schemas',
} as const;

/** The API's own rule for names of root properties; others get `Property keys should match pattern`. */
const PROPERTY_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;
/** Longer alternatives are cut: they help the model, and the description should not drown in them. */
const MAX_FOLDED_CHARACTERS = 4_000;
const MAX_REFERENCES = 10;

export function toAnthropicTool(tool: ToolSchemaSource): AnthropicTool {
  const { schema, notes } = anthropicInputSchema(tool.inputSchema);
  const description = [tool.description.trim() || tool.name, ...notes].join('\n\n');
  return { name: tool.name, description, input_schema: schema };
}

interface TransformedSchema {
  readonly schema: AnthropicTool['input_schema'];
  readonly notes: readonly string[];
}

/** Schemas do not change, and every round of a turn offers the same tools. */
const transformed = new WeakMap<object, TransformedSchema>();

/** The root becomes an object schema without combinators; `notes` says what had to be left out of it. */
export function anthropicInputSchema(source: unknown): TransformedSchema {
  if (typeof source !== 'object' || source === null) return transform(source);
  let known = transformed.get(source);
  if (known === undefined) {
    known = transform(source);
    transformed.set(source, known);
  }
  return known;
}

function transform(source: unknown): TransformedSchema {
  const valid = validSchema(source);
  if (!isRecord(valid)) return { schema: { type: 'object', properties: {} }, notes: [] };

  const notes: string[] = [];
  const root = withoutRootReference(valid);
  for (const [combinator, words] of Object.entries(COMBINATORS)) {
    const alternatives = root[combinator];
    delete root[combinator];
    if (!Array.isArray(alternatives)) continue;
    notes.push(`${words}: ${shortened(JSON.stringify(alternatives))}`);
    adoptProperties(root, alternatives.filter(isRecord), combinator === 'allOf');
  }
  if (root.type !== undefined && !mayBeObject(root.type)) {
    notes.push(`The input was declared with ${JSON.stringify({ type: root.type })}; send an object.`);
  }

  const { type: _declared, properties, required, ...rest } = root;
  const named: SchemaObject = {};
  for (const [name, property] of Object.entries(isRecord(properties) ? properties : {})) {
    if (PROPERTY_NAME.test(name)) define(named, name, property);
    else notes.push(`Further property ${JSON.stringify(name)}: ${shortened(JSON.stringify(property))}`);
  }
  const requiredNames = stringsOf(required).filter((name) => Object.hasOwn(named, name));
  return {
    schema: {
      ...rest,
      type: 'object',
      properties: named,
      ...(requiredNames.length > 0 ? { required: requiredNames } : {}),
    },
    notes,
  };
}

/** Generators put the object behind `{"$ref": "#/$defs/Input"}`; then the root itself says nothing. */
function withoutRootReference(source: SchemaObject): SchemaObject {
  let root: SchemaObject = { ...source };
  for (let followed = 0; typeof root.$ref === 'string'; followed++) {
    const { $ref, ...rest } = root;
    const target = followed < MAX_REFERENCES ? atPointer(source, String($ref)) : undefined;
    root = isRecord(target) ? { ...target, ...rest } : rest;
    if (isRecord(target) && typeof target.$ref === 'string') root.$ref = target.$ref;
  }
  return root;
}

function atPointer(document: SchemaObject, reference: string): unknown {
  let node: unknown = document;
  for (const part of reference.replace(/^#\/?/, '').split('/')) {
    if (part === '') continue;
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isRecord(node) || !Object.hasOwn(node, key)) return undefined;
    node = node[key];
  }
  return node === document ? undefined : node;
}

/** Keeps the parameters of the alternatives visible, so that the model can still name them. */
function adoptProperties(root: SchemaObject, alternatives: readonly SchemaObject[], areAllNeeded: boolean): void {
  const merged: SchemaObject = {};
  const required = new Set(stringsOf(root.required));
  for (const source of [root, ...alternatives]) {
    for (const [name, property] of Object.entries(isRecord(source.properties) ? source.properties : {})) {
      if (!Object.hasOwn(merged, name)) define(merged, name, property);
    }
    if (areAllNeeded) for (const name of stringsOf(source.required)) required.add(name);
  }
  root.properties = merged;
  root.required = [...required];
  // A root that forbids further properties was written for its own, not for the adopted ones.
  delete root.additionalProperties;
  delete root.unevaluatedProperties;
}

function mayBeObject(type: unknown): boolean {
  return type === 'object' || (Array.isArray(type) && type.includes('object'));
}

function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

function shortened(text: string): string {
  return text.length <= MAX_FOLDED_CHARACTERS ? text : `${text.slice(0, MAX_FOLDED_CHARACTERS)}…`;
}
