import type { StoredEvent } from '../../src-preload/contract/events.ts';
import type { ToolUse } from '../tools/registry/choose-offered.ts';
import type { OfferedTool } from '../tools/registry/registry.ts';
import type { ToolOffer } from '../tools/registry/toolset.ts';
import { eventsInContext } from './events-in-context.ts';

/**
 * The tools that a conversation called and found, the latest last. From its log, so that a restart changes nothing.
 * What a model did that was asked as a tool does not count. Pure.
 */
export function toolUses(events: readonly StoredEvent[]): readonly ToolUse[] {
  const live = eventsInContext(events);
  const summarised = live.findLast((event) => event.type === 'compaction')?.throughSeq ?? -1;
  const inside = new Set(
    live.flatMap((event) => (event.type === 'tool_call' && event.inside !== undefined ? [event.id] : [])),
  );
  return live.flatMap((event) => {
    if (event.type === 'tool_call' && event.inside === undefined)
      return [{ name: event.name, isFoundInHistory: false }];
    if (event.type !== 'tool_result' || inside.has(event.id)) return [];
    const isFoundInHistory = event.calledBy === 'model' && event.seq > summarised;
    return (event.foundTools ?? []).map((name) => ({ name, isFoundInHistory }));
  });
}

export const TOOLS_LEFT_OUT = 'tools_left_out';

/** What was chosen for this conversation, `undefined`: nothing yet. A log that an earlier version wrote doesn't say. */
export function filledTools(notices: readonly StoredEvent[]): readonly string[] | undefined {
  const chosen = notices.find((event) => event.type === 'notice' && event.filled !== undefined);
  return chosen?.type === 'notice' ? chosen.filled : undefined;
}

/** What the user wrote first, without commands. */
export function firstMessage(events: readonly StoredEvent[]): string {
  const message = events.find((event) => event.type === 'user_message' && event.isCommand !== true);
  if (message?.type !== 'user_message') return '';
  return message.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

/** Calls of an interrupted answer were never announced, but they are in the history. */
export function callIdOf(event: StoredEvent): string[] {
  if (event.type === 'tool_call') return [event.id];
  return event.type === 'block' && event.block.type === 'tool_use' ? [event.block.id] : [];
}

/** All tools of a request, those that its service loads only when they are found among them. */
export function requestTools({
  tools,
  deferred,
}: ToolOffer): readonly (OfferedTool & { readonly isDeferred?: true })[] {
  return [...tools, ...deferred.map((tool) => ({ ...tool, isDeferred: true as const }))];
}
