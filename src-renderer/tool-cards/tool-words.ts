export interface ToolWords {
  /** What the tool does, where its name does not say it well. */
  readonly title?: string;
  /** What was done, once it was. */
  readonly done: string;
  /** Arguments that say what about, in this order; of two names of one argument, the one that is there. */
  readonly about: readonly (string | readonly [string, string])[];
}

const FILE = [['file_path', 'path']] as const;
const QUESTION = [['question', 'key']] as const;
const URL_ALONE = ['url'] as const;

/** Of the tools in the catalogue, in its order. Any other gets its words from its name and its arguments. */
const WORDS: Readonly<Record<string, ToolWords>> = {
  read_file: { done: 'Read', about: FILE },
  write_file: { done: 'Wrote', about: FILE },
  append_file: { title: 'Append to file', done: 'Appended to', about: FILE },
  list_files: { done: 'Listed files', about: ['directory'] },
  list_directory: { done: 'Listed', about: ['path'] },
  edit: { done: 'Edited', about: FILE },
  glob: { title: 'Find files', done: 'Looked for files', about: ['pattern', 'path'] },
  grep: { title: 'Search files', done: 'Searched files for', about: ['pattern', 'path'] },
  search_code: { done: 'Searched code for', about: ['query', 'directory'] },
  bash: { done: 'Ran', about: ['command'] },
  run_command: { done: 'Ran', about: ['command', 'arguments'] },
  execute_command: { done: 'Ran', about: ['command'] },
  bash_output: { title: 'Read shell output', done: 'Read output of', about: ['bash_id'] },
  kill_shell: { title: 'Stop shell', done: 'Stopped', about: [['shell_id', 'bash_id']] },
  list_processes: { done: 'Listed processes', about: [] },
  get_environment_variable: { title: 'Read variable', done: 'Read variable', about: ['name'] },
  web_fetch: { title: 'Fetch page', done: 'Fetched', about: URL_ALONE },
  web_search: { title: 'Search the web', done: 'Searched the web:', about: ['query'] },
  http_request: { title: 'HTTP request', done: 'Requested', about: ['method', 'url'] },
  http_get: { title: 'HTTP GET', done: 'Got', about: URL_ALONE },
  http_post: { title: 'HTTP POST', done: 'Posted to', about: URL_ALONE },
  linkedin_jobs: { title: 'Search LinkedIn jobs', done: 'Searched LinkedIn jobs:', about: ['keyword', 'location'] },
  linkedin_job_detail: { title: 'Read LinkedIn job', done: 'Read LinkedIn job', about: URL_ALONE },
  gmail_search: { title: 'Search mail', done: 'Searched mail:', about: ['query'] },
  gmail_read: { title: 'Read mail', done: 'Read mail', about: ['messageId'] },
  gmail_send: { title: 'Send mail', done: 'Sent mail to', about: ['to', 'subject'] },
  calendar_list_events: { title: 'List events', done: 'Listed events', about: ['query', 'timeMin', 'timeMax'] },
  calendar_create_event: { title: 'Create event', done: 'Created event:', about: ['summary', 'start'] },
  calendar_get_event: { title: 'Read event', done: 'Read event', about: ['eventId'] },
  anthropic_usage: { title: 'Anthropic usage', done: 'Read Anthropic usage:', about: ['action', 'starting_at'] },
  search_memory: { done: 'Searched memory:', about: ['query'] },
  store_memory: { title: 'Remember', done: 'Remembered:', about: QUESTION },
  clear_memory: { title: 'Forget', done: 'Forgot:', about: QUESTION },
  set_fact: { title: 'Remember a fact', done: 'Remembered:', about: ['key'] },
  get_fact: { title: 'Recall a fact', done: 'Recalled:', about: ['key'] },
  clear_fact: { title: 'Forget a fact', done: 'Forgot:', about: ['key'] },
  parse_json: { title: 'Parse JSON', done: 'Parsed JSON', about: ['json'] },
  serialize_json: { title: 'Serialise JSON', done: 'Serialised JSON', about: ['data'] },
  query_json: { title: 'Query JSON', done: 'Queried JSON:', about: ['path'] },
  todo_write: { title: 'To-do list', done: 'Updated the to-do list', about: [] },
  get_time: { done: 'Looked at the clock', about: [] },
  get_date: { done: 'Looked at the calendar', about: [] },
  list_mcp_resources: { title: 'List resources', done: 'Listed resources', about: ['server'] },
  read_mcp_resource: { title: 'Read resource', done: 'Read resource', about: ['uri', 'server'] },
};

/** Names are compared as the registry does: whatever their case. `undefined`: it is none of the catalogue's tools. */
export function toolWords(name: string): ToolWords | undefined {
  const key = name.toLowerCase();
  const provider = /^ask_(.+)$/.exec(key)?.[1];
  if (provider !== undefined)
    return { title: `Ask ${provider}`, done: `Asked ${provider}:`, about: [['prompt', 'query']] };
  return Object.hasOwn(WORDS, key) ? WORDS[key] : undefined;
}
