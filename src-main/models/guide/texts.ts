/** The Guide's texts for requests that no tool can answer. */

const CONNECT =
  'To work with a real model, add an Anthropic API key in Settings, or set the environment variable ANTHROPIC_API_KEY and start again.';

/** Phrases, each with tools of which at least one must be offered. */
const ABILITIES: readonly { readonly phrases: string; readonly needs: readonly string[] }[] = [
  { phrases: 'list the files here · list the files in src recursively', needs: ['list_files'] },
  { phrases: 'read README.md', needs: ['read_file'] },
  {
    phrases: 'search for TODO · search for "two words" in src · search for TODO in *.ts files',
    needs: ['search_code'],
  },
  { phrases: 'what time is it · what date is it', needs: ['get_time', 'get_date'] },
  { phrases: 'run: git status', needs: ['bash', 'run_command'] },
  { phrases: 'fetch https://example.org', needs: ['web_fetch'] },
  { phrases: 'system info', needs: ['system-info__system_info'] },
  { phrases: 'write file notes.txt with: some text · append to notes.txt: more text', needs: ['write_file'] },
];

/** Only what is possible now: a phrase for a tool that is not offered would be a false promise. */
function abilities(offered: readonly string[]): string {
  const names = new Set(offered.map((name) => name.toLowerCase()));
  const lines = ABILITIES.filter(({ needs }) => needs.some((tool) => names.has(tool))).map(
    ({ phrases }) => `- ${phrases}`,
  );
  return `Things I understand:
${[...lines, '- /tool_name {"parameter": "value"} for any tool, one per line'].join('\n')}
Several requests can be joined by "and then" or put on lines of their own.`;
}

export const GREETING = `Hello! I am the Guide: built in, offline, not an AI. Try "list the files here", or say "help". ${CONNECT}`;

export function help(offered: readonly string[]): string {
  return `I am the Guide: built in, offline, not an AI. I match fixed phrases and call the tools they stand for.

${abilities(offered)}

${CONNECT}`;
}

export const THANKS = 'You are welcome.';

export const GOODBYE = 'Goodbye. Your conversation is saved.';

export function notUnderstood(requests: readonly string[], offered: readonly string[]): string {
  const quoted = requests.map((request) => `"${shortened(request)}"`).join(', ');
  return `I did not understand ${quoted}. I am the Guide: built in, offline, not an AI, so I only know fixed phrases.

${abilities(offered)}

${CONNECT}`;
}

export function partNotUnderstood(requests: readonly string[]): string {
  return `I did not understand ${requests.map((request) => `"${shortened(request)}"`).join(', ')}; I do the rest.`;
}

export function toolNotOffered(tool: string): string {
  return `That needs the tool ${tool}, which is not available here: it is disabled, not set up, or not part of this version. /tools lists what there is.`;
}

export function unknownTool(name: string, offered: readonly string[]): string {
  const list = offered.length === 0 ? 'No tools are available.' : `Available tools: ${offered.join(', ')}.`;
  return `There is no tool "${shortened(name)}" in this conversation. ${list}`;
}

export function badToolInput(name: string, reason: string): string {
  return `The text after /${name} is not a JSON object (${reason}). Write it like this: /${name} {"parameter": "value"}`;
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= 80 ? line : `${line.slice(0, 77)}...`;
}
