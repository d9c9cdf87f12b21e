import type { Tool, ToolContext } from '../contract.ts';

export interface EntryTool {
  readonly name: string;
  readonly description: string;
  /** What the call does and returns. */
  enter(context: Pick<ToolContext, 'mark'>): string;
}

/** A tool without parameters that opens a group or activates a skill. It never asks. Source: tool catalogue D.3. */
export function entryTool({ name, description, enter }: EntryTool): Tool {
  return {
    name,
    description,
    access: 'read',
    errorPrefix: 'Error: ',
    hasOwnResultCap: false,
    undo: 'nothing',
    inputSchema: { type: 'object', properties: {} },
    parameterAliases: {},
    nameAliases: [],
    emptyAllowed: [],
    requiredTexts: {},
    asksModel: false,
    // Arguments are ignored.
    prepare: () => ({
      assess: async () => ({
        access: [{ class: 'read', kind: 'app' }],
        execute: async (context) => ({ text: enter(context), isError: false }),
      }),
    }),
  };
}
