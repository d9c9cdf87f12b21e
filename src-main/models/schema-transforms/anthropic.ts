import type { MediaBlock } from '../../../src-preload/contract/content-blocks.ts';
import { isBase64 } from '../accepted-media.ts';
import type { ToolResultBlock } from '../messages.ts';
import { describedWith, objectRoot, shownSchema, type ToolSchemaSource } from './object-root.ts';
import { withoutDeadReferences } from './references.ts';
import { rememberedBySource } from './remembered.ts';
import { define, type SchemaObject, stringsOf } from './valid-json-schema.ts';

/**
 * Puts tool schemas into the form that the Anthropic Messages API accepts. A single rejected schema fails the whole
 * request, so everything known to be rejected is repaired here and stated in the description instead. Source: tool
 * catalogue A.10.
 */

export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: Readonly<Record<string, unknown>> & { readonly type: 'object' };
}

/** Each of these types has its limit. Source: https://platform.claude.com/docs/en/build-with-claude/vision */
const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;
const MAX_IMAGE_CHARACTERS = 5 * 1024 * 1024;

export type AnthropicMediaPart =
  | {
      readonly type: 'image';
      readonly source: {
        readonly type: 'base64';
        readonly media_type: (typeof IMAGE_TYPES)[number];
        readonly data: string;
      };
    }
  | {
      readonly type: 'document';
      readonly source: { readonly type: 'base64'; readonly media_type: 'application/pdf'; readonly data: string };
      readonly title?: string;
    };

type AnthropicResultPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_reference'; readonly tool_name: string }
  | AnthropicMediaPart;

export interface AnthropicToolResult {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content: string | AnthropicResultPart[];
  readonly is_error?: true;
}

/** The API's own rule for names of root properties. Others fail with `Property keys should match pattern`. */
const PROPERTY_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;

export function toAnthropicTool(tool: ToolSchemaSource): AnthropicTool {
  const { schema, notes } = anthropicInputSchema(tool.inputSchema);
  return { name: tool.name, description: describedWith(tool, notes), input_schema: schema };
}

export function anthropicToolResult({
  toolUseId,
  content: text,
  isError,
  media = [],
  foundTools = [],
}: ToolResultBlock): AnthropicToolResult {
  if (foundTools.length > 0) {
    // The references take the place of the text: each becomes the tool's whole definition.
    const references = foundTools.map((tool_name) => ({ type: 'tool_reference', tool_name }) as const);
    return { type: 'tool_result', tool_use_id: toolUseId, content: references };
  }
  const shown = media.flatMap((part) => anthropicMediaPart(part) ?? []);
  // For an error result the API accepts only text.
  const content = shown.length === 0 || isError ? text : [{ type: 'text', text } as const, ...shown];
  return { type: 'tool_result', tool_use_id: toolUseId, content, ...(isError ? { is_error: true } : {}) };
}

/** Returns `undefined` if the API takes no such part, and would refuse the whole request because of it. */
export function anthropicMediaPart(media: MediaBlock): AnthropicMediaPart | undefined {
  const { data } = media;
  if (!isBase64(data)) return undefined;
  const known = media.mediaType === 'image/jpg' ? 'image/jpeg' : media.mediaType;
  if (media.type === 'image') {
    const media_type = IMAGE_TYPES.find((type) => type === known);
    if (media_type === undefined || data.length > MAX_IMAGE_CHARACTERS) return undefined;
    return { type: 'image', source: { type: 'base64', media_type, data } };
  }
  if (media.type !== 'document' || known !== 'application/pdf') return undefined;
  const title = media.name === undefined ? {} : { title: media.name };
  return { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data }, ...title };
}

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
