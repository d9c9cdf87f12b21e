import type { Message } from './messages.ts';
import type { ModelRequest, ToolDefinition } from './provider.ts';

/**
 * For a service that knows no deferred tools, those that were found in the history become like any other tool. The rest
 * is left out.
 */
export function withoutDeferral({
  tools,
  messages,
}: Pick<ModelRequest, 'tools' | 'messages'>): readonly ToolDefinition[] {
  if (!tools.some(({ isDeferred }) => isDeferred === true)) return tools;
  const found = new Set(messages.flatMap(foundIn));
  return tools
    .filter(({ name, isDeferred }) => isDeferred !== true || found.has(name))
    .map(({ isDeferred: _, ...tool }) => tool);
}

function foundIn({ content }: Message): readonly string[] {
  return content.flatMap((block) => (block.type === 'tool_result' ? (block.foundTools ?? []) : []));
}
