import { exactJson } from '../../src-preload/contract/exact-json.ts';
import type { TerminalCard } from '../../src-preload/contract/tool-card.ts';

const MAX_LENGTH = 160;

/** An argument in full. Text is shown unquoted, without JSON escapes. */
export function argumentText(value: unknown): string {
  return typeof value === 'string' ? value : exactJson(value, 2);
}

/** Why a call failed, in one line. */
export function errorLine(text: string): string {
  const first = text.split('\n').find((each) => each.trim() !== '') ?? '';
  const line = first
    .replace(/^Error: /, '')
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH - 1)}…` : line;
}

/** `0.4 s`, `12 s`, `3 min 5 s`; empty for very short durations. */
export function durationText(ms: number): string {
  if (ms < 50) return '';
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** The command's output in a result or its end. What the tool added is shown in the card's header. */
export function printedText(text: string, { addedByTool = 0 }: TerminalCard): string {
  return text.slice(0, Math.max(0, text.length - addedByTool));
}
