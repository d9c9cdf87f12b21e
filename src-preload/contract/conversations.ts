import { z } from 'zod';
import { MAX_MESSAGE_LENGTH, MAX_TEXT_BYTES } from './attached-text.ts';
import type { LogEvent } from './events.ts';
import { MAX_LISTED_CHANGES } from './file-changes.ts';
import { request } from './route.ts';
import { MAX_ATTACHMENTS, ServerPromptAttachment, ServerResourceAttachment } from './server-content.ts';
import type { UndoRefusal } from './undo-refusal.ts';

export const ConversationId = z.uuid();

export interface ConversationSummary {
  readonly id: string;
  readonly title: string;
  readonly workspace: string;
  /** The name that the window shows, such as `claude-sonnet-5-5` or `guide`. */
  readonly model: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** A turn is running in this process. */
  readonly isAnswering: boolean;
}

export interface TrashedConversation {
  readonly id: string;
  readonly title: string;
  /** ISO 8601. */
  readonly deletedAt: string;
  /** When it is deleted permanently (ISO 8601), unless it is restored. */
  readonly erasedFrom: string;
}

export interface SearchHit {
  readonly conversationId: string;
  readonly title: string;
  /** `[start, end)` in UTF-16 units of `title`. */
  readonly titleMatches: readonly (readonly [number, number])[];
  /** The newest message that matches, or null if only the title does. */
  readonly message: FoundMessage | null;
  /** How many messages match. */
  readonly messages: number;
  /** The time of the message, or of the conversation if only its title matches. ISO 8601. */
  readonly at: string;
}

export interface FoundMessage {
  readonly seq: number;
  readonly snippet: string;
  /** `[start, end)` in UTF-16 units of `snippet`. */
  readonly matches: readonly (readonly [number, number])[];
  /** What matches in it, as it is written there. */
  readonly spellings: readonly string[];
}

export interface UndoResult {
  /** Real paths of what was restored, or changed again by a redo: the first thousand. */
  readonly undone: readonly string[];
  /** How many files and folders these are. Absent if all are listed, and are files. */
  readonly counts?: UndoneCounts;
  readonly refused: readonly UndoRefusal[];
}

export interface UndoneCounts {
  readonly files: number;
  readonly folders: number;
}

/** A change of one file: a comparison of its lines, two pictures, or why neither can be shown. */
export type ShownChange =
  /** A unified diff without its header, as in `DiffCard`. */
  | { readonly kind: 'diff'; readonly patch: string }
  /** Data URLs; null where there was none. */
  | { readonly kind: 'picture'; readonly before: string | null; readonly after: string | null }
  | { readonly kind: 'none'; readonly note: string };

/**
 * What the user attached. `text` is added to the message unchanged; main extracts the text of a `.docx`, and reads an
 * MCP server's resources. Pictures, PDFs and recordings go to the model as they are.
 */
export const Attachment = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), name: z.string().max(255), text: z.string().max(MAX_TEXT_BYTES) }),
  z.object({
    kind: z.literal('image'),
    name: z.string().max(255),
    mediaType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
    /** Base64; 5 MB of bytes at most. */
    data: z.base64().max(7_000_000),
  }),
  z.object({ kind: z.literal('docx'), name: z.string().max(255), data: z.base64().max(28_000_000) }),
  /** A PDF, or a recording: MP3 or WAV. Main tells its type by its bytes; `MAX_MEDIA_BYTES`. */
  z.object({ kind: z.enum(['document', 'audio']), name: z.string().max(255), data: z.base64().max(28_000_000) }),
  ServerResourceAttachment,
  ServerPromptAttachment,
]);
export type Attachment = z.infer<typeof Attachment>;

export const conversations = {
  list: request(z.object({})).returns<readonly ConversationSummary[]>(),
  /** All events of one conversation, in order. */
  open: request(z.object({ id: ConversationId })).returns<{
    readonly conversation: ConversationSummary;
    readonly events: readonly LogEvent[];
  }>(),
  rename: request(
    z.object({ id: ConversationId, title: z.string().trim().min(1).max(200) }),
  ).returns<ConversationSummary>(),
  /** Moves it to the trash. */
  remove: request(z.object({ id: ConversationId })).returns<null>(),
  /** What was deleted last comes first. */
  trash: request(z.object({})).returns<readonly TrashedConversation[]>(),
  /**
   * Deletes a conversation permanently, in the trash or not. Main asks first, in a dialog of the system. `isErased` is
   * false if the user cancelled.
   */
  erase: request(z.object({ id: ConversationId })).returns<{ readonly isErased: boolean }>(),
  /**
   * Deletes everything in the trash permanently. `left` is how many conversations are in use and stay. The answer is
   * null if the user cancelled.
   */
  emptyTrash: request(z.object({})).returns<{ readonly left: number } | null>(),
  /** Moves it out of the trash. */
  restore: request(z.object({ id: ConversationId })).returns<ConversationSummary>(),
  search: request(z.object({ query: z.string().max(500) })).returns<readonly SearchHit[]>(),
  /** Asks where to save, then saves. The answer is null if the user cancelled the dialog. */
  export: request(z.object({ id: ConversationId, format: z.enum(['markdown', 'json']) })).returns<{
    readonly path: string;
  } | null>(),

  /** Starts a turn, which is reported by `turn` events. If `id` is null, it begins a new conversation. */
  send: request(
    z.object({
      id: ConversationId.nullable(),
      text: z.string().max(MAX_MESSAGE_LENGTH),
      attachments: z.array(Attachment).max(MAX_ATTACHMENTS).default([]),
    }),
  ).returns<{ readonly id: string }>(),
  /**
   * Answers the last message again. If `undoing` names a turn, its changes are undone first, after the same question as
   * `undo`; if nothing was undone, the message is not tried again.
   */
  retry: request(
    z.object({ id: ConversationId, undoing: z.string().max(200).optional() }),
  ).returns<UndoResult | null>(),
  /** Has the older messages summarised by the model now. Starts a turn. */
  compact: request(z.object({ id: ConversationId })).returns<null>(),
  /**
   * Repeats a call that lacked a folder or a sign-in, once the folder is granted or the user signed in. Starts a turn.
   */
  tryCallAgain: request(z.object({ id: ConversationId, callId: z.string().max(200) })).returns<null>(),
  stop: request(z.object({ id: ConversationId })).returns<null>(),
  /**
   * Restores the files that a call changed, or all calls of a turn (`callId` null), after the user has reviewed the
   * effect and agreed in the consent surface. The answer is null if they did not agree. The result is reported by an
   * `undo` event.
   */
  undo: request(
    z.object({
      id: ConversationId,
      turnId: z.string().max(200),
      callId: z.string().max(200).nullable(),
      /** Real paths: only these. Absent: all. */
      paths: z.array(z.string().max(4096)).max(MAX_LISTED_CHANGES).optional(),
      /** With `paths`: also where a file was changed since. The question shows the difference. */
      replacesOthers: z.literal(true).optional(),
    }),
  ).returns<UndoResult | null>(),
  /**
   * Makes the changes of a call again that were undone, or what was undone last (`callId` null), after the user has seen
   * the effect and agreed in the consent surface. The answer is null if they did not agree. The result is reported by a
   * `redo` event.
   */
  redo: request(z.object({ id: ConversationId, callId: z.string().max(200).nullable() })).returns<UndoResult | null>(),
  /** What a command changed in one file, as it was right before and right after it. */
  changeOf: request(
    z.object({ id: ConversationId, callId: z.string().max(200), path: z.string().max(4096) }),
  ).returns<ShownChange>(),
  /**
   * Opens an address in the browser or the mail program: http, https or mailto. Asks first if the address does not
   * appear in the conversation, or if only the model wrote it while private text is there. `null` even if it was not
   * opened.
   */
  openLink: request(z.object({ id: ConversationId.nullable(), url: z.string().max(4096) })).returns<null>(),
  /**
   * Stops programs that a call left running, or a shell in the background; `id` is the one on its card. Does nothing if
   * they have already ended.
   */
  stopLeftRunning: request(z.object({ id: z.uuid() })).returns<{ readonly isEnded: boolean }>(),
  /**
   * Shows every file that was changed after text from outside was read, in the consent surface, for review. `reviewed`
   * is the number of files that the user reviewed, and 0 if they declined.
   */
  review: request(z.object({})).returns<{ readonly reviewed: number }>(),
  /**
   * Shows the system's context menu for the file of a call, after a right click; main knows which file that is. Shows
   * nothing for a call without a file.
   */
  fileMenu: request(z.object({ id: ConversationId, callId: z.string().max(200) })).returns<null>(),
  /**
   * Saves a file from a call's result where the user wants it. `part` is its index among the result's parts. The answer
   * is null if the user cancelled the dialog.
   */
  saveFile: request(
    z.object({ id: ConversationId, callId: z.string().max(200), part: z.number().int().min(0).max(100_000) }),
  ).returns<{ readonly path: string } | null>(),
  /** The full result of a call, if the event contains only its start. */
  wholeResult: request(z.object({ id: ConversationId, callId: z.string().max(200) })).returns<{
    readonly text: string;
  }>(),
};
