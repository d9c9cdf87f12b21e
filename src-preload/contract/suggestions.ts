/**
 * Messages that the window suggests before the first one. Main knows them, so that sending one counts as the user's own
 * message.
 */
export const GUIDE_SUGGESTIONS = {
  look: 'list the files here',
  find: 'search for TODO',
  act: 'what time is it',
} as const;

export const MODEL_SUGGESTIONS = {
  look: 'What is in this folder? Give me a short overview.',
  find: 'Search these files for open TODOs and tell me which matter most.',
  act: 'Read the README and write a checklist of what is missing into CHECKLIST.md.',
} as const;

/** What the button under an answer that reached a limit sends. */
export const CONTINUE = 'Continue';

/** Ends of a turn that this button follows: the answer, or the rounds with the model, reached their limit. */
export const CONTINUABLE: ReadonlySet<string> = new Set(['max_tokens', 'round_limit']);

export const SUGGESTIONS: readonly string[] = [
  ...Object.values(GUIDE_SUGGESTIONS),
  ...Object.values(MODEL_SUGGESTIONS),
];
