import type { CreateMessageRequestParams, SamplingMessageContentBlock } from '@modelcontextprotocol/client';
import type { AssistantBlock } from '../../src-preload/contract/content-blocks.ts';
import { isRecord } from '../base/json.ts';
import { grouped } from '../base/text.ts';
import { UnusableRequest } from '../mcp/requests/requested-form.ts';
import type { Message, UserBlock } from '../models/messages.ts';
import type { ToolDefinition } from '../models/provider.ts';

/** More than this can't be reviewed by a user. */
const MAX_CHARACTERS = 100_000;
const MAX_MESSAGES = 50;
const MAX_TOOLS = 50;
const MAX_IMAGES = 10;
const MAX_IMAGE_LENGTH = 4_000_000;
const MAX_STOP_SEQUENCES = 20;
const MAX_STOP_SEQUENCE_LENGTH = 200;
/** Names that models accept. */
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

export interface SamplingMessages {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  /** Blank ones are left out, because models refuse them. */
  readonly stopSequences: readonly string[];
  /** The messages as they are shown to the user. */
  readonly shown: readonly { readonly role: Message['role']; readonly text: string }[];
}

/**
 * A server's sampling messages in our form. Throws `UnusableRequest` if the user could not review them or no model
 * accepts them.
 */
export function samplingMessages(params: CreateMessageRequestParams): SamplingMessages {
  const { messages, systemPrompt: system = '', tools = [], toolChoice, stopSequences = [] } = params;
  if (messages.length === 0 || messages.length > MAX_MESSAGES)
    throw new UnusableRequest(`there are ${messages.length} messages, the most is ${MAX_MESSAGES}`);
  if (tools.length > MAX_TOOLS) throw new UnusableRequest(`there are ${tools.length} tools, the most is ${MAX_TOOLS}`);
  if (stopSequences.length > MAX_STOP_SEQUENCES)
    throw new UnusableRequest(`there are ${stopSequences.length} stop sequences, the most is ${MAX_STOP_SEQUENCES}`);
  if (stopSequences.some((sequence) => sequence.length > MAX_STOP_SEQUENCE_LENGTH))
    throw new UnusableRequest(`a stop sequence is longer than ${MAX_STOP_SEQUENCE_LENGTH} characters`);
  const given = messages.map(({ role, content }) => message(role, [content].flat()));
  const calls = given.some(({ content }) => content.some(({ type }) => type === 'tool_use'));
  const shown = given.map(({ role, content }) => ({ role, text: content.map(shownBlock).join('\n') }));
  const offered = toolChoice?.mode === 'none' && !calls ? [] : tools.map(tool);
  const characters =
    system.length + shown.reduce((sum, { text }) => sum + text.length, 0) + JSON.stringify(offered).length;
  if (characters > MAX_CHARACTERS)
    throw new UnusableRequest(`there are ${grouped(characters)} characters, the most is ${grouped(MAX_CHARACTERS)}`);
  if (given.flatMap(({ content }) => [...content]).filter(({ type }) => type === 'image').length > MAX_IMAGES)
    throw new UnusableRequest(`there are more than ${MAX_IMAGES} images`);
  const usable = stopSequences.filter((sequence) => sequence.trim() !== '');
  return { system, messages: given, tools: offered, stopSequences: usable, shown };
}

/** The model's answer in the server's form. */
export function samplingBlock(block: AssistantBlock): SamplingMessageContentBlock[] {
  if (block.type === 'text') return [{ type: 'text', text: block.text }];
  // The server's own tools; it runs them, none of ours is called.
  if (block.type === 'tool_use')
    return [{ type: 'tool_use', id: block.id, name: block.name, input: { ...block.input } }];
  return [];
}

function message(role: 'user' | 'assistant', blocks: readonly SamplingMessageContentBlock[]): Message {
  return role === 'user' ? { role, content: blocks.map(userBlock) } : { role, content: blocks.map(assistantBlock) };
}

function userBlock(block: SamplingMessageContentBlock): UserBlock {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image':
      if (block.data.length > MAX_IMAGE_LENGTH) throw new UnusableRequest('an image is too large');
      return { type: 'image', mediaType: block.mimeType, data: block.data };
    case 'tool_result': {
      const content = block.content.map((part) => (part.type === 'text' ? part.text : `(${part.type})`)).join('\n');
      return { type: 'tool_result', toolUseId: block.toolUseId, content, isError: block.isError === true };
    }
    default:
      throw new UnusableRequest(`a message of the user holds ${block.type}`);
  }
}

function assistantBlock(block: SamplingMessageContentBlock): AssistantBlock {
  if (block.type === 'text') return { type: 'text', text: block.text };
  if (block.type === 'tool_use') return { type: 'tool_use', id: block.id, name: block.name, input: block.input };
  throw new UnusableRequest(`a message of the assistant holds ${block.type}`);
}

function tool({
  name,
  description = '',
  inputSchema,
}: {
  name: string;
  description?: string | undefined;
  inputSchema: unknown;
}) {
  if (!TOOL_NAME.test(name)) throw new UnusableRequest('a tool has a name that models do not accept');
  return {
    name,
    description: description.trim() === '' ? `The tool ${name}` : description,
    inputSchema: isRecord(inputSchema) ? inputSchema : { type: 'object' },
  };
}

/** The block is complete, except for image data. */
function shownBlock(block: UserBlock | AssistantBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
      return `(image, ${block.mediaType}, ${grouped(Math.ceil((block.data.length * 3) / 4))} bytes)`;
    case 'tool_use':
      return `(calls ${block.name}) ${JSON.stringify(block.input)}`;
    case 'tool_result':
      return `(result${block.isError ? ', an error' : ''}) ${block.content}`;
    default:
      return '';
  }
}
