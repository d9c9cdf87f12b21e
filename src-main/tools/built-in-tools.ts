import { appendFile } from './files/append-file.ts';
import { listFiles } from './files/list-files.ts';
import { readFile } from './files/read-file.ts';
import { writeFile } from './files/write-file.ts';
import type { Registration, ToolRegistry } from './registry.ts';
import { searchCode } from './search/search-code.ts';
import { bash } from './shell/bash.ts';
import { runCommand } from './shell/run-command.ts';
import { getDate, getTime } from './time/clock.ts';

/** All built-in tools with what they need to be offered, in the order in which models are told of them (tool catalogue A.3). */
export const builtInTools: readonly Registration[] = [
  { tool: bash, category: 'core' },
  { tool: runCommand, category: 'core', overlaps: true },
  { tool: readFile, category: 'core' },
  { tool: writeFile, category: 'core' },
  { tool: appendFile, category: 'core' },
  { tool: listFiles, category: 'core' },
  { tool: searchCode, category: 'core' },
  { tool: getTime, category: 'core' },
  { tool: getDate, category: 'core' },
];

export function registerBuiltInTools(registry: ToolRegistry): void {
  for (const registration of builtInTools) registry.register(registration);
  registry.buildAll();
}
