/** What stands for an empty result; the tool's own value stays empty. Source: tool catalogue A.8. */
export const NO_OUTPUT = '(no output)';

export const DEFAULT_MAX_RESULT_CHARS = 40_000;

export interface ResultCap {
  readonly toolName: string;
  /** UTF-16 code units; 0 = no cap. */
  readonly maxChars: number;
  /** The tool has its own documented cap: results are cut in one place only. */
  readonly hasOwnResultCap?: boolean;
}

/** A tool's result as the model is given it: never empty, cut with a notice when it is too long. */
export function resultForModel(text: string, { toolName, maxChars, hasOwnResultCap = false }: ResultCap): string {
  if (text === '') return NO_OUTPUT;
  if (hasOwnResultCap || maxChars <= 0 || text.length <= maxChars) return text;
  const shown = firstCharacters(text, maxChars);
  const counts = `Showing ${grouped(shown.length)} of ${grouped(text.length)} characters`;
  return `${shown}\n\n[OUTPUT TRUNCATED: ${counts} from ${toolName}]`;
}

/** At most `count` UTF-16 code units from the start; a surrogate pair is never split. */
export function firstCharacters(text: string, count: number): string {
  if (text.length <= count) return text;
  const last = text.charCodeAt(count - 1);
  const next = text.charCodeAt(count);
  const splitsPair = last >= 0xd800 && last <= 0xdbff && next >= 0xdc00 && next <= 0xdfff;
  return text.slice(0, splitsPair ? count - 1 : count);
}

/** `85000` → `85,000`, whatever the locale. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
