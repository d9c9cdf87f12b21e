/**
 * The content of a message in events, independent of the model provider. Shapes follow the Anthropic Messages API
 * (https://platform.claude.com/docs/en/api/messages) because it is the richest; other providers map onto them.
 */

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
  /**
   * The signature of an assistant's block is opaque. It goes back unchanged to the model that made it, and to no other.
   */
  readonly signature?: string;
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
  /** The name of the file, for people and models. */
  readonly name?: string;
}

export interface DocumentBlock {
  readonly type: 'document';
  /** IANA media type: `application/pdf`. */
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
  /** The name of the file, for people and models. */
  readonly name?: string;
}

/** A part that only some models accept; the text beside it names it. */
export type MediaBlock = ImageBlock | AudioBlock | DocumentBlock;

/** Reasoning of a model. It goes back unchanged, signature included, to the model that made it, and to no other. */
export interface ThinkingBlock {
  readonly type: 'thinking';
  readonly thinking: string;
  /**
   * An opaque text in which each provider keeps what its service wants back. Empty if the service wants nothing back.
   */
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
  /** The same as the signature of a `TextBlock`. */
  readonly signature?: string;
}

export type AssistantBlock = TextBlock | ThinkingBlock | RedactedThinkingBlock | ToolUseBlock;

/** A part of a tool's result. */
export type ResultPart = TextBlock | MediaBlock;
