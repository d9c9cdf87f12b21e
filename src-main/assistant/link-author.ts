import { changeCount } from '../../src-preload/contract/changes-text.ts';
import type { AssistantBlock } from '../../src-preload/contract/content-blocks.ts';
import type { EventOf, StoredEvent } from '../../src-preload/contract/events.ts';
import { addressStandsIn } from '../network/address-in-text.ts';

/**
 * Who first wrote an address. It is the `user` if they wrote or attached it, and `result` if a tool brought it before
 * the model wrote it. It is the `model` if only the model wrote it, or may have had a tool compose it, and `nobody` if
 * it does not appear in the conversation.
 */
export type LinkAuthor = 'user' | 'result' | 'model' | 'nobody';

/**
 * Who first wrote an address in a conversation, from its log. A result counts as the model's if the model may have
 * composed it: `echo` prints an address, `parse_json` decodes one, and an edit or a command completes one in a file that
 * is then read.
 * `mayCompose` tells whether this tool's output can be determined by its input.
 */
export function linkAuthor(
  events: readonly StoredEvent[],
  url: string,
  mayCompose: (tool: string) => boolean,
): LinkAuthor {
  const tools = new Map<string, string>();
  let isModels = false;
  let isResult = false;
  let hasChangedFiles = false;
  /** A streaming answer is in the log as deltas. */
  let coming = '';
  const stands = (value: unknown) => textsIn(value).some((text) => addressStandsIn(text, url));
  for (const event of events) {
    if (event.type === 'text_delta') coming += event.text;
    else if (event.type === 'user_message') {
      const { content, attachments = [], prompt, isUnattended } = event;
      const attached = attachments.filter(({ from }) => from === undefined);
      if (isUnattended !== true && stands([content, attached])) return 'user';
      // What a server gave is a result, also where the user chose it.
      if (stands([prompt, attachments])) isResult = true;
    } else if (event.type === 'tool_call') {
      tools.set(event.id, event.name);
      // If another model was asked, only its calls and its answer are in the log.
      if (event.inside !== undefined) isModels ||= stands(event.input);
    } else if (event.type === 'block') {
      coming = '';
      isModels ||= stands(writtenIn(event.block));
    } else if (event.type === 'changes') {
      hasChangedFiles ||= changeCount(event) > 0;
    } else if (event.type === 'tool_result') {
      hasChangedFiles ||= (event.changed ?? []).length > 0;
      if (!stands(shownIn(event))) continue;
      const tool = tools.get(event.id);
      const mayBeComposed = tool === undefined || mayCompose(tool) || !bringsText(event, hasChangedFiles);
      if (isModels || mayBeComposed) isModels = true;
      else isResult = true;
    }
  }
  if (isResult) return 'result';
  return isModels || stands(coming) ? 'model' : 'nobody';
}

/** A result without marks is made of the call's input. A file may hold what the model wrote once it has changed any. */
function bringsText({ marks = [] }: EventOf<'tool_result'>, hasChangedFiles: boolean): boolean {
  return marks.some(({ kind }) => kind === 'untrusted' || !hasChangedFiles);
}

function writtenIn(block: AssistantBlock): unknown {
  if (block.type === 'text') return block.text;
  return block.type === 'tool_use' ? [block.input, block.invalidInput?.raw] : undefined;
}

function shownIn({ text, parts, card }: EventOf<'tool_result'>): unknown {
  return [text, parts?.filter(({ type }) => type === 'text'), card];
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
