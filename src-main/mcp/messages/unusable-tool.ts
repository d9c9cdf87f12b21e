import type { LeftOutReason } from '../../../src-preload/contract/left-out-tools.ts';
import { isNameOfEveryObject } from '../../../src-preload/contract/outside-names.ts';
import { checkBoundedValue } from '../../base/bounded-json.ts';
import { errorMessage } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { shortened, visible } from '../../base/text.ts';

const MAX_NAME_LENGTH = 256;
const MAX_SHOWN_LENGTH = 100;
/** Limit for a whole definition. Each round of each turn sends it to a model. */
const MAX_LENGTH = 256 * 1024;
const MAX_VALUES = 5_000;

/** A tool's name as it can be shown to people and logged; empty if it has none. */
export function shownToolName(tool: unknown): string {
  const name = isRecord(tool) ? tool.name : undefined;
  return typeof name === 'string' ? visible(shortened(name, MAX_SHOWN_LENGTH)) : '';
}

/**
 * Why a tool is left out; `undefined` if it is not, or has no name: the SDK refuses that. People decide by the name, so
 * it must not hide, reorder or repaint text, or look like another one, wherever it is shown.
 */
export function faultOfTool(tool: unknown): LeftOutReason | undefined {
  const name = isRecord(tool) ? tool.name : undefined;
  if (typeof name !== 'string') return undefined;
  if (name.trim() === '') return { code: 'empty_name' };
  if (name.length > MAX_NAME_LENGTH) return { code: 'long_name', characters: name.length };
  if (visible(name) !== name) return { code: 'unseen_characters' };
  if (isNameOfEveryObject(name)) return { code: 'object_name' };
  // A page shows several spaces as one, and none at the ends.
  if (/^ | {2}| $/.test(name)) return { code: 'unseen_spaces' };
  try {
    checkBoundedValue(tool, MAX_VALUES);
  } catch (error) {
    return { code: 'complex', reason: errorMessage(error) };
  }
  const { length } = JSON.stringify(tool);
  return length > MAX_LENGTH ? { code: 'large', characters: length } : undefined;
}
