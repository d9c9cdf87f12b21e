import type { Message, ToolResultBlock } from '../messages.ts';
import type { ToolDefinition } from '../provider.ts';

/** The tool results of the last message for a user, each verbatim; empty if it has none. */
export function resultsText(messages: readonly Message[], tools: readonly ToolDefinition[]): string {
  const last = messages.at(-1);
  if (last?.role !== 'user') return '';
  const names = toolNames(messages);
  return last.content
    .flatMap((block) => (block.type === 'tool_result' ? [resultText(block, names.get(block.toolUseId), tools)] : []))
    .join('\n\n');
}

function resultText(
  { content, isError, isEmpty }: ToolResultBlock,
  tool: string | undefined,
  tools: readonly ToolDefinition[],
): string {
  const name = tool ?? 'The tool';
  if (isError) return `${name} did not work:\n${content}`;
  if (isEmpty !== true) return `${name}:\n${content}`;
  const { nothing = 'done; there is nothing to show.' } = tools.find((offered) => offered.name === tool) ?? {};
  return `${name}: ${nothing} ${content}`;
}

function toolNames(messages: readonly Message[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    for (const block of message.content) if (block.type === 'tool_use') names.set(block.id, block.name);
  }
  return names;
}
