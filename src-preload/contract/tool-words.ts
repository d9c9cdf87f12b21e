/** The pictures that a call's card can have. The renderer draws each with the icon of this name in its set. */
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
  | 'pencil-line'
  | 'plug'
  | 'search'
  | 'sparkles'
  | 'terminal'
  | 'wrench';

/**
 * What a card says of one call, in the words that its tool brings. Made once, when the call is announced, so that they hold
 * when the tool is gone. What is in `about` and `command` is untrusted content.
 */
export interface CallWords {
  /** What the call does: `Read file`. */
  readonly title: string;
  /** What it did, once it has: `Read`. */
  readonly done: string;
  /** What about, in one short line; empty where there is nothing to say. */
  readonly about: string;
  readonly icon: ToolIcon;
  /** The command that it runs, as it would be typed: what it prints belongs into a terminal. Cut where it is very long. */
  readonly command?: string;
}
