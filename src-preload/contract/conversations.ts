import { z } from 'zod';
import { LONGEST_MESSAGE, MOST_TEXT_BYTES } from './attached-text.ts';
import type { LogEvent } from './events.ts';
import { request } from './route.ts';
import type { UndoRefusal } from './undo-refusal.ts';

export const ConversationId = z.uuid();

export interface ConversationSummary {
  readonly id: string;
  readonly title: string;
  readonly workspace: string;
  /** As it is shown: `claude-sonnet-5-5`, `guide`. */
  readonly model: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** A turn is running in this process. */
  readonly isAnswering: boolean;
}

export interface SearchHit {
  readonly conversationId: string;
  readonly title: string;
  readonly seq: number | null;
  readonly at: string;
  readonly snippet: string;
  /** `[start, end)` in UTF-16 units of `snippet`. */
  readonly matches: readonly (readonly [number, number])[];
}

/** What the person attached. `text` is put into the message as it is; a `.docx` is turned into text by main. */
export const Attachment = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), name: z.string().max(255), text: z.string().max(MOST_TEXT_BYTES) }),
  z.object({
    kind: z.literal('image'),
    name: z.string().max(255),
    mediaType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
    /** Base64; 5 MB of bytes at most. */
    data: z.base64().max(7_000_000),
  }),
  z.object({ kind: z.literal('docx'), name: z.string().max(255), data: z.base64().max(28_000_000) }),
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
  remove: request(z.object({ id: ConversationId })).returns<null>(),
  /** Takes back a removal. */
  restore: request(z.object({ id: ConversationId })).returns<ConversationSummary>(),
  search: request(z.object({ query: z.string().max(500) })).returns<readonly SearchHit[]>(),
  /** Asks where to save, then saves. `null`: the person closed the dialogue. */
  export: request(z.object({ id: ConversationId, format: z.enum(['markdown', 'json']) })).returns<{
    readonly path: string;
  } | null>(),

  /** Begins a turn; what happens comes as `turn` events. `id` null: a new conversation. */
  send: request(
    z.object({
      id: ConversationId.nullable(),
      text: z.string().max(LONGEST_MESSAGE),
      attachments: z.array(Attachment).max(20).default([]),
    }),
  ).returns<{ readonly id: string }>(),
  retry: request(z.object({ id: ConversationId })).returns<null>(),
  stop: request(z.object({ id: ConversationId })).returns<null>(),
  /**
   * Puts back the files that a call changed, or all calls of a turn (`callId` null), once the person has seen what that
   * changes and agreed in the consent surface. `null`: they did not. What was done comes as an `undo` event.
   */
  undo: request(
    z.object({ id: ConversationId, turnId: z.string().max(200), callId: z.string().max(200).nullable() }),
  ).returns<{
    readonly undone: readonly string[];
    readonly refused: readonly UndoRefusal[];
  } | null>(),
  /**
   * Opens an address in the browser or the mail program: http, https or mailto. One that does not stand in the conversation, or that
   * only the model wrote while private text is there, is asked about first; `null` where it was not opened, too.
   */
  openLink: request(z.object({ id: ConversationId.nullable(), url: z.string().max(4096) })).returns<null>(),
  /** Ends what a call left running, or a shell in the background. `id`: as its card has it. What has ended already is ended. */
  stopLeftRunning: request(z.object({ id: z.uuid() })).returns<{ readonly isEnded: boolean }>(),
  /**
   * Shows every file that was changed after text from outside was read, in the consent surface, and asks whether the person has
   * looked at it. `reviewed`: how many they have; 0: they have not.
   */
  review: request(z.object({})).returns<{ readonly reviewed: number }>(),
  /** The whole result of a call, where the event holds only its beginning. */
  wholeResult: request(z.object({ id: ConversationId, callId: z.string().max(200) })).returns<{
    readonly text: string;
  }>(),
};
