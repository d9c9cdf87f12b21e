import type { z } from 'zod';
import type { Remedy } from './remedies.ts';

/** The page that sends a request. `app`: the chat window. `consent`: the surface that the chat cannot reach. */
export type Surface = 'app' | 'consent';

/**
 * A request that a page may send: the schema for its input, which main parses, and the type of its answer, which exists for the compiler only.
 */
export interface Route<Input extends z.ZodType = z.ZodType, Output = unknown> {
  readonly input: Input;
  readonly output?: Output;
}

/** `request(schema).returns<Answer>()`: one line per route. */
export function request<Input extends z.ZodType>(input: Input) {
  return { returns: <Output>(): Route<Input, Output> => ({ input }) };
}

export type InputOf<R> = R extends Route<infer Input, unknown> ? z.input<Input> : never;
export type ParsedInputOf<R> = R extends Route<infer Input, unknown> ? z.output<Input> : never;
export type OutputOf<R> = R extends Route<z.ZodType, infer Output> ? Output : never;

/** Why a request was refused or failed. `code` is a constant for programs, `message` a sentence for people. */
export interface RequestError {
  readonly code: string;
  readonly message: string;
  /** Where a person can fix it; absent: nowhere in particular. */
  readonly remedies?: readonly Remedy[];
}

/** Every answer. */
export type Envelope<T> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly error: RequestError };
