import type { TurnView } from '../../conversation/turn.svelte.ts';

/**
 * What the user wrote in a conversation, oldest first, without attachments. The same text twice in a row counts once.
 */
export function sentTexts(turns: readonly TurnView[]): readonly string[] {
  const texts: string[] = [];
  for (const turn of turns) {
    const written = turn.message?.content[0]?.text;
    if (written !== undefined && written !== texts.at(-1)) texts.push(written);
  }
  return texts;
}
