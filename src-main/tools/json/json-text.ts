import { z } from 'zod';
import { JobFailure, JobThreads, workerUrl } from '../../base/job-threads.ts';
import { JSON_TEXT } from '../registry/coercion.ts';
import { doJsonWork, type JsonWork } from './json-work.ts';

/** JSON as text; if a model passes the value itself, it is converted to text. */
export const jsonInput = z.string().meta({ contentMediaType: JSON_TEXT });

export const jsonRequired = { json: 'Error: json string is required' };

/** In characters. The longest text takes a second; a text of this length takes less time than starting a thread. */
const LARGE = 60_000;
const LIMIT_MS = 30_000;

const threads = new JobThreads<JsonWork, string>({
  entry: () => workerUrl('json-worker', import.meta.url),
  // The longest text, if it consists of empty objects, needs a tenth of that.
  maxMemoryMb: 1024,
  maxThreads: 1,
});

/** Large texts are read in a thread. Rejects with the signal's reason, or with an error that gives the reason. */
export async function jsonText(work: JsonWork, signal: AbortSignal): Promise<string> {
  if (work.json.length < LARGE) return doJsonWork(work);
  try {
    return await threads.run(work, { signal, timeoutMs: LIMIT_MS });
  } catch (error) {
    if (error instanceof JobFailure && error.code === 'timed-out')
      throw new Error('it takes too long', { cause: error });
    throw error;
  }
}
