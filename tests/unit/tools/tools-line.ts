import { parseCommand } from '../../../src-main/assistant/commands.ts';
import type { ToolRegistry } from '../../../src-main/tools/registry/registry.ts';
import { answerToolsCommand, type MayEnable } from '../../../src-main/tools/registry/tools-command.ts';
import type { BroughtTool } from '../../../src-main/tools/registry/toolset.ts';

/** What `/tools {words}` answers. Where nobody is asked, the user typed it. */
export function answerToolsLine(
  registry: ToolRegistry,
  words: string,
  mayEnable: MayEnable = async () => true,
  brought: readonly BroughtTool[] = [],
): Promise<string> {
  const command = parseCommand(`/tools ${words}`);
  if (command.kind !== 'tools') throw new Error(`not a /tools line: ${words}`);
  return answerToolsCommand({ registry, brought, isHidden: () => false }, command, mayEnable);
}
