/** Characters of a tool's description that every service takes; OpenAI's take no more. */
export const DESCRIPTION_TAKEN_EVERYWHERE = 1_024;

/** The icons that a call's card can have. The renderer draws each with its icon of this name. */
export type ToolIcon =
  | 'braces'
  | 'brain'
  | 'briefcase'
  | 'calendar'
  | 'chart-column'
  | 'clock'
  | 'file-text'
  | 'folder-tree'
  | 'globe'
  | 'list-todo'
  | 'mail'
  | 'message-square'
  | 'pencil-line'
  | 'plug'
  | 'search'
  | 'sparkles'
  | 'terminal'
  | 'wrench';

/**
 * What a card says about one call, in its tool's own words. Made once, when the call is announced, so that they remain
 * when the tool is gone. `about` and `command` are untrusted content.
 */
export interface CallWords {
  /** What the call does: `Read file`. */
  readonly title: string;
  /** What it did, once it is done: `Read`. */
  readonly done: string;
  /** What it is about, in one short line; may be empty. */
  readonly about: string;
  readonly icon: ToolIcon;
  /** The command it runs, as one would type it; its output is shown as a terminal. It is truncated if very long. */
  readonly command?: string;
}
