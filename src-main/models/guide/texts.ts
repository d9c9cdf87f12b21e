/** What the Guide says when no tool can say it. */

const CONNECT =
  'To work with a real model, add an Anthropic API key in Settings, or set the environment variable ANTHROPIC_API_KEY and start again.';

const ABILITIES = `Things I understand:
- list the files here · list the files in src recursively
- read README.md
- search for TODO · search for "two words" in src · search for TODO in *.ts files
- what time is it · what date is it
- run: git status
- fetch https://example.org
- system info
- write file notes.txt with: some text · append to notes.txt: more text
- /tool_name {"parameter": "value"} for any tool, one per line
Several requests can be joined by "and then" or put on lines of their own.`;

export const GREETING = `Hello! I am the Guide: built in, offline, not an AI. Try "list the files here", or say "help". ${CONNECT}`;

export const HELP = `I am the Guide: built in, offline, not an AI. I match fixed phrases and call the tools they stand for.

${ABILITIES}

${CONNECT}`;

export const THANKS = 'You are welcome.';

export const GOODBYE = 'Goodbye. Your conversation is kept.';

export function notUnderstood(requests: readonly string[]): string {
  const quoted = requests.map((request) => `"${shortened(request)}"`).join(', ');
  return `I did not understand ${quoted}. I am the Guide: built in, offline, not an AI, so I only know fixed phrases.

${ABILITIES}

${CONNECT}`;
}

export function partNotUnderstood(requests: readonly string[]): string {
  return `I did not understand ${requests.map((request) => `"${shortened(request)}"`).join(', ')}; I do the rest.`;
}

export function toolNotOffered(tool: string): string {
  return `That needs the tool ${tool}, which is not available in this conversation. It may be disabled (/tools enable ${tool}) or not set up.`;
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
