import type { IndexedTool, ToolIndex } from './tool-index.ts';

/** The index of a list of tools, made when it is first searched, and again when the list has changed. */
export class ToolIndexes {
  #tools: readonly IndexedTool[] = [];
  #index: Promise<ToolIndex> | undefined;

  of(tools: readonly IndexedTool[]): Promise<ToolIndex> {
    if (this.#index === undefined || !areSame(tools, this.#tools)) {
      this.#tools = tools;
      this.#index = indexOf(tools);
    }
    return this.#index;
  }
}

/** Loaded with the first search: most runs never search. */
async function indexOf(tools: readonly IndexedTool[]): Promise<ToolIndex> {
  const { ToolIndex } = await import('./tool-index.ts');
  return ToolIndex.of(tools);
}

function areSame(some: readonly IndexedTool[], others: readonly IndexedTool[]): boolean {
  return (
    some.length === others.length &&
    some.every((tool, index) => {
      const other = others[index];
      return (
        tool.name === other?.name && tool.description === other.description && tool.inputSchema === other.inputSchema
      );
    })
  );
}
