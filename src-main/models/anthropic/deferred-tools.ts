import type { Message, UserBlock } from '../messages.ts';

/**
 * Tools that the API knows and loads for the model only where a result of `find_tools` refers to them. They are not in
 * the part of the prompt that is cached, so that finding one leaves it as it is.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool
 */

function foundIn({ content }: Message): readonly string[] {
  return content.flatMap((block) => (block.type === 'tool_result' ? (block.foundTools ?? []) : []));
}

/**
 * Removes references to tools that are not deferred. The API answers `Tool reference 'x' not found in available tools`,
 * so one such name would make every later request of the conversation fail. If a tool is not deferred, the model has
 * its definition already.
 */
export function withKnownReferences(messages: readonly Message[], deferred: ReadonlySet<string>): readonly Message[] {
  return messages.map((message) =>
    message.role === 'assistant' || foundIn(message).length === 0
      ? message
      : { ...message, content: message.content.map((block) => withKnownTools(block, deferred)) },
  );
}

function withKnownTools(block: UserBlock, deferred: ReadonlySet<string>): UserBlock {
  if (block.type !== 'tool_result' || block.foundTools === undefined) return block;
  const { foundTools, ...rest } = block;
  const known = foundTools.filter((name) => deferred.has(name));
  return known.length === 0 ? rest : { ...rest, foundTools: known };
}
