import { NO_OUTPUT } from '../../../src-preload/contract/events.ts';
import { firstCharacters, grouped } from '../../base/text.ts';

export interface ResultCap {
  readonly toolName: string;
  /** In UTF-16 code units; 0 means no cap. */
  readonly maxChars: number;
  /** The tool has its own documented cap; results are cut only once. */
  readonly hasOwnResultCap?: boolean;
}

/** A tool's result as given to the model: never empty, and cut with a notice if it is too long. */
export function resultForModel(text: string, { toolName, maxChars, hasOwnResultCap = false }: ResultCap): string {
  if (text === '') return NO_OUTPUT;
  if (hasOwnResultCap || maxChars <= 0 || text.length <= maxChars) return text;
  const shown = firstCharacters(text, maxChars);
  const counts = `Showing ${grouped(shown.length)} of ${grouped(text.length)} characters`;
  return `${shown}\n\n[OUTPUT TRUNCATED: ${counts} from ${toolName}]`;
}
