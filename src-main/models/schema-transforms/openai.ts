import { DESCRIPTION_TAKEN_EVERYWHERE } from '../../../src-preload/contract/tool-words.ts';
import { isRecord } from '../../base/json.ts';
import { shortenedAtSentence } from '../../base/text.ts';
import type { ToolResultBlock } from '../messages.ts';
import { describedWith, objectRoot, shownSchema, type ToolSchemaSource } from './object-root.ts';
import { withoutDeadReferences } from './references.ts';
import { rememberedBySource } from './remembered.ts';
import { mapSubschemas, type SchemaObject, stringsOf } from './valid-json-schema.ts';

/**
 * Tools in the form of OpenAI's chat completions, which Azure, Copilot, Ollama, DeepSeek and Groq accept too. `strict`
 * is never set: it requires every property to be required and every object to be closed, which would change the meaning
 * of a call. Source: tool catalogue A.10.
 */

export interface OpenAiTool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: Readonly<Record<string, unknown>> & { readonly type: 'object' };
  };
}

export interface OpenAiToolResult {
  readonly role: 'tool';
  readonly tool_call_id: string;
  readonly content: string;
}

/**
 * The service answers `schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'const'/'not' at the
 * top level`.
 */
const NOT_AT_ROOT = ['enum', 'const', 'not'] as const;

export function toOpenAiTool(tool: ToolSchemaSource): OpenAiTool {
  const { function: whole, type } = toWholeTool(tool);
  // The service answers `string too long. Expected a string with maximum length 1024`.
  return {
    type,
    function: { ...whole, description: shortenedAtSentence(whole.description, DESCRIPTION_TAKEN_EVERYWHERE) },
  };
}

/** Puts a tool into the form of Ollama, which takes descriptions of any length. */
export function toWholeTool(tool: ToolSchemaSource): OpenAiTool {
  const { parameters, notes } = openAiParameters(tool.inputSchema);
  return { type: 'function', function: { name: tool.name, description: describedWith(tool, notes), parameters } };
}

export function openAiToolResult({ toolUseId, content }: ToolResultBlock): OpenAiToolResult {
  return { role: 'tool', tool_call_id: toolUseId, content };
}

interface Transformed {
  readonly parameters: OpenAiTool['function']['parameters'];
  readonly notes: readonly string[];
}

const openAiParameters = rememberedBySource((source: unknown): Transformed => {
  const { schema, notes } = objectRoot(source);
  const root: SchemaObject = { ...schema };
  const said = [...notes];
  for (const keyword of NOT_AT_ROOT) {
    if (root[keyword] === undefined) continue;
    said.push(`The input must fit this JSON Schema: ${shownSchema({ [keyword]: root[keyword] })}`);
    delete root[keyword];
  }
  return { parameters: { ...withoutDeadReferences(accepted(root)), type: 'object' }, notes: said };
});

/** Every array declares its items, and no schema is a bare boolean, except for additional properties. */
function accepted(node: SchemaObject): SchemaObject {
  const mapped = mapSubschemas(node, (subschema, keyword) => {
    if (isRecord(subschema)) return accepted(subschema);
    if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') return subschema;
    // `false` names properties that must not exist.
    return subschema === false && keyword === 'properties' ? undefined : {};
  });
  const { prefixItems, required, ...rest } = mapped;
  const { properties } = rest;
  if (Array.isArray(required)) {
    const isForbidden = (name: string) =>
      isRecord(node.properties) && Object.hasOwn(node.properties, name) && !Object.hasOwn(Object(properties), name);
    rest.required = stringsOf(required).filter((name) => !isForbidden(name));
  }
  const first = Array.isArray(prefixItems) ? prefixItems : [];
  // With `items: false` a tuple has nothing behind these.
  const others = isRecord(rest.items) && !(node.items === false && first.length > 0) ? [rest.items] : [];
  const items = [...first, ...others];
  if (items.length > 0) rest.items = items.length === 1 ? items[0] : { anyOf: items };
  else if (rest.type === 'array' || stringsOf(rest.type).includes('array')) rest.items = {};
  return rest;
}
