import type { ToolDefinition } from '../provider.ts';
import { type Intent, intentsOf } from './phrases.ts';
import { requestsIn } from './requests.ts';
import {
  badToolInput,
  GOODBYE,
  GREETING,
  help,
  notUnderstood,
  partNotUnderstood,
  THANKS,
  toolNotOffered,
  unknownTool,
} from './texts.ts';
import { isCommandLine, slashCall } from './tool-line.ts';

export interface PlannedCall {
  /** The tool's name as it is offered. */
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The Guide's answer to one message: text first, then calls. */
export interface Plan {
  readonly text: string;
  readonly calls: readonly PlannedCall[];
}

const TALK_TEXTS = {
  help,
  greeting: () => GREETING,
  thanks: () => THANKS,
  goodbye: () => GOODBYE,
} as const;

export function planFor(asked: string, tools: readonly ToolDefinition[]): Plan {
  const offered = tools.map((tool) => tool.name);
  const calls: PlannedCall[] = [];
  const texts: string[] = [];
  const talks: (keyof typeof TALK_TEXTS)[] = [];
  const unclear: string[] = [];

  for (const request of requestsIn(asked)) {
    if (isCommandLine(request)) {
      const call = slashCall(request);
      const name = offeredName(call.name, offered);
      if (name === undefined) texts.push(unknownTool(call.name, offered));
      else if ('reason' in call) texts.push(badToolInput(name, call.reason));
      else calls.push({ name, input: call.input });
      continue;
    }
    const intents = intentsOf(request);
    if (intents.length === 0) unclear.push(request);
    for (const intent of intents) {
      if (intent.kind === 'talk') {
        talks.push(intent.topic);
        continue;
      }
      const call = callFor(intent, offered);
      if ('missing' in call) texts.push(toolNotOffered(call.missing));
      else calls.push(call);
    }
  }

  if (unclear.length > 0) texts.push(calls.length > 0 ? partNotUnderstood(unclear) : notUnderstood(unclear, offered));
  const topic = talks.find((talk) => talk === 'help') ?? talks[0];
  // "Hello, list the files": the files matter; the greeting does not need an answer.
  if (topic !== undefined && (topic === 'help' || (calls.length === 0 && texts.length === 0))) {
    texts.push(TALK_TEXTS[topic](offered));
  }
  if (calls.length === 0 && texts.length === 0) texts.push(help(offered));
  return { text: texts.join('\n\n'), calls };
}

/** The first tool of the intent's candidates that is offered. */
function callFor(
  { candidates }: Extract<Intent, { kind: 'call' }>,
  offered: readonly string[],
): PlannedCall | { missing: string } {
  for (const { tool, input } of candidates) {
    const name = offeredName(tool, offered);
    if (name !== undefined) return { name, input };
  }
  return { missing: candidates[0]?.tool ?? 'for it' };
}

/** Tool names are case-insensitive, as in the registry. */
function offeredName(name: string, offered: readonly string[]): string | undefined {
  return offered.find((tool) => tool === name) ?? offered.find((tool) => tool.toLowerCase() === name.toLowerCase());
}
