import { createParser } from 'eventsource-parser';
import { isRecord, parsedJson } from '../../base/json.ts';
import { ModelError } from '../provider.ts';
import { record } from './answer-fields.ts';
import { ReportedError } from './error-shape.ts';
import type { Service } from './service.ts';

export interface EventStreamOptions {
  readonly service: Service;
  /**
   * Turns an answer that was not streamed into the data of the events that it would have been streamed as. If there are
   * none, it is no answer of this API.
   */
  readonly eventsOf: (answer: unknown) => readonly unknown[];
}

/** What OpenAI and services of its format send after the last event. */
const LAST = '[DONE]';

/**
 * Yields the data of an answer's events, as they arrive. Some services and gateways don't stream, or fail before they
 * do, and answer with JSON; whatever the header says, an answer that begins as JSON is read as that. Throws
 * `ReportedError` for an error in the stream, `SyntaxError` for data that is not JSON. Source:
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export async function* answerEvents(
  { body }: Response,
  { service, eventsOf }: EventStreamOptions,
): AsyncGenerator<unknown> {
  if (body === null) return;
  let found: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => found.push(data) });
  const decoder = new TextDecoder();
  let first: string | undefined;
  const whole: string[] = [];
  for await (const bytes of body) {
    const text = decoder.decode(bytes, { stream: true });
    first ??= /\S/.exec(text)?.[0];
    if (first === '{' || first === '[') {
      whole.push(text);
      continue;
    }
    parser.feed(text);
    for (const data of found) if (!data.startsWith(LAST)) yield withoutError(JSON.parse(data));
    found = [];
  }
  if (whole.length > 0) return yield* wholeAnswer(whole.join(''), eventsOf, service);
  // Some services leave out the blank line after their last event, so it is added. If the connection ended in the
  // middle of an event, its data is no JSON; the error that the answer is incomplete says more about that.
  parser.feed(`${decoder.decode()}\n\n`);
  for (const data of found) {
    const parsed = parsedJson(data);
    if (parsed !== undefined) yield withoutError(parsed);
  }
}

function* wholeAnswer(text: string, eventsOf: EventStreamOptions['eventsOf'], service: Service): Generator<unknown> {
  const answer = parsedJson(text);
  // The JSON was cut off.
  if (answer === undefined) return;
  withoutError(Array.isArray(answer) ? answer[0] : answer);
  const events = eventsOf(answer);
  if (events.length === 0) throw notAnAnswer(service);
  yield* events;
}

/** Returns `data`, or throws the error that it reports, if it does. */
function withoutError(data: unknown): unknown {
  const { error } = record(data);
  if (typeof error === 'string' && error !== '') throw new ReportedError({ message: error });
  if (isRecord(error)) throw new ReportedError(error);
  return data;
}

function notAnAnswer({ host, vendor }: Service): ModelError {
  return new ModelError(
    'bad_answer',
    `${host} answered with JSON that is no answer of ${vendor.api}. Check the base URL.`,
  );
}
