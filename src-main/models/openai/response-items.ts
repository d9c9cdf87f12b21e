import type { AssistantBlock } from '../../../src-preload/contract/content-blocks.ts';
import { FIND_TOOLS } from '../../../src-preload/contract/find-tools.ts';
import { isRecord, parsedJson } from '../../base/json.ts';
import { type JsonRecord, list, record, text } from '../transport/answer-fields.ts';
import { StreamedInput } from '../transport/tool-input.ts';

/**
 * Output items of a response as blocks, and what of them goes back to the model that made them
 * (https://developers.openai.com/api/reference/resources/responses). The signature of a block is JSON: for thinking,
 * the whole item with its encrypted content; for a text, its phase; for a call, the namespace in which the model found
 * its tool.
 */

/** Returns the block of a finished item. Items of types that we never ask for are ignored. */
export function blockOfItem(item: JsonRecord): AssistantBlock | undefined {
  switch (item.type) {
    case 'message': {
      const said = messageText(item);
      return said === '' ? undefined : { type: 'text', text: said, ...signed({ phase: item.phase }) };
    }
    case 'reasoning': {
      const thinking = reasoningText(item);
      const { type, id, summary, encrypted_content } = item;
      // The service stores nothing for us, so it could not read an item again that goes back without its encrypted
      // content.
      const signature = text(encrypted_content) ? JSON.stringify({ type, id, summary, encrypted_content }) : '';
      return thinking === '' && signature === '' ? undefined : { type: 'thinking', thinking, signature };
    }
    case 'function_call': {
      const input = new StreamedInput(text(item.call_id), text(item.name));
      input.add(text(item.arguments) ?? '');
      return { ...input.finish(item.status === 'incomplete'), ...signed({ namespace: item.namespace }) };
    }
    case 'tool_search_call': {
      if (item.execution !== 'client') return undefined;
      const given = item.arguments;
      const input = new StreamedInput(text(item.call_id), FIND_TOOLS, typeof given === 'string' ? undefined : given);
      if (typeof given === 'string') input.add(given);
      return input.finish();
    }
    default:
      return undefined;
  }
}

/** Returns what a refusal says, or `''` if the item is none. */
export function refusalText(item: JsonRecord): string {
  return list(item.content)
    .map((part) => text(record(part).refusal) ?? '')
    .join('');
}

function messageText(item: JsonRecord): string {
  return list(item.content)
    .map((part) => (record(part).type === 'output_text' ? (text(record(part).text) ?? '') : ''))
    .join('');
}

/** Returns the summaries, or the thoughts themselves, which open models show. */
function reasoningText(item: JsonRecord): string {
  return [...list(item.summary), ...list(item.content)]
    .map((part) => text(record(part).text) ?? '')
    .filter((part) => part !== '')
    .join('\n\n');
}

function signed(fields: JsonRecord): { signature?: string } {
  const kept = Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === 'string'));
  return Object.keys(kept).length === 0 ? {} : { signature: JSON.stringify(kept) };
}

/** Returns `undefined` if it is not a signature of this API. */
export function signatureFields(signature: string | undefined): JsonRecord | undefined {
  if (signature === undefined || !signature.startsWith('{')) return undefined;
  const fields = parsedJson(signature);
  return isRecord(fields) ? fields : undefined;
}
