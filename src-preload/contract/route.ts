import type { z } from 'zod';

/** The page that sends a request: the chat window is `app`; `consent` is the surface that the chat cannot reach. */
export type Surface = 'app' | 'consent';

/**
 * A request that a page may send: the schema for its input, which main parses, and the type of its answer, which exists
 * for the compiler only.
 */
export interface Route<Input extends z.ZodType = z.ZodType, Output = unknown> {
  readonly input: Input;
  readonly output?: Output;
}

/** One line per route: `request(schema).returns<Answer>()`. */
export function request<Input extends z.ZodType>(input: Input) {
  return { returns: <Output>(): Route<Input, Output> => ({ input }) };
}

export type InputOf<R> = R extends Route<infer Input, unknown> ? z.input<Input> : never;
export type ParsedInputOf<R> = R extends Route<infer Input, unknown> ? z.output<Input> : never;
export type OutputOf<R> = R extends Route<z.ZodType, infer Output> ? Output : never;
