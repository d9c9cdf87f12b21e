import { z } from 'zod';
import { parseBoundedJson } from '../../base/bounded-json.ts';
import { errorMessage } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { shortened } from '../../base/text.ts';
import { ClientRegistrationError } from '../conversation-clients.ts';
import { type ClientRequest, ClientResponse, orDefault, RunInput } from '../records.ts';
import { MAX_LINE_BYTES } from './line-reader.ts';

/** The messages of the wire, one JSON object per line. Source: tool catalogue D.9. */

/** The first line over the socket. `name` is what the program calls itself. */
export const Hello = z.object({
  type: z.literal('hello'),
  name: z.string(),
  version: orDefault(z.string().max(100), () => ''),
  token: z.string().max(200).nullish(),
});
export type Hello = z.infer<typeof Hello>;

export const RunInputMessage = RunInput.extend({
  type: z.literal('run_input'),
  /** The value `current`, or the id of a conversation. It is used only over the socket. */
  conversation: z.string().max(200).nullish(),
});
export type RunInputMessage = z.infer<typeof RunInputMessage>;

export const ClientResponseMessage = ClientResponse.extend({ type: z.literal('client_response') });
export type ClientResponseMessage = z.infer<typeof ClientResponseMessage>;

const FromClient = z.discriminatedUnion('type', [Hello, RunInputMessage, ClientResponseMessage]);
export type FromClient = z.infer<typeof FromClient>;

export type ToClient =
  /** `conversationId` tells whose call it is. */
  | ({ readonly type: 'client_request'; readonly conversationId: string } & ClientRequest)
  | { readonly type: 'client_cancel'; readonly requestId: string }
  | { readonly type: 'run_accepted'; readonly conversationId: string; readonly groups: readonly string[] }
  /** The window shows another conversation; what the client brought to the current one follows. */
  | { readonly type: 'current_conversation'; readonly conversationId: string }
  | { readonly type: 'client_error'; readonly code: ClientErrorCode; readonly message: string };

/** What a program may be told before it may bring tools. */
export type ToProgram =
  | ToClient
  | { readonly type: 'welcome'; readonly token: string }
  | {
      readonly type: 'refused';
      readonly code: RefusalCode;
      readonly message: string;
      readonly retryAfterSeconds?: number;
    };

export type ClientErrorCode =
  /** A line that is no message. */
  | 'bad_line'
  | 'registration_failed'
  | 'no_conversation'
  /** These end the connection. */
  | 'line_too_long'
  | 'too_many_lines'
  | 'too_many_bad_lines'
  | 'hello_expected'
  | 'too_many_connections'
  | 'revoked'
  | 'closing';

export type RefusalCode = 'declined' | 'busy' | 'paused' | 'bad_name';

export type ParsedLine =
  | { readonly kind: 'message'; readonly message: FromClient }
  | { readonly kind: 'faulty'; readonly code: 'bad_line' | 'registration_failed'; readonly reason: string };

/** Reads a line of a client. Never throws. */
export function parseClientLine(line: string): ParsedLine {
  let value: unknown;
  try {
    value = parseBoundedJson(line, MAX_LINE_BYTES);
  } catch (error) {
    return { kind: 'faulty', code: 'bad_line', reason: `This line isn’t valid JSON: ${said(error)}.` };
  }
  const parsed = FromClient.safeParse(value);
  if (parsed.success) return { kind: 'message', message: parsed.data };
  const { type } = TypeOnly.safeParse(value).data ?? {};
  if (type === undefined) return bad('A line is a JSON object with a type: hello, run_input or client_response.');
  if (!TYPES.has(type))
    return bad(`The type ${shownValue(type)} is unknown. A client sends hello, run_input or client_response.`);
  if (type === 'run_input')
    return { kind: 'faulty', code: 'registration_failed', reason: runInputFault(value, parsed.error) };
  return bad(`${type}: ${issueText(parsed.error)}.`);
}

/** With `fault`, a group is invalid. */
export type ParsedRunInput =
  | { readonly input: RunInput }
  | { readonly reason: string; readonly fault?: ClientRegistrationError };

/** Reads the content of `--run-input FILE`. Never throws. */
export function parseRunInput(text: string): ParsedRunInput {
  let value: unknown;
  try {
    value = parseBoundedJson(text, MAX_LINE_BYTES);
  } catch (error) {
    return { reason: `It isn’t valid JSON: ${said(error)}.` };
  }
  const unknown = unknownFields(value);
  if (unknown.length > 0)
    return {
      reason: `It has no known field, only ${shownValue(unknown.join(', '))}. Known are ${[...RUN_INPUT_FIELDS].join(', ')}.`,
    };
  const parsed = RunInput.safeParse(value);
  if (parsed.success) return { input: parsed.data };
  const fault = groupFault(value, parsed.error);
  return fault === undefined ? { reason: `${issueText(parsed.error)}.` } : { reason: fault.message, fault };
}

const RUN_INPUT_FIELDS: ReadonlySet<string> = new Set(Object.keys(RunInput.shape));

/** Fields of an input that has no others: it means something else. One among known fields may be of a newer version. */
function unknownFields(value: unknown): readonly string[] {
  const fields = isRecord(value) ? Object.keys(value).filter((field) => field !== 'type') : [];
  return fields.some((field) => RUN_INPUT_FIELDS.has(field)) ? [] : fields;
}

const TypeOnly = z.looseObject({ type: z.string().optional() });
const TYPES: ReadonlySet<string> = new Set(['hello', 'run_input', 'client_response']);
const GroupNames = z.looseObject({ clientToolGroups: z.array(z.unknown()).optional() });
const Named = z.looseObject({ name: z.string() });
const MAX_SHOWN_LENGTH = 100;

function bad(reason: string): ParsedLine {
  return { kind: 'faulty', code: 'bad_line', reason };
}

function runInputFault(value: unknown, error: z.ZodError): string {
  return groupFault(value, error)?.message ?? `run_input: ${issueText(error)}.`;
}

/** The fault of a group, or undefined if the fault is elsewhere. */
function groupFault(value: unknown, error: z.ZodError): ClientRegistrationError | undefined {
  const [first] = error.issues;
  const [key, index, ...rest] = first?.path ?? [];
  if (first === undefined || key !== 'clientToolGroups' || typeof index !== 'number') return undefined;
  const name = Named.safeParse(GroupNames.safeParse(value).data?.clientToolGroups?.[index]).data?.name;
  const where = rest.length === 0 ? '' : `${pathText(rest)}: `;
  const shown = shortened(name ?? `group ${index + 1}`, MAX_SHOWN_LENGTH);
  return new ClientRegistrationError(shown, `${where}${first.message}`);
}

function issueText(error: z.ZodError): string {
  const [first] = error.issues;
  if (first === undefined) return 'it is not as expected';
  return first.path.length === 0 ? first.message : `${pathText(first.path)}: ${first.message}`;
}

function pathText(path: readonly PropertyKey[]): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return shortened(text.replace(/^\./, ''), MAX_SHOWN_LENGTH);
}

function shownValue(value: string): string {
  return JSON.stringify(shortened(value, MAX_SHOWN_LENGTH));
}

/** V8 quotes a piece of the text in its message, so the message is shortened. */
function said(error: unknown): string {
  return shortened(errorMessage(error), 2 * MAX_SHOWN_LENGTH);
}
