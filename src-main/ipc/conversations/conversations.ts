import type { ConversationSummary, conversations, UndoResult } from '../../../src-preload/contract/conversations.ts';
import type { EventOf, LiveEvent, StoredEvent } from '../../../src-preload/contract/events.ts';
import type { AppEvents } from '../../../src-preload/contract/index.ts';
import { needsSignInText, signInRemedy } from '../../../src-preload/contract/remedies.ts';
import type { PromptLine } from '../../assistant/prompt-line.ts';
import type { Notice } from '../../assistant/turn.ts';
import type { UndoChoice } from '../../assistant/undo/undo.ts';
import type { MessageConsent } from '../../policy/message-consent.ts';
import {
  type OpenedPrompt,
  promptless,
  readPrompt,
  type Services,
  serverPromptIn,
  textOf,
  type UnknownCall,
  unknownCall,
} from '../../services.ts';
import type { Conversation } from '../../storage/conversations/conversations.ts';
import { StorageError } from '../../storage/database/storage-error.ts';
import type { ServerContentRequests } from '../content/server-content.ts';
import type { Desktop } from '../desktop-port.ts';
import { needGesture } from '../gesture.ts';
import type { Handlers } from '../handlers.ts';
import { IpcError } from '../ipc-error.ts';
import { OneQuestion } from '../one-question.ts';
import { saveText } from '../save-text.ts';
import { sentMessage } from './attachments.ts';
import { fileOfCall } from './call-file.ts';
import { runnable } from './command-answers.ts';
import type { LinkOpener } from './link-opener.ts';
import { MessageOrigins } from './message-origin.ts';
import { fileInResult, fileName } from './result-file.ts';
import { shownEvent } from './shown-event.ts';
import { toolNotices } from './tool-notices.ts';
import { trashHandlers } from './trash.ts';
import { turnWithCallAgain } from './try-call-again.ts';
import type { Turns } from './turns.ts';

const SEARCH_RESULTS = 50;

export interface ConversationPorts {
  readonly services: Services;
  readonly turns: Turns;
  readonly desktop: Pick<
    Desktop,
    | 'chooseFileToSave'
    | 'confirm'
    | 'session'
    | 'showFileMenu'
    | 'takeGesture'
    | 'takeMenuRequest'
    | 'takeSending'
    | 'writing'
  >;
  /** Asks about messages that main did not see a user write. */
  readonly messageConsent: MessageConsent;
  readonly links: LinkOpener;
  /** Called when the list has changed. */
  readonly content: ServerContentRequests;
  readonly onListChanged: () => void;
  /** The user began this conversation, which the window shows from now on. Resolves once its first turn can run. */
  readonly onBegun: (conversationId: string) => Promise<void>;
  /** A turn is about to run, so a question may follow soon. */
  readonly onTurnBegins: () => void;
  readonly sendEvents: (events: AppEvents['turn']) => void;
  /** Cancels this window's questions when it closes. */
  readonly signal: AbortSignal;
}

export function conversationHandlers(ports: ConversationPorts): Handlers<typeof conversations> {
  const { services, turns, desktop, onListChanged } = ports;
  const { storage } = services;
  const origins = new MessageOrigins({ desktop, consent: ports.messageConsent, signal: ports.signal });
  const undoQuestion = new OneQuestion('another undo', ports.signal);
  const reviewQuestion = new OneQuestion('these files already', ports.signal);

  const summary = (conversation: Conversation): ConversationSummary => {
    const { id, title, workspace, model, createdAt, updatedAt } = conversation;
    return { id, title, workspace, model, createdAt, updatedAt, isAnswering: turns.isRunning(id) };
  };
  const existing = (id: string): Conversation => {
    const conversation = storage.conversations.get(id);
    if (conversation === undefined || conversation.deletedAt !== null)
      throw new StorageError('conversation_unknown', 'This conversation no longer exists.');
    return conversation;
  };
  const changed = (conversation: Conversation): ConversationSummary => {
    onListChanged();
    return summary(conversation);
  };

  const begin = async (prompt: OpenedPrompt, notices: readonly Notice[] = []): Promise<{ readonly id: string }> => {
    const turn = await services.openPrompt(prompt);
    const { id } = turn.conversation;
    ports.onTurnBegins();
    if (turn.isNew) await ports.onBegun(id);
    await turns
      .begin(id, services.registry, (options) => turn.run({ ...options, notices }))
      .catch((error: unknown) => {
        // The conversation is empty: the message goes back to the composer.
        if (turn.isNew) storage.conversations.remove(id);
        throw error;
      });
    return { id };
  };

  const undo = async ({ conversationId, turnId, callId }: UndoChoice): Promise<UndoResult | null> => {
    existing(conversationId);
    turns.refuseIfRunning(conversationId);
    const listener = (event: StoredEvent | LiveEvent) => {
      if ('seq' in event) ports.sendEvents({ conversationId, events: [shownEvent(event, services.registry)] });
    };
    const outcome = await undoQuestion.run(() => {
      ports.onTurnBegins();
      return services.undo.run({ conversationId, turnId, callId }, { signal: ports.signal, listener });
    });
    return outcome.kind === 'declined' ? null : { undone: outcome.undone, refused: outcome.refused };
  };

  return {
    list: () => storage.conversations.list().map(summary),

    open: ({ id }) => {
      const conversation = existing(id);
      const events = storage.events.read(id).map((event) => shownEvent(event, services.registry));
      return { conversation: summary(conversation), events };
    },

    rename: ({ id, title }) => changed(storage.conversations.rename(existing(id).id, title)),

    remove: async ({ id }) => {
      await turns.stop(existing(id).id);
      changed(storage.conversations.remove(id));
      services.clients.close(id);
      return null;
    },

    ...trashHandlers({ services, turns, desktop, onListChanged }),

    restore: ({ id }, circumstances) => {
      needGesture(desktop, circumstances);
      return changed(storage.conversations.restore(id));
    },

    search: async ({ query }) => {
      const hits = await storage.searchConversations(query, { limit: SEARCH_RESULTS });
      return hits.map(({ message, ...hit }) => ({
        ...hit,
        message: message && {
          seq: message.seq,
          spellings: message.spellings,
          snippet: message.snippet.text,
          matches: message.snippet.matches,
        },
      }));
    },

    export: async ({ id, format }, circumstances) => {
      const { title } = existing(id);
      needGesture(desktop, circumstances);
      const path = await desktop.chooseFileToSave(fileNameFor(title, format));
      if (path === null) return null;
      await saveText(path, format === 'json' ? storage.exportJson(id) : storage.exportMarkdown(id), 'The conversation');
      return { path };
    },

    send: async ({ id, text, attachments }, circumstances) => {
      const prompt = readPrompt(
        text,
        attachments.map(({ name }) => name),
      );
      const conversation = id === null ? null : existing(id);
      const command = runnable(prompt.command, services, id, desktop);
      if (command === undefined) throw new IpcError('unusable_command', unusableText(prompt.command));
      const unknown = await unknownCall(prompt, services, id);
      if (unknown !== undefined) throw unknownCommand(unknown);
      const ofServer = serverPromptIn(prompt, services.serverContents.servers);
      if (ofServer !== undefined) throw unchosenPrompt(ofServer, services);
      if (conversation !== null) turns.refuseIfRunning(conversation.id);
      const message = await sentMessage(textOf(prompt), attachments, {
        signal: ports.signal,
        servers: {
          resource: (attached) => ports.content.resource(attached, id),
          prompt: (promptId) => ports.content.prompt(promptId),
        },
      });
      const sentBefore = () => (conversation === null ? [] : textsOfPerson(storage.events.read(conversation.id)));
      const lastEnd = () => (conversation === null ? undefined : lastEndOf(storage.events.read(conversation.id)));
      const origin = await origins.of({ text, message, conversationId: id, sentBefore, lastEnd }, circumstances);
      const notices = command.kind === 'tool' ? toolNotices(services.registry, command.name) : [];
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

    undo: ({ id, turnId, callId }) => undo({ conversationId: id, turnId, callId }),

    openLink: async ({ id, url }, circumstances) => {
      await ports.links.open(url, id === null ? null : existing(id).id, circumstances);
      return null;
    },

    review: async () => {
      const outcome = await reviewQuestion.run(() => {
        ports.onTurnBegins();
        return services.review.run(ports.signal);
      });
      return { reviewed: outcome.kind === 'reviewed' ? outcome.paths.length : 0 };
    },

    fileMenu: async ({ id, callId }, { receivedAt }) => {
      const conversation = existing(id);
      if (!desktop.takeMenuRequest(receivedAt))
        throw new IpcError('no_gesture', 'A menu opens only when you open it yourself.');
      const { files } = services.toolServices.environment;
      const file = await fileOfCall(storage.events.read(id), callId, conversation, files);
      if (file !== undefined) desktop.showFileMenu(file.path, file.canBeShown);
      return null;
    },

    saveFile: async ({ id, callId, part }, circumstances) => {
      existing(id);
      const { name, bytes } = fileInResult(resultOf(storage.events.read(id), callId), part);
      needGesture(desktop, circumstances);
      const path = await desktop.chooseFileToSave(name);
      if (path === null) return null;
      await saveText(path, bytes, 'The file');
      return { path };
    },

    wholeResult: ({ id, callId }) => {
      existing(id);
      return { text: resultOf(storage.events.read(id), callId).text };
    },
  };
}

function resultOf(events: readonly StoredEvent[], callId: string): EventOf<'tool_result'> {
  const result = events.findLast((event) => event.type === 'tool_result' && event.id === callId);
  if (result?.type !== 'tool_result') throw new IpcError('unknown_call', 'This call has no result.');
  return result;
}

/** The texts the user sent, without those the page sent on its own. */
function textsOfPerson(events: readonly StoredEvent[]): readonly string[] {
  return events.flatMap((event) =>
    event.type === 'user_message' && event.isUnattended !== true ? event.content.map(({ text }) => text) : [],
  );
}

function lastEndOf(events: readonly StoredEvent[]): string | undefined {
  const end = events.findLast(({ type }) => type === 'turn_end');
  return end?.type === 'turn_end' ? end.stopReason : undefined;
}

/** A prompt that was written instead of chosen: a server that needs a sign-in lists none. */
function unchosenPrompt({ server }: PromptLine, { serversToSignIn }: Services): IpcError {
  if (serversToSignIn.includes(server))
    return new IpcError('not_signed_in', needsSignInText(server), { remedies: [signInRemedy(server)] });
  return new IpcError('unusable_command', `Type /${server}/ and choose the prompt in the list.`);
}

/** The text stays in the composer. */
function unknownCommand({ name, meant }: UnknownCall): IpcError {
  const probably = meant === undefined ? '' : ` Did you mean /${meant}?`;
  return new IpcError(
    'unknown_command',
    `There is no command or tool /${name}.${probably} Type / to see what there is. To send this as text, put a word before it.`,
  );
}

function unusableText(command: { readonly kind: string; readonly message?: string }): string {
  if (command.message !== undefined) return command.message;
  if (command.kind === 'undo') return 'In the window, press Undo on a call, or Undo this turn below the answer.';
  if (command.kind === 'review') return 'In the window, press Review changes above this field, if there are any.';
  if (command.kind === 'help')
    return 'Type / to see the commands and tools. Everything else is in Settings and the menu.';
  return 'This command is for the terminal. In the window, Settings and the menu do the same. To send text that begins with a slash, put another word first.';
}

const EXTENSIONS = { markdown: 'md', json: 'json' } as const;

/** Without characters that file systems reject. */
function fileNameFor(title: string, format: keyof typeof EXTENSIONS): string {
  return `${fileName(title, 80) || 'Conversation'}.${EXTENSIONS[format]}`;
}
