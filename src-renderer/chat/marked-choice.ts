/** Whether digits choose: not where the choices are digits themselves, and “2” could mean two of them. */
export function areNumbered(choices: readonly string[]): boolean {
  return !choices.some((choice) => /^\d$/.test(choice));
}

/** The digit of a choice; 0 is the tenth. */
export function digitOf(index: number): string {
  return String((index + 1) % 10);
}

/** Which choice a text in the message field marks: a digit alone, or the choice itself. */
export function markedChoice(choices: readonly string[], text: string): number | null {
  const index = choices.findIndex((choice, at) => text === choice || (areNumbered(choices) && text === digitOf(at)));
  return index === -1 ? null : index;
}
