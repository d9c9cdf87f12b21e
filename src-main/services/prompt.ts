import type { SentMessage } from '../../src-preload/contract/events.ts';
import { NOTHING_NAMED } from '../../src-preload/contract/events.ts';
import { type Command, calledCommand, parseCommand } from '../assistant/commands.ts';
import { titleOf } from '../assistant/conversation-title.ts';
import { namedBy } from '../assistant/named-hosts.ts';
import { type PromptLine, promptLine } from '../assistant/prompt-line.ts';
import { isNameIn } from '../base/names-in.ts';
import type { Conversation } from '../storage/conversations/conversations.ts';
import type { TurnRequest } from './start-turn.ts';

/**
 * Who entered a prompt. What nobody typed names no host, and what it asks for is covered by no rule. Source: design
 * section 4 ("Untyped turns").
 */
export type PromptOrigin =
  /**
   * The user entered it. Typed words name hosts; of pasted text, which others may have written, only exact addresses
   * count.
   */
  | { readonly by: 'user'; readonly typed: string; readonly pasted: string }
  /** The user read it in the consent surface and agreed. */
  | { readonly by: 'confirmed' }
  /** A button that the user pressed: the text, if there is any, is Steward's. */
  | { readonly by: 'button' }
  /**
   * A page that acted alone, a clock, an editor or a queue entered it. `source` is what questions about its calls say.
   */
  | { readonly by: 'nobody'; readonly source: string };

/** The text of a prompt, interpreted once for every surface. */
export interface ReadPrompt {
  readonly text: string;
  readonly command: Command;
  /** Nothing is attached, so the text alone says what is meant. */
  readonly isAlone: boolean;
  /** The title of a conversation that begins with it. */
  readonly title: string;
}

/** `attachments` are their names. With attachments, the text is always a message. */
export function readPrompt(text: string, attachments: readonly string[] = []): ReadPrompt {
  const isAlone = attachments.length === 0;
  return {
    text,
    command: isAlone ? parseCommand(text) : { kind: 'message', text },
    isAlone,
    title: titleOf(text.trim() === '' ? (attachments[0] ?? '') : text),
  };
}

/** The prompt of an MCP server that a line asks for. `servers` are the names of all servers. */
export function serverPromptIn({ command, isAlone }: ReadPrompt, servers: readonly string[]): PromptLine | undefined {
  return command.kind === 'message' && isAlone ? promptLine(command.text, servers) : undefined;
}

/** The text as the message holds it: the blanks around a command say nothing. */
export function textOf({ command, text }: ReadPrompt): string {
  return command.kind === 'message' ? text : text.trim();
}

/** A line that calls a tool which does not exist. `meant` is the name that was probably intended. */
export interface UnknownCall {
  readonly name: string;
  readonly meant: string | undefined;
}

/** What can be called: tools, skills, and what programs brought into a conversation. */
export interface Callable {
  readonly registry: Parameters<typeof calledCommand>[1];
  readonly skills: { isOffered(name: string): Promise<boolean> };
  toolServicesOf(conversationId: string): { readonly tools: { get(name: string): unknown } };
}

/**
 * Undefined if the prompt calls no tool, or one that exists. `brings` tells whether a program that is not attached to
 * the conversation yet will bring a tool of that name.
 */
export async function unknownCall(
  { command }: ReadPrompt,
  { registry, skills, toolServicesOf }: Callable,
  conversationId: string | null,
  brings: (name: string) => boolean = () => false,
): Promise<UnknownCall | undefined> {
  if (command.kind !== 'tool') return undefined;
  const isSkill = await skills.isOffered(command.name);
  const isOwn = (name: string) =>
    isSkill ||
    brings(name) ||
    (conversationId !== null && toolServicesOf(conversationId).tools.get(name) !== undefined);
  const called = calledCommand(command, registry, isOwn);
  return called.kind === 'known' ? undefined : called;
}

/** A prompt that is about to become a turn. */
export interface OpenedPrompt {
  /** What the turn runs: the prompt's own command, or the surface's answer to it. */
  readonly command: TurnRequest['command'];
  /** The message without its origin. */
  readonly message: SentMessage;
  readonly origin: PromptOrigin;
  /** The conversation of the prompt, or null for a new one. */
  readonly conversation: Conversation | null;
  /** The title of a new conversation. */
  readonly title: string;
  /** The model as in `--model`, or undefined to use the one in the settings. */
  readonly model: string | undefined;
}

/**
 * The turn of a prompt, with what its origin makes of it: hosts that it names, marks, whether rules apply. Attachments
 * name no hosts, because a page says what they contain, and nobody saw where they came from. `workspace` is the folder
 * that tools work in.
 */
export function turnOfPrompt({ origin, message, ...prompt }: OpenedPrompt, workspace: string): TurnRequest {
  if (origin.by === 'nobody') {
    const { source } = origin;
    const marks = [...(message.marks ?? []), { kind: 'untrusted', source }, { kind: 'private', source }] as const;
    return { ...prompt, message: { ...message, isUnattended: true, named: NOTHING_NAMED, marks } };
  }
  if (origin.by !== 'user') return { ...prompt, message: { ...message, named: NOTHING_NAMED } };
  const places = [isNameIn(workspace), isNameIn(prompt.conversation?.workspace ?? workspace)];
  const isFile = (name: string) => places.some((holds) => holds(name));
  return {
    ...prompt,
    message: { ...message, named: namedBy({ typed: origin.typed, pasted: [origin.pasted], isFile }) },
  };
}

/** Says nothing new: it is about a conversation that exists. */
export function promptless(
  kind: 'retry' | 'compact',
  conversation: Conversation,
  model: string | undefined,
): OpenedPrompt {
  return { command: { kind }, message: { content: [] }, origin: { by: 'button' }, conversation, title: '', model };
}
