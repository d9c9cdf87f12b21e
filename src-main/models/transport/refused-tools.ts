import type { ToolDefinition } from '../provider.ts';
import type { RequestFailure } from './request-failure.ts';

/**
 * Tools whose definition a service rejected in spite of the schema transforms. One of them would fail every request, so they are left out, until
 * their definition changes.
 */
export class RefusedTools {
  readonly #definitions = new Map<string, string>();

  /** `refused`: their names. */
  split(tools: readonly ToolDefinition[]): {
    readonly accepted: readonly ToolDefinition[];
    readonly refused: readonly string[];
  } {
    if (this.#definitions.size === 0) return { accepted: tools, refused: [] };
    const accepted = tools.filter((tool) => this.#definitions.get(tool.name) !== definitionOf(tool));
    const kept = new Set(accepted);
    return { accepted, refused: tools.filter((tool) => !kept.has(tool)).map(({ name }) => name) };
  }

  /** True if the failure names some of these tools: a request without them may succeed. */
  add({ refusedTools = [] }: RequestFailure, tools: readonly ToolDefinition[]): boolean {
    const named = tools.filter(({ name }) => refusedTools.includes(name));
    for (const tool of named) this.#definitions.set(tool.name, definitionOf(tool));
    return named.length > 0;
  }
}

function definitionOf({ description, inputSchema }: ToolDefinition): string {
  return JSON.stringify([description, inputSchema]);
}

/** The tools at the positions that an error text names. `position`: global, with the position as its first group. */
export function toolsAt(words: string, position: RegExp, sent: readonly string[]): readonly string[] {
  const positions = new Set([...words.matchAll(position)].map(([, digits]) => Number(digits)));
  return sent.filter((_, index) => positions.has(index));
}
