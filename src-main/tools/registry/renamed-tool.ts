import type { Tool } from '../contract.ts';

/** The same tool under another name, whatever kind of object it is. */
export function renamed(tool: Tool, name: string): Tool {
  return {
    name,
    description: tool.description,
    access: tool.access,
    get inputSchema() {
      return tool.inputSchema;
    },
    parameterAliases: tool.parameterAliases,
    nameAliases: tool.nameAliases,
    errorPrefix: tool.errorPrefix,
    emptyAllowed: tool.emptyAllowed,
    requiredTexts: tool.requiredTexts,
    hasOwnResultCap: tool.hasOwnResultCap,
    undo: tool.undo,
    ...(tool.manual === undefined ? {} : { manual: tool.manual }),
    ...(tool.words === undefined ? {} : { words: tool.words }),
    asksModel: tool.asksModel,
    prepare: (input) => tool.prepare(input),
  };
}
