import type { ImageBlock } from '../../../src-preload/contract/content-blocks.ts';
import type { ToolResultBlock } from '../messages.ts';
import { describedWith, objectRoot, shownSchema, type ToolSchemaSource } from './object-root.ts';
import { withoutDeadReferences } from './references.ts';
import { rememberedBySource } from './remembered.ts';
import { define, type SchemaObject, stringsOf } from './valid-json-schema.ts';

/**
 * Tool schemas in the form that the Anthropic Messages API accepts. Source: tool catalogue A.10. A single rejected schema fails the whole
 * request, so everything known to be rejected is repaired here and stated in the description instead.
 */

export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: Readonly<Record<string, unknown>> & { readonly type: 'object' };
}

/** Each with its limit: https://platform.claude.com/docs/en/build-with-claude/vision */
const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;
const MOST_IMAGE_CHARACTERS = 5 * 1024 * 1024;

type AnthropicResultPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image';
      readonly source: {
        readonly type: 'base64';
        readonly media_type: (typeof IMAGE_TYPES)[number];
        readonly data: string;
      };
    };

export interface AnthropicToolResult {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content: string | AnthropicResultPart[];
  readonly is_error?: true;
}

/** The API's own rule for names of root properties; others fail with `Property keys should match pattern`. */
const PROPERTY_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;

export function toAnthropicTool(tool: ToolSchemaSource): AnthropicTool {
  const { schema, notes } = anthropicInputSchema(tool.inputSchema);
  return { name: tool.name, description: describedWith(tool, notes), input_schema: schema };
}

export function anthropicToolResult({
  toolUseId,
  content: text,
  isError,
  images = [],
}: ToolResultBlock): AnthropicToolResult {
  const shown = images.flatMap(imagePart);
  // For an error result the API accepts only text.
  const content = shown.length === 0 || isError ? text : [{ type: 'text', text } as const, ...shown];
  return { type: 'tool_result', tool_use_id: toolUseId, content, ...(isError ? { is_error: true } : {}) };
}

/** A rejected picture would fail the whole request; the text names it. */
function imagePart({ mediaType, data }: ImageBlock): AnthropicResultPart[] {
  const known = mediaType === 'image/jpg' ? 'image/jpeg' : mediaType;
  const media_type = IMAGE_TYPES.find((type) => type === known);
  if (media_type === undefined || data.length > MOST_IMAGE_CHARACTERS || !BASE64.test(data)) return [];
  return [{ type: 'image', source: { type: 'base64', media_type, data } }];
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

interface TransformedSchema {
  readonly schema: AnthropicTool['input_schema'];
  readonly notes: readonly string[];
}

/** The root becomes an object schema without combinators; `notes` lists what had to be left out of it. */
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
