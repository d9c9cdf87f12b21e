import type { SentMessage } from '../../src-preload/contract/events.ts';
import type { PromptLine } from '../assistant/prompt-line.ts';
import { parseBoundedJson } from '../base/bounded-json.ts';
import { errorMessage } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import { ContentFailure, type ProfilePart, type ServersPart } from '../services.ts';
import type { Conversation } from '../storage/conversations/conversations.ts';
import { UsageError } from './arguments.ts';

export interface PromptPlace {
  readonly conversation: Conversation | null;
  readonly services: Pick<ServersPart, 'serverContents'> & Pick<ProfilePart, 'storage'>;
  readonly signal: AbortSignal;
}

/** A server's prompt as a message. Throws `UsageError` for invalid arguments, otherwise `ContentFailure`. */
export async function promptMessage(
  { server, name, input }: PromptLine,
  { conversation, services: { serverContents, storage }, signal }: PromptPlace,
): Promise<Pick<SentMessage, 'content' | 'prompt' | 'marks'>> {
  const conversationId = conversation?.id ?? null;
  const events = conversationId === null ? [] : storage.events.read(conversationId);
  try {
    const call = { server, name, given: argumentsIn(input) };
    const { content: prompt, marks } = await serverContents.prompt(call, { conversationId, events, signal });
    return { content: [], prompt, marks };
  } catch (error) {
    if (!(error instanceof ContentFailure) || !USAGE.has(error.code)) throw error;
    throw new UsageError(error.message, { cause: error });
  }
}

const USAGE: ReadonlySet<string> = new Set([
  'server_unknown',
  'prompt_unknown',
  'argument_missing',
  'argument_unknown',
  'argument_wrong',
]);

function argumentsIn(input: string): Readonly<Record<string, unknown>> {
  if (input === '') return {};
  try {
    const given = parseBoundedJson(input);
    if (isRecord(given)) return given;
  } catch (error) {
    throw new UsageError(`The arguments are not valid JSON: ${errorMessage(error)}`, { cause: error });
  }
  throw new UsageError('The arguments have to be a JSON object.');
}
