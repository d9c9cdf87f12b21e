import { anthropicUsage, anthropicUsageGate } from './anthropic/anthropic-usage.ts';
import { appendFile } from './files/append-file.ts';
import { edit } from './files/edit.ts';
import { listDirectory } from './files/list-directory.ts';
import { listFiles } from './files/list-files.ts';
import { readFile } from './files/read-file.ts';
import { writeFile } from './files/write-file.ts';
import { calendarCreateEvent } from './google/calendar-create-event.ts';
import { calendarGetEvent } from './google/calendar-get-event.ts';
import { calendarListEvents } from './google/calendar-list-events.ts';
import { gmailRead } from './google/gmail-read.ts';
import { gmailSearch } from './google/gmail-search.ts';
import { gmailSend } from './google/gmail-send.ts';
import { parseJson } from './json/parse-json.ts';
import { queryJson } from './json/query-json.ts';
import { serializeJson } from './json/serialize-json.ts';
import { linkedinJobDetail } from './linkedin/linkedin-job-detail.ts';
import { linkedinJobs } from './linkedin/linkedin-jobs.ts';
import { clearFact, getFact, setFact } from './memory/facts.ts';
import { clearMemory, storeMemory } from './memory/memories.ts';
import { searchMemory } from './memory/search-memory.ts';
import { googleGate } from './registry/gates.ts';
import type { Registration, ToolRegistry } from './registry/registry.ts';
import { glob } from './search/glob.ts';
import { grep } from './search/grep.ts';
import { searchCode } from './search/search-code.ts';
import { findTools } from './session/find-tools.ts';
import { listMcpResources } from './session/list-mcp-resources.ts';
import { readMcpResource } from './session/read-mcp-resource.ts';
import { todoWrite } from './session/todo-write.ts';
import { bash } from './shell/bash.ts';
import { bashOutput } from './shell/bash-output.ts';
import { executeCommand } from './shell/execute-command.ts';
import { getEnvironmentVariable } from './shell/get-environment-variable.ts';
import { killShell } from './shell/kill-shell.ts';
import { listProcesses } from './shell/list-processes.ts';
import { runCommand } from './shell/run-command.ts';
import { getDate, getTime } from './time/clock.ts';
import { httpGet, httpPost, httpRequest } from './web/http-request.ts';
import { webSearch, webSearchGate } from './web/search/web-search.ts';
import { webFetch } from './web/web-fetch.ts';

/** All built-in tools with their gates, in the order in which models see them (tool catalogue A.3). */
export const builtInTools: readonly Registration[] = [
  { tool: bash, category: 'core', group: 'shell' },
  { tool: runCommand, category: 'core', group: 'shell', overlaps: true },
  { tool: executeCommand, category: 'core', group: 'shell', overlaps: true },
  { tool: bashOutput, category: 'core', group: 'shell' },
  { tool: killShell, category: 'core', group: 'shell' },
  { tool: listProcesses, category: 'core', group: 'shell' },
  { tool: getEnvironmentVariable, category: 'core', group: 'shell' },
  { tool: readFile, category: 'core', group: 'files' },
  { tool: writeFile, category: 'core', group: 'files' },
  { tool: appendFile, category: 'core', group: 'files' },
  { tool: edit, category: 'core', group: 'files' },
  { tool: listFiles, category: 'core', group: 'files' },
  { tool: listDirectory, category: 'core', group: 'files', overlaps: true },
  { tool: glob, category: 'core', group: 'search' },
  { tool: grep, category: 'core', group: 'search', overlaps: true },
  { tool: searchCode, category: 'core', group: 'search' },
  { tool: getTime, category: 'core', group: 'time' },
  { tool: getDate, category: 'core', group: 'time' },
  { tool: searchMemory, category: 'core', group: 'memory' },
  { tool: storeMemory, category: 'core', group: 'memory' },
  { tool: clearMemory, category: 'core', group: 'memory' },
  { tool: setFact, category: 'core', group: 'memory' },
  { tool: getFact, category: 'core', group: 'memory' },
  { tool: clearFact, category: 'core', group: 'memory' },
  { tool: parseJson, category: 'core', group: 'json' },
  { tool: serializeJson, category: 'core', group: 'json' },
  { tool: queryJson, category: 'core', group: 'json' },
  { tool: todoWrite, category: 'core', group: 'tasks' },
  { tool: findTools, category: 'core' },
  { tool: listMcpResources, category: 'core', group: 'resources' },
  { tool: readMcpResource, category: 'core', group: 'resources' },
  { tool: webFetch, category: 'core', group: 'web' },
  { tool: webSearch, category: 'core', group: 'web', gate: webSearchGate },
  { tool: httpRequest, category: 'core', group: 'web' },
  { tool: httpGet, category: 'core', group: 'web', overlaps: true },
  { tool: httpPost, category: 'core', group: 'web', overlaps: true },
  { tool: linkedinJobs, category: 'core', group: 'linkedin' },
  { tool: linkedinJobDetail, category: 'core', group: 'linkedin' },
  { tool: gmailSearch, category: 'core', group: 'mail', gate: googleGate },
  { tool: gmailRead, category: 'core', group: 'mail', gate: googleGate },
  { tool: gmailSend, category: 'core', group: 'mail', gate: googleGate },
  { tool: calendarListEvents, category: 'core', group: 'calendar', gate: googleGate },
  { tool: calendarCreateEvent, category: 'core', group: 'calendar', gate: googleGate },
  { tool: calendarGetEvent, category: 'core', group: 'calendar', gate: googleGate },
  { tool: anthropicUsage, category: 'core', group: 'usage', gate: anthropicUsageGate },
];

export function registerBuiltInTools(registry: ToolRegistry): void {
  for (const registration of builtInTools) registry.register(registration);
  registry.buildAll();
}
