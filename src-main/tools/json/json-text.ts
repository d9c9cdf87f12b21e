import { z } from 'zod';
import { JobFailure, JobThreads, workerUrl } from '../../base/job-threads.ts';
import { JSON_TEXT } from '../registry/coercion.ts';
import { doJsonWork, type JsonWork } from './json-work.ts';

/** JSON as text; if a model passes the value itself, it arrives as text. */
export const jsonInput = z.string().meta({ contentMediaType: JSON_TEXT });

export const jsonRequired = { json: 'Error: json string is required' };

/** Characters. The longest text takes a second; this part of it, less than a thread takes to start. */
const LARGE = 60_000;
const LIMIT_MS = 30_000;

const threads = new JobThreads<JsonWork, string>({
  entry: () => workerUrl('json-worker', import.meta.url),
  // The longest text, made of empty objects, takes a tenth of that.
  maxMemoryMb: 1024,
  maxThreads: 1,
});

/** Large texts are read in a thread of their own. Rejects with the signal's reason, or with an error that says why there is no result. */
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
