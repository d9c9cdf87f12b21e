import type { MediaBlock } from '../../../src-preload/contract/content-blocks.ts';
import { NO_OUTPUT } from '../../../src-preload/contract/events.ts';
import { exactJson } from '../../../src-preload/contract/exact-json.ts';
import { isBase64, withAcceptedMedia } from '../accepted-media.ts';
import type { AssistantMessage, Message, UserMessage } from '../messages.ts';

/** A message of `/api/chat` (https://docs.ollama.com/api/chat). */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly thinking?: string;
  /** Each picture in Base64. */
  readonly images?: readonly string[];
  readonly tool_calls?: readonly ChatToolCall[];
  /** The name of the tool that this message is a result of. */
  readonly tool_name?: string;
  readonly tool_call_id?: string;
}

interface ChatToolCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> };
}

export interface ChatMessagesOptions {
  readonly hasImages: boolean;
  /** False if calls and results of another model are told as text, since the model's template has no place for them. */
  readonly hasTools: boolean;
}

const IMAGES = new Set(['image/png', 'image/jpeg', 'image/jpg', 'image/webp']);

export function chatMessages(
  system: string,
  messages: readonly Message[],
  { hasImages, hasTools }: ChatMessagesOptions,
): ChatMessage[] {
  const accepts = (media: MediaBlock) =>
    hasImages && media.type === 'image' && IMAGES.has(media.mediaType) && isBase64(media.data);
  const names = new Map<string, string>();
  const chat: ChatMessage[] = system.trim() === '' ? [] : [{ role: 'system', content: system }];
  for (const message of withAcceptedMedia(messages, { inMessage: accepts, inResult: accepts })) {
    if (message.role === 'assistant') {
      for (const block of message.content) if (block.type === 'tool_use') names.set(block.id, block.name);
      chat.push(...assistantMessage(message, hasTools));
    } else {
      chat.push(...results(message, names, hasTools), ...personMessage(message));
    }
  }
  return chat;
}

function assistantMessage({ content }: AssistantMessage, hasTools: boolean): ChatMessage[] {
  const calls = content.flatMap((block) => (block.type === 'tool_use' ? [block] : []));
  const said = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const told = hasTools ? [] : calls.map(({ name, input }) => `[Called ${name} with ${exactJson(input)}]`);
  const thinking = content.flatMap((block) => (block.type === 'thinking' ? [block.thinking] : [])).join('\n\n');
  const text = [...said, ...told].join('\n\n');
  const tool_calls = hasTools ? calls.map(({ id, name, input }) => ({ id, function: { name, arguments: input } })) : [];
  if (text.trim() === '' && tool_calls.length === 0) return [];
  return [
    {
      role: 'assistant',
      content: text,
      ...(thinking === '' ? {} : { thinking }),
      ...(tool_calls.length === 0 ? {} : { tool_calls }),
    },
  ];
}

/**
 * Each result gets one message, and then one follows with all their pictures, for which templates have a place in
 * messages of the user only.
 */
function results({ content }: UserMessage, names: ReadonlyMap<string, string>, hasTools: boolean): ChatMessage[] {
  const images: string[] = [];
  const messages = content.flatMap((block): ChatMessage[] => {
    if (block.type !== 'tool_result') return [];
    const name = names.get(block.toolUseId) ?? 'unknown';
    const text = block.content.trim() === '' ? NO_OUTPUT : block.content;
    images.push(...(block.media ?? []).map(({ data }) => data));
    return hasTools
      ? [{ role: 'tool', content: text, tool_name: name, tool_call_id: block.toolUseId }]
      : [{ role: 'user', content: `[Result of ${name}]\n${text}` }];
  });
  if (images.length === 0) return messages;
  return [...messages, { role: 'user', content: '[The pictures of the results above]', images }];
}

function personMessage({ content }: UserMessage): ChatMessage[] {
  const text = content.flatMap((block) => (block.type === 'text' && block.text.trim() !== '' ? [block.text] : []));
  const images = content.flatMap((block) => (block.type === 'image' ? [block.data] : []));
  if (text.length === 0 && images.length === 0) return [];
  return [{ role: 'user', content: text.join('\n\n'), ...(images.length === 0 ? {} : { images }) }];
}
