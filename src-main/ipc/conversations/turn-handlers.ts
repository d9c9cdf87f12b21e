import type { conversations } from '../../../src-preload/contract/conversations.ts';
import type { StoredEvent } from '../../../src-preload/contract/events.ts';
import type { Notice } from '../../assistant/turn.ts';
import type { MessageConsent } from '../../policy/message-consent.ts';
import { type OpenedPrompt, promptless, type Services, textOf } from '../../services.ts';
import type { ServerContentRequests } from '../content/server-content.ts';
import type { Desktop } from '../desktop-port.ts';
import { needGesture } from '../gesture.ts';
import type { Handlers } from '../handlers.ts';
import { IpcError } from '../ipc-error.ts';
import { sentMessage } from './attachments.ts';
import type { undoAndRedo } from './changes.ts';
import { existingConversation } from './conversation-view.ts';
import { MessageOrigins } from './message-origin.ts';
import { readSentPrompt } from './sent-prompt.ts';
import { toolNotices } from './tool-notices.ts';
import { turnWithCallAgain } from './try-call-again.ts';
import type { Turns } from './turns.ts';

export interface TurnPorts {
  readonly services: Services;
  readonly turns: Turns;
  readonly desktop: Pick<Desktop, 'session' | 'takeGesture' | 'takeSending' | 'writing'>;
  /** Asks about messages that main did not see a user write. */
  readonly messageConsent: MessageConsent;
  readonly content: ServerContentRequests;
  readonly undo: ReturnType<typeof undoAndRedo>['undo'];
  /** The user began this conversation, which the window shows from now on. Resolves once its first turn can run. */
  readonly onBegun: (conversationId: string) => Promise<void>;
  /** A turn is about to run, so a question may follow soon. */
  readonly onTurnBegins: () => void;
  /** Cancels this window's questions when it closes. */
  readonly signal: AbortSignal;
}

type TurnRoutes = 'send' | 'retry' | 'compact' | 'tryCallAgain' | 'stop' | 'stopLeftRunning';

/** What begins a turn, and what ends it. */
export function turnHandlers(ports: TurnPorts): Pick<Handlers<typeof conversations>, TurnRoutes> {
  const { services, turns, desktop, content, undo, signal } = ports;
  const { storage, registry } = services;
  const origins = new MessageOrigins({ desktop, consent: ports.messageConsent, signal });
  const existing = (id: string) => existingConversation(services, id);
  const begin = (prompt: OpenedPrompt, notices?: readonly Notice[]) => beginTurn(prompt, ports, notices);

  return {
    send: async ({ id, text, attachments }, circumstances) => {
      const conversation = id === null ? null : existing(id);
      const attached = attachments.map(({ name }) => name);
      const { prompt, command } = await readSentPrompt({ id, text, attached }, services, desktop);
      if (conversation !== null) turns.refuseIfRunning(conversation.id);
      const message = await sentMessage(textOf(prompt), attachments, {
        signal,
        servers: {
          resource: (each) => content.resource(each, id),
          prompt: (promptId) => content.prompt(promptId),
        },
      });
      const sentBefore = () => (conversation === null ? [] : textsOfUser(storage.events.read(conversation.id)));
      const lastEnd = () => (conversation === null ? undefined : lastEndOf(storage.events.read(conversation.id)));
      const origin = await origins.of({ text, message, conversationId: id, sentBefore, lastEnd }, circumstances);
      const notices = command.kind === 'tool' ? toolNotices(registry, command.name) : [];
      const { title } = prompt;
      return begin({ command, message, origin, conversation, title, model: undefined }, notices);
    },

    retry: async ({ id, undoing }, circumstances) => {
      const conversation = existing(id);
      if (!storage.events.read(id).some((event) => event.type === 'user_message' && event.isCommand !== true))
        throw new IpcError('bad_input', 'conversations.retry: there is no message to try again.');
      needGesture(desktop, circumstances);
      const outcome = undoing === undefined ? null : await undo({ conversationId: id, turnId: undoing, callId: null });
      if (undoing !== undefined && (outcome?.undone.length ?? 0) === 0) return outcome;
      await begin(promptless('retry', conversation, undefined));
      return outcome;
    },

    compact: async ({ id }, circumstances) => {
      const conversation = existing(id);
      turns.refuseIfRunning(id);
      needGesture(desktop, circumstances);
      await begin(promptless('compact', conversation, undefined));
      return null;
    },

    tryCallAgain: async ({ id, callId }, circumstances) => {
      const conversation = existing(id);
      turns.refuseIfRunning(id);
      needGesture(desktop, circumstances);
      const again = await turnWithCallAgain(storage.events.read(id), callId, services);
      await begin({ ...again, origin: { by: 'button' }, conversation, title: '', model: undefined });
      return null;
    },

    stop: async ({ id }) => {
      await turns.stop(id);
      return null;
    },

    stopLeftRunning: async ({ id }) => ({ isEnded: await services.leftRunning.end(id) }),
  };
}

/** Resolves once the turn has begun, with its conversation. */
async function beginTurn(
  prompt: OpenedPrompt,
  { services, turns, onTurnBegins, onBegun }: Pick<TurnPorts, 'services' | 'turns' | 'onTurnBegins' | 'onBegun'>,
  notices: readonly Notice[] = [],
): Promise<{ readonly id: string }> {
  const turn = await services.openPrompt(prompt);
  const { id } = turn.conversation;
  onTurnBegins();
  if (turn.isNew) await onBegun(id);
  await turns
    .begin(id, services.registry, (options) => turn.run({ ...options, notices }))
    .catch((error: unknown) => {
      // The conversation is empty: the message goes back to the composer.
      if (turn.isNew) services.storage.conversations.remove(id);
      throw error;
    });
  return { id };
}

/** The texts the user sent, without those the page sent on its own. */
function textsOfUser(events: readonly StoredEvent[]): readonly string[] {
  return events.flatMap((event) =>
    event.type === 'user_message' && event.isUnattended !== true ? event.content.map(({ text }) => text) : [],
  );
}

function lastEndOf(events: readonly StoredEvent[]): string | undefined {
  const end = events.findLast(({ type }) => type === 'turn_end');
  return end?.type === 'turn_end' ? end.stopReason : undefined;
}
