import type { ConversationSummary, conversations, UndoResult } from '../../src-preload/contract/conversations.ts';
import { type EventOf, type LiveEvent, NOTHING_NAMED, type StoredEvent } from '../../src-preload/contract/events.ts';
import type { AppEvents } from '../../src-preload/contract/index.ts';
import { needsSignInText, signInRemedy } from '../../src-preload/contract/remedies.ts';
import { calledCommand, parseCommand } from '../assistant/commands.ts';
import { titleOf } from '../assistant/conversation-title.ts';
import { isNameIn } from '../assistant/file-names.ts';
import { namedBy } from '../assistant/named-hosts.ts';
import { type PromptLine, promptLine } from '../assistant/prompt-line.ts';
import type { Notice } from '../assistant/turn.ts';
import type { UndoChoice } from '../assistant/undo/undo.ts';
import type { MessageConsent } from '../policy/message-consent.ts';
import type { Services, TurnRequest } from '../services.ts';
import type { Conversation } from '../storage/conversations/conversations.ts';
import { StorageError } from '../storage/database/storage-error.ts';
import { sentMessage } from './attachments.ts';
import { fileOfCall } from './call-file.ts';
import { runnable } from './command-answers.ts';
import type { Desktop } from './desktop-port.ts';
import { needGesture } from './gesture.ts';
import type { Handlers } from './handlers.ts';
import { IpcError } from './ipc-error.ts';
import type { LinkOpener } from './link-opener.ts';
import { MessageOrigins } from './message-origin.ts';
import { OneQuestion } from './one-question.ts';
import { fileInResult, fileName } from './result-file.ts';
import { saveText } from './save-text.ts';
import type { ServerContentRequests } from './server-content.ts';
import { shownEvent } from './shown-event.ts';
import { toolNotices } from './tool-notices.ts';
import { turnWithCallAgain } from './try-call-again.ts';
import type { Turns } from './turns.ts';

const SEARCH_RESULTS = 50;

/** For a message whose author is unknown: none of the user's rules apply to what it requests, and it names no hosts. */
const UNATTENDED_SOURCE = 'a message that was sent without a click or a key';
const UNATTENDED = {
  isUnattended: true,
  marks: [
    { kind: 'untrusted', source: UNATTENDED_SOURCE },
    { kind: 'private', source: UNATTENDED_SOURCE },
  ],
} as const;

export interface ConversationPorts {
  readonly services: Services;
  readonly turns: Turns;
  readonly desktop: Pick<
    Desktop,
    'chooseFileToSave' | 'session' | 'showFileMenu' | 'takeGesture' | 'takeMenuRequest' | 'takeSending' | 'writing'
  >;
  /** Asks about messages that main did not see a person write. */
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

  const begin = async (
    request: Omit<TurnRequest, 'model'>,
    notices: readonly Notice[],
  ): Promise<{ readonly id: string }> => {
    const turn = await services.startTurn({ ...request, model: undefined });
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

    restore: ({ id }) => changed(storage.conversations.restore(id)),

    search: async ({ query }) => {
      const hits = await storage.search(query, { limit: SEARCH_RESULTS });
      return hits.map(({ conversationId, title, seq, at, snippet }) => ({
        ...{ conversationId, title, seq, at },
        snippet: snippet.text,
        matches: snippet.matches,
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
      const command = attachments.length === 0 ? parseCommand(text) : ({ kind: 'message', text } as const);
      const turned = runnable(command, services, id === null ? null : existing(id).id, desktop);
      if (turned === undefined) throw new IpcError('unusable_command', unusableText(command));
      if (command.kind === 'tool') await needKnown(command, services, id === null ? null : existing(id).id);
      const prompt = promptLine(text, services.serverContents.servers);
      if (command.kind === 'message' && attachments.length === 0 && prompt !== undefined)
        throw unchosenPrompt(prompt, services);
      const conversation = id === null ? null : existing(id);
      if (conversation !== null) turns.refuseIfRunning(conversation.id);
      const sent = await sentMessage(command.kind === 'message' ? text : text.trim(), attachments, {
        signal: ports.signal,
        servers: {
          resource: (attached) => ports.content.resource(attached, id),
          prompt: (promptId) => ports.content.prompt(promptId),
        },
      });
      const sentBefore = () => (conversation === null ? [] : textsOfPerson(storage.events.read(conversation.id)));
      const lastEnd = () => (conversation === null ? undefined : lastEndOf(storage.events.read(conversation.id)));
      const origin = await origins.of({ text, message: sent, conversationId: id, sentBefore, lastEnd }, circumstances);
      const unattended = origin.by === 'nobody' ? UNATTENDED : undefined;
      const marks = [...(sent.marks ?? []), ...(unattended?.marks ?? [])];
      // Attachments name no hosts: the page says what they contain, and main did not see where they came from.
      const isFile = isNameIn(conversation?.workspace ?? services.workspace);
      const named =
        origin.by === 'person' ? namedBy({ typed: origin.typed, pasted: [origin.pasted], isFile }) : NOTHING_NAMED;
      const message = { ...sent, ...unattended, named, ...(marks.length === 0 ? {} : { marks }) };
      const notices = command.kind === 'tool' ? toolNotices(services.registry, command.name) : [];
      const title = titleFor(text, attachments);
      return begin({ command: turned, message, conversation, title }, notices);
    },

    retry: async ({ id, undoing }, circumstances) => {
      const conversation = existing(id);
      if (!storage.events.read(id).some((event) => event.type === 'user_message' && event.isCommand !== true))
        throw new IpcError('bad_input', 'conversations.retry: there is no message to try again.');
      needGesture(desktop, circumstances);
      const outcome = undoing === undefined ? null : await undo({ conversationId: id, turnId: undoing, callId: null });
      if (undoing !== undefined && (outcome?.undone.length ?? 0) === 0) return outcome;
      await begin(
        {
          command: { kind: 'retry' },
          message: { content: [], named: NOTHING_NAMED },
          conversation,
          title: '',
        },
        [],
      );
      return outcome;
    },

    compact: async ({ id }, circumstances) => {
      const conversation = existing(id);
      turns.refuseIfRunning(id);
      needGesture(desktop, circumstances);
      const message = { content: [], named: NOTHING_NAMED };
      await begin({ command: { kind: 'compact' }, message, conversation, title: '' }, []);
      return null;
    },

    tryCallAgain: async ({ id, callId }, circumstances) => {
      const conversation = existing(id);
      turns.refuseIfRunning(id);
      needGesture(desktop, circumstances);
      await begin(
        { ...(await turnWithCallAgain(storage.events.read(id), callId, services)), conversation, title: '' },
        [],
      );
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

function titleFor(text: string, attachments: readonly { readonly name: string }[]): string {
  return text.trim() === '' ? titleOf(attachments[0]?.name ?? '') : titleOf(text);
}

/** A prompt that was written instead of chosen: a server that needs a sign-in lists none. */
function unchosenPrompt({ server }: PromptLine, { serversToSignIn }: Services): IpcError {
  if (serversToSignIn.includes(server))
    return new IpcError('not_signed_in', needsSignInText(server), { remedies: [signInRemedy(server)] });
  return new IpcError('unusable_command', `Type /${server}/ and choose the prompt in the list.`);
}

/** Throws `IpcError` `unknown_command`. The text stays in the composer. */
async function needKnown(
  command: { readonly name: string },
  { registry, toolServicesOf, skills }: Services,
  conversationId: string | null,
): Promise<void> {
  const isSkill = await skills.isOffered(command.name);
  const isOwn = (name: string) =>
    isSkill || (conversationId !== null && toolServicesOf(conversationId).tools.get(name) !== undefined);
  const called = calledCommand(command, registry, isOwn);
  if (called.kind === 'known') return;
  const meant = called.meant === undefined ? '' : ` Did you mean /${called.meant}?`;
  throw new IpcError(
    'unknown_command',
    `There is no command or tool /${called.name}.${meant} Type / to see what there is. To send this as text, put a word before it.`,
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
