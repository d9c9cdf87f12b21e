import { checkBoundedValue } from '../../base/bounded-json.ts';
import type { ToolDefinition } from '../provider.ts';
import type { RequestFailure } from './request-failure.ts';

/**
 * The limit for an input schema. To transform more would block the process, and no service takes them; the largest
 * known have a few hundred.
 */
const MAX_VALUES = 10_000;

/**
 * Tools whose definition a service rejected in spite of the schema transforms, or that are too large for these. One of
 * them would fail every request, so they are left out, until their definition changes.
 */
export class RefusedTools {
  readonly #definitions = new Map<string, string>();
  readonly #fitting = new WeakMap<object, boolean>();

  /** Separates the tools that a request may define from those that it leaves out, whose names `refused` has. */
  split(tools: readonly ToolDefinition[]): {
    readonly accepted: readonly ToolDefinition[];
    readonly refused: readonly string[];
  } {
    const accepted = tools.filter((tool) => this.#fits(tool) && !this.#isRefused(tool));
    if (accepted.length === tools.length) return { accepted: tools, refused: [] };
    const kept = new Set(accepted);
    return { accepted, refused: tools.filter((tool) => !kept.has(tool)).map(({ name }) => name) };
  }

  #isRefused(tool: ToolDefinition): boolean {
    const refused = this.#definitions.get(tool.name);
    return refused !== undefined && refused === definitionOf(tool);
  }

  #fits({ inputSchema }: ToolDefinition): boolean {
    const fits = this.#fitting.get(inputSchema) ?? isTransformable(inputSchema);
    this.#fitting.set(inputSchema, fits);
    return fits;
  }

  /** Returns true if the failure names some of these tools: a request without them may succeed. */
  add({ refusedTools = [] }: RequestFailure, tools: readonly ToolDefinition[]): boolean {
    const named = tools.filter(({ name }) => refusedTools.includes(name));
    for (const tool of named) this.#definitions.set(tool.name, definitionOf(tool));
    return named.length > 0;
  }
}

function isTransformable(inputSchema: object): boolean {
  try {
    checkBoundedValue(inputSchema, MAX_VALUES);
    return true;
  } catch {
    return false;
  }
}

function definitionOf({ description, inputSchema }: ToolDefinition): string {
  return JSON.stringify([description, inputSchema]);
}

/**
 * Returns the names of the tools at the positions that an error text names. `position` must be global, with the
 * position as its first group.
 */
export function toolsAt(words: string, position: RegExp, sent: readonly string[]): readonly string[] {
  const positions = new Set([...words.matchAll(position)].map(([, digits]) => Number(digits)));
  return sent.filter((_, index) => positions.has(index));
}
