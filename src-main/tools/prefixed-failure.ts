import { errorMessage } from '../base/errors.ts';
import { ToolFailure } from './contract.ts';

/** Whatever goes wrong in `work` becomes a result that begins with `prefix`; what has its own text already keeps it. */
export async function withFailurePrefix<T>(prefix: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ToolFailure) throw error;
    throw new ToolFailure(`${prefix}${errorMessage(error)}`, { cause: error });
  }
}
