import { call, type Intent, unquoted, withoutOpening } from './intent.ts';

const VERB = String.raw`(?:run|execute|exec)(?:\s+(?:the\s+|this\s+)?(?:shell\s+)?command)?`;
const WITH_COLON = new RegExp(String.raw`^${VERB}\s*:\s*([\s\S]+)$`, 'i');
const FENCED = /^```\w*\n([\s\S]*?)\n?```$/;
const QUOTED = new RegExp(`^${VERB}\\s+(\`[^\`]+\`)[.!?]?$`, 'i');
const PLAIN = new RegExp(String.raw`^${VERB}\s+(\S[\s\S]*)$`, 'i');
const DOLLAR = /^\$\s+(\S[\s\S]*)$/;

/** The rest of the line is a command, unchanged: "and then" in it belongs to the command. */
export function startsVerbatimLine(line: string): boolean {
  const plain = withoutOpening(line);
  return (WITH_COLON.test(plain) && !QUOTED.test(plain) && !/:\s*`/.test(plain)) || DOLLAR.test(plain);
}

export function runIntent(request: string): Intent | undefined {
  const plain = withoutOpening(request);
  const command = commandIn(plain, plain !== request.trim() && request.trim().endsWith('?'));
  if (command === undefined || command === '') return undefined;
  return call('bash', { command }, call('run_command', { command }), call('execute_command', { command }));
}

function commandIn(plain: string, isQuestion: boolean): string | undefined {
  const given = WITH_COLON.exec(plain)?.[1] ?? DOLLAR.exec(plain)?.[1];
  if (given !== undefined) return FENCED.exec(given.trim())?.[1] ?? backticked(given.trim());
  const quoted = QUOTED.exec(plain)?.[1];
  if (quoted !== undefined) return unquoted(quoted);
  const words = PLAIN.exec(plain)?.[1]?.trim();
  // "Run the tests" does not name a command.
  if (words === undefined || /^(?:the|my|a|an|all|some|this|that|it|them)\b/i.test(words)) return undefined;
  return isQuestion ? words.replace(/(?<!\?)\?+$/, '').trimEnd() : words;
}

function backticked(text: string): string {
  return /^`[^`]*`$/.test(text) ? text.slice(1, -1) : text;
}
