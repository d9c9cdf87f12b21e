import type { ImageBlock, TextBlock } from '../../../src-preload/contract/content-blocks.ts';
import type { MessageAttachment, SentMessage } from '../../../src-preload/contract/events.ts';
import { CONTINUABLE, CONTINUE, SUGGESTIONS } from '../../../src-preload/contract/suggestions.ts';
import { isCommandLine } from '../../models/guide/tool-line.ts';
import type { MessageConsent } from '../../policy/message-consent.ts';
import type { PromptOrigin } from '../../services.ts';
import type { Desktop, Writing } from '../desktop-port.ts';
import type { Circumstances } from '../handlers.ts';
import { IpcError } from '../ipc-error.ts';
import { OneQuestion } from '../one-question.ts';

/** What questions about the calls of such a message say. */
const UNATTENDED = 'a message that was sent without a click or a key';

export interface MessageOriginPorts {
  readonly desktop: Pick<Desktop, 'takeSending' | 'writing'>;
  readonly consent: MessageConsent;
  /** Ends the question when the window closes. */
  readonly signal: AbortSignal;
}

export interface OutgoingMessage {
  /** The text that the page sends. */
  readonly text: string;
  readonly message: SentMessage;
  readonly conversationId: string | null;
  /** Earlier messages of the user in this conversation. */
  readonly sentBefore: () => readonly string[];
  /** How the last turn of the conversation ended, or undefined if there was none. */
  readonly lastEnd?: () => string | undefined;
}

/**
 * Decides who wrote a message that a page sends. It is the user's if main saw them write it, or suggested the text
 * itself, and then saw Enter or a click; a line that calls a tool must be sent exactly as written. Anything else is
 * asked about. Source: design section 4.
 */
export class MessageOrigins {
  readonly #ports: MessageOriginPorts;
  readonly #question: OneQuestion;

  constructor(ports: MessageOriginPorts) {
    this.#ports = ports;
    this.#question = new OneQuestion('another message', ports.signal);
  }

  /** Throws `IpcError` (`not_sent`, `already_asking`, `closing`). */
  async of(outgoing: OutgoingMessage, { receivedAt }: Circumstances): Promise<PromptOrigin> {
    const { desktop } = this.#ports;
    const isSent = desktop.takeSending(receivedAt);
    const writing = await desktop.writing();
    const problem = isSent ? problemOf(outgoing, writing) : 'message_not_seen';
    const origin = problem === null ? sentOrigin(outgoing, writing) : await this.#confirmed(outgoing, problem);
    writing.messageSent(outgoing.text);
    return origin;
  }

  async #confirmed({ text, message, conversationId }: OutgoingMessage, code: Problem): Promise<PromptOrigin> {
    const { consent, signal } = this.#ports;
    const { prompt } = message;
    const said = (prompt?.messages ?? []).flatMap(({ role, content }) => content.map((block) => ({ role, block })));
    const attachments = [...said.map(asAttachment), ...(message.attachments ?? [])];
    const outcome = await this.#question.run(() =>
      consent.ask({ text, attachments, conversationId }, { code }, signal),
    );
    if (outcome === 'declined') throw new IpcError('not_sent', 'The message was not sent.');
    return outcome === 'confirmed' ? { by: 'confirmed' } : { by: 'nobody', source: UNATTENDED };
  }
}

/** A prompt's text is shown like an attachment. */
function asAttachment({
  role,
  block,
}: {
  readonly role: string;
  readonly block: TextBlock | ImageBlock;
}): MessageAttachment {
  return block.type === 'text'
    ? { kind: 'text', name: `prompt, ${role}`, text: block.text }
    : { kind: 'image', name: `prompt, ${role}`, mediaType: block.mediaType, data: block.data };
}

type Problem = 'message_not_seen' | 'tool_line_not_typed';

/** What speaks against a message that was sent with Enter or a click, or null if nothing does. */
function problemOf(outgoing: OutgoingMessage, writing: Writing): Problem | null {
  const isOffered = isOfferedText(outgoing, writing);
  if (!isOffered && !writing.isWritten && !writing.holdsLines(outgoing.text)) return 'message_not_seen';
  return isOffered || holdsToolLines(outgoing.text.trim(), writing) ? null : 'tool_line_not_typed';
}

function isOfferedText(outgoing: OutgoingMessage, { isRecalled }: Writing): boolean {
  const { text, sentBefore } = outgoing;
  return isContinuing(outgoing) || SUGGESTIONS.includes(text.trim()) || (isRecalled && sentBefore().includes(text));
}

/** The text of the button below a turn that reached a limit. */
function isContinuing({ text, lastEnd }: OutgoingMessage): boolean {
  return text === CONTINUE && CONTINUABLE.has(lastEnd?.() ?? '');
}

/** The origin of a message that is the user's. */
function sentOrigin(outgoing: OutgoingMessage, writing: Writing): PromptOrigin {
  if (isContinuing(outgoing) && !writing.holdsLines(outgoing.text)) return { by: 'button' };
  return { by: 'user', ...writing.originsOf(outgoing.text) };
}

/** Every line counts: the Guide runs several as the calls of one message. */
function holdsToolLines(text: string, writing: Writing): boolean {
  if (!isCommandLine(text) || writing.holdsLines(text)) return true;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const calls = lines.every(isCommandLine) ? lines : [text];
  return calls.every((call) => writing.holdsLines(call) || writing.holdsChosenTool(call));
}
