import type { Message, ToolResultBlock } from '../messages.ts';

/** The last message's tool results for a person, each verbatim; empty when it holds none. */
export function resultsText(messages: readonly Message[]): string {
  const last = messages.at(-1);
  if (last?.role !== 'user') return '';
  const names = toolNames(messages);
  return last.content
    .flatMap((block) => (block.type === 'tool_result' ? [resultText(block, names.get(block.toolUseId))] : []))
    .join('\n\n');
}

function resultText({ content, isError }: ToolResultBlock, tool: string | undefined): string {
  const name = tool ?? 'The tool';
  if (isError) return `${name} did not work:\n${content}`;
  if (content === '(no output)')
    return `${name}: ${EMPTY_TEXTS[tool ?? ''] ?? 'done; there is nothing to show.'} ${content}`;
  return `${name}:\n${content}`;
}

const EMPTY_TEXTS: Readonly<Record<string, string>> = {
  list_files: 'there are no files there.',
  search_code: 'nothing was found.',
  read_file: 'the file is empty.',
  bash: 'the command ended without printing anything.',
  run_command: 'the command ended without printing anything.',
};

function toolNames(messages: readonly Message[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    for (const block of message.content) if (block.type === 'tool_use') names.set(block.id, block.name);
  }
  return names;
}
