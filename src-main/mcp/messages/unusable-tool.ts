import { checkBoundedValue } from '../../base/bounded-json.ts';
import { errorMessage } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { grouped, shortened, visible } from '../../base/text.ts';

const LONGEST_NAME = 256;
const LONGEST_SHOWN = 100;
/** Of a whole definition. Each round of each turn sends it to a model. */
const LONGEST = 256 * 1024;
const MOST_VALUES = 5_000;

/**
 * Why a tool is left out ("a tool that …"); `undefined` if it is not, or has no name: the SDK refuses that. People decide by the name, so it must
 * not hide, reorder or repaint text, or look like another one, wherever it is shown.
 */
export function faultOfTool(tool: unknown): string | undefined {
  const name = isRecord(tool) ? tool.name : undefined;
  if (typeof name !== 'string') return undefined;
  if (name.trim() === '') return 'has an empty name';
  const shown = visible(shortened(name, LONGEST_SHOWN));
  if (name.length > LONGEST_NAME) return `has a name of ${grouped(name.length)} characters: ${shown}`;
  if (visible(name) !== name) return `has invisible or control characters in its name: ${shown}`;
  // A page shows several spaces as one, and none at the ends.
  if (/^ | {2}| $/.test(name)) return `has spaces in its name that are not seen: “${shown}”`;
  try {
    checkBoundedValue(tool, MOST_VALUES);
  } catch (error) {
    return `has a definition that is ${errorMessage(error)}: ${shown}`;
  }
  const { length } = JSON.stringify(tool);
  return length > LONGEST ? `has a definition of ${grouped(length)} characters: ${shown}` : undefined;
}
