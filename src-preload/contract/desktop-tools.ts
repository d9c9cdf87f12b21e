import { z } from 'zod';
import { MAX_ANSWER_LENGTH } from './answer-length.ts';
import { request } from './route.ts';

/** What tools of the group `Desktop` show in the window. */

export const DESKTOP_TOOLS = [
  'show_message',
  'ask_user',
  'open_url',
  'open_path',
  'reveal_in_folder',
  'get_selection',
  'get_clipboard',
  'set_clipboard',
  'notify',
  'preview_file',
] as const;
export type DesktopTool = (typeof DESKTOP_TOOLS)[number];

/**
 * Whether this is the name of one of the window's own tools, in any case. No other tool may have such a name, or those
 * could not be offered.
 */
export function isNameOfDesktopTool(name: string): boolean {
  const lower = name.toLowerCase();
  return DESKTOP_TOOLS.some((tool) => tool === lower);
}

/** A question of the model to the user. It permits nothing: the answer is a tool's result. All texts are untrusted. */
export interface ModelQuestion {
  readonly id: string;
  readonly conversationId: string;
  readonly question: string;
  /** Offered; the user may always answer something else. */
  readonly choices: readonly string[];
}

export const MAX_QUESTION_LENGTH = 2_000;
export const MAX_CHOICES = 10;
export const MAX_CHOICE_LENGTH = 200;

/** A file that the model wants the user to see. */
export interface FilePreview {
  readonly conversationId: string;
  /** The path as the user knows it. */
  readonly path: string;
  readonly text: string;
  /** The text is only the beginning of the file. */
  readonly isCut: boolean;
}

const id = z.uuid();

/** `isOpen` is false if the question no longer waits. */
export const desktopTools = {
  /**
   * Needs a click or Enter, and another text than a choice must have been written: what the model is told must come
   * from the user.
   */
  answer: request(z.object({ id, answer: z.string().trim().min(1).max(MAX_ANSWER_LENGTH) })).returns<{
    readonly isOpen: boolean;
  }>(),
  /** The user does not want to answer. */
  dismiss: request(z.object({ id })).returns<{ readonly isOpen: boolean }>(),
};
