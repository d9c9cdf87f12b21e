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
  { tool: bash, category: 'core' },
  { tool: runCommand, category: 'core', overlaps: true },
  { tool: executeCommand, category: 'core', overlaps: true },
  { tool: bashOutput, category: 'core' },
  { tool: killShell, category: 'core' },
  { tool: listProcesses, category: 'core' },
  { tool: getEnvironmentVariable, category: 'core' },
  { tool: readFile, category: 'core' },
  { tool: writeFile, category: 'core' },
  { tool: appendFile, category: 'core' },
  { tool: edit, category: 'core' },
  { tool: listFiles, category: 'core' },
  { tool: listDirectory, category: 'core', overlaps: true },
  { tool: glob, category: 'core' },
  { tool: grep, category: 'core', overlaps: true },
  { tool: searchCode, category: 'core' },
  { tool: getTime, category: 'core' },
  { tool: getDate, category: 'core' },
  { tool: searchMemory, category: 'core' },
  { tool: storeMemory, category: 'core' },
  { tool: clearMemory, category: 'core' },
  { tool: setFact, category: 'core' },
  { tool: getFact, category: 'core' },
  { tool: clearFact, category: 'core' },
  { tool: parseJson, category: 'core' },
  { tool: serializeJson, category: 'core' },
  { tool: queryJson, category: 'core' },
  { tool: todoWrite, category: 'core' },
  { tool: listMcpResources, category: 'core' },
  { tool: readMcpResource, category: 'core' },
  { tool: webFetch, category: 'core' },
  { tool: webSearch, category: 'core', gate: webSearchGate },
  { tool: httpRequest, category: 'core' },
  { tool: httpGet, category: 'core', overlaps: true },
  { tool: httpPost, category: 'core', overlaps: true },
  { tool: linkedinJobs, category: 'core' },
  { tool: linkedinJobDetail, category: 'core' },
  { tool: gmailSearch, category: 'core', gate: googleGate },
  { tool: gmailRead, category: 'core', gate: googleGate },
  { tool: gmailSend, category: 'core', gate: googleGate },
  { tool: calendarListEvents, category: 'core', gate: googleGate },
  { tool: calendarCreateEvent, category: 'core', gate: googleGate },
  { tool: calendarGetEvent, category: 'core', gate: googleGate },
  { tool: anthropicUsage, category: 'core', gate: anthropicUsageGate },
];

export function registerBuiltInTools(registry: ToolRegistry): void {
  for (const registration of builtInTools) registry.register(registration);
  registry.buildAll();
}
