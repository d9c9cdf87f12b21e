import type { TerminalCard } from '../../src-preload/contract/tool-card.ts';

const LONGEST = 160;

/** An argument in full. Text stands as it is, without the quotes and escapes of JSON. */
export function argumentText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** Why a call came to nothing, in one line. */
export function errorLine(text: string): string {
  const first = text.split('\n').find((each) => each.trim() !== '') ?? '';
  const line = first
    .replace(/^Error: /, '')
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}

/** `0.4 s`, `12 s`, `3 min 5 s`; empty for what is over at once. */
export function durationText(ms: number): string {
  if (ms < 50) return '';
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** What a command printed, of a result or its end. What the tool added to that stands in the head of the card. */
export function printedText(text: string, { addedByTool = 0 }: TerminalCard): string {
  return text.slice(0, Math.max(0, text.length - addedByTool));
}
