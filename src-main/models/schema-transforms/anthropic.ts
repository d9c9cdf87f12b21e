import type { ToolResultBlock } from '../messages.ts';
import { describedWith, objectRoot, shownSchema, type ToolSchemaSource } from './object-root.ts';
import { withoutDeadReferences } from './references.ts';
import { rememberedBySource } from './remembered.ts';
import { define, type SchemaObject, stringsOf } from './valid-json-schema.ts';

/**
 * Tool schemas in the form that the Anthropic Messages API accepts. Source: tool catalogue A.10. One schema that it
 * refuses fails the whole request, so what is known to be refused is repaired here and said in the description instead.
 */

export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: Readonly<Record<string, unknown>> & { readonly type: 'object' };
}

export interface AnthropicToolResult {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content: string;
  readonly is_error?: true;
}

/** The API's own rule for names of root properties; others get `Property keys should match pattern`. */
const PROPERTY_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;

export function toAnthropicTool(tool: ToolSchemaSource): AnthropicTool {
  const { schema, notes } = anthropicInputSchema(tool.inputSchema);
  return { name: tool.name, description: describedWith(tool, notes), input_schema: schema };
}

export function anthropicToolResult({ toolUseId, content, isError }: ToolResultBlock): AnthropicToolResult {
  return { type: 'tool_result', tool_use_id: toolUseId, content, ...(isError ? { is_error: true } : {}) };
}

interface TransformedSchema {
  readonly schema: AnthropicTool['input_schema'];
  readonly notes: readonly string[];
}

/** The root becomes an object schema without combinators; `notes` says what had to be left out of it. */
export const anthropicInputSchema = rememberedBySource((source: unknown): TransformedSchema => {
  const root = objectRoot(source);
  const notes = [...root.notes];
  const { properties, required, ...rest } = root.schema;
  const named: SchemaObject = {};
  for (const [name, property] of Object.entries(properties)) {
    if (PROPERTY_NAME.test(name)) define(named, name, property);
    else notes.push(`Further property ${JSON.stringify(name)}: ${shownSchema(property)}`);
  }
  const requiredNames = stringsOf(required).filter((name) => Object.hasOwn(named, name));
  const schema = {
    ...rest,
    properties: named,
    ...(requiredNames.length > 0 ? { required: requiredNames } : {}),
  };
  return { schema: { ...withoutDeadReferences(schema), type: 'object' }, notes };
});
