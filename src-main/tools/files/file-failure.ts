import { fileErrorText, isMissing } from '../../base/file-problem.ts';
import { AccessDenied } from '../../policy/roots.ts';
import { ToolFailure } from '../contract.ts';
import { NothingThere } from '../unreached.ts';

/** Runs an action on a file; an error becomes `{prefix}{what happened}` with the path as given. */
export async function orFailure<T>(prefix: string, given: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof AccessDenied || error instanceof ToolFailure) throw error;
    const cause = isMissing(error) ? new NothingThere(error) : error;
    throw new ToolFailure(`${prefix}${fileErrorText(error, given)}`, { cause });
  }
}
