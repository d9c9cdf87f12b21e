import { z } from 'zod';
import { errorMessage } from '../../base/errors.ts';
import { ToolFailure } from '../contract.ts';
import { JSON_TEXT } from '../registry/coercion.ts';

/** JSON as text; if a model passes the value itself, it arrives as text. */
export const jsonInput = z.string().meta({ contentMediaType: JSON_TEXT });

export const jsonRequired = { json: 'Error: json string is required' };

/** Runs `work`; its error becomes `Error: {doing}: {reason}`. */
export async function orReason<T>(doing: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new ToolFailure(`Error: ${doing}: ${errorMessage(error)}`, { cause: error });
  }
}
