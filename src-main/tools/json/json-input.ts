import { z } from 'zod';
import { ToolFailure } from '../contract.ts';
import { errorMessage } from '../error-message.ts';

/** JSON as text. Values that are not text are taken as they are: the model has then parsed it already. */
export const jsonInput = z.unknown().meta({
  anyOf: [
    { type: 'string' },
    { type: 'object' },
    { type: 'array', items: {} },
    { type: 'number' },
    { type: 'boolean' },
  ],
});

export const jsonRequired = { json: 'Error: json string is required' };

/** Runs `work`; its error becomes `Error: {doing}: {reason}`. */
export async function orReason<T>(doing: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new ToolFailure(`Error: ${doing}: ${errorMessage(error)}`, { cause: error });
  }
}
