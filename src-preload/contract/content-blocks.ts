/**
 * The content of a message in events, independent of the model provider. Shapes follow the Anthropic Messages API
 * (https://platform.claude.com/docs/en/api/messages) because it is the richest; other providers map onto them.
 */

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}

export interface ImageBlock {
  readonly type: 'image';
  /** IANA media type, e.g. `image/png`. */
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
}

export interface AudioBlock {
  readonly type: 'audio';
  /** IANA media type, e.g. `audio/wav`. */
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
}

/** Model reasoning. Must be sent back unchanged, signature included, while its tool calls are being answered. */
export interface ThinkingBlock {
  readonly type: 'thinking';
  readonly thinking: string;
  readonly signature: string;
}

export interface RedactedThinkingBlock {
  readonly type: 'redacted_thinking';
  readonly data: string;
}

export interface ToolUseBlock {
  readonly type: 'tool_use';
  readonly id: string;
  /** The name as the model sent it (wire form). */
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Set when the model streamed something that is not a JSON object; `input` is then `{}`. */
  readonly invalidInput?: { readonly raw: string; readonly reason: string };
}

export type AssistantBlock = TextBlock | ThinkingBlock | RedactedThinkingBlock | ToolUseBlock;

/** A part of a tool's result. */
export type ResultPart = TextBlock | ImageBlock | AudioBlock;
