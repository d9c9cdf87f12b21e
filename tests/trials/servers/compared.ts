import { isDeepStrictEqual } from 'node:util';

export interface Call {
  readonly tool: string;
  /** Numbers as `LosslessNumber`s. */
  readonly input: unknown;
}

export interface ChangedCall {
  readonly tool: string;
  readonly written: unknown;
  /** What arrived. Absent if nothing did. */
  readonly received?: unknown;
  /** What the model was told instead. */
  readonly answer?: string;
}

/**
 * The calls that did not arrive as they were written, each with what arrived instead. Calls of one tool may arrive in
 * any order; absent arguments are the same as none.
 */
export function changedCalls(written: readonly Call[], received: readonly Call[]): readonly ChangedCall[] {
  const left = received.map(({ tool, input }) => ({ tool, input: input ?? {} }));
  const take = (isIt: (call: Call) => boolean) => {
    const index = left.findIndex(isIt);
    return index === -1 ? undefined : left.splice(index, 1)[0];
  };
  const missing = written.filter(
    ({ tool, input }) => take((call) => call.tool === tool && isDeepStrictEqual(call.input, input)) === undefined,
  );
  return missing.map(({ tool, input }) => {
    const instead = take((call) => call.tool === tool);
    return { tool, written: input, ...(instead === undefined ? {} : { received: instead.input }) };
  });
}
