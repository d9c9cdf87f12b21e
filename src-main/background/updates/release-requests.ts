import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { errorMessage, systemCode } from '../../base/errors.ts';
import { type HttpClient, type HttpContext, HttpFailure } from '../../network/http.ts';
import { parseRelease, type Release, type ReleaseFile } from './release.ts';
import type { ReleaseFeed } from './release-feed.ts';
import { UpdateProblem } from './update-problem.ts';

const MAX_ANNOUNCEMENT_BYTES = 64_000;
const ANNOUNCEMENT_WITHIN_MS = 20_000;
/** The longest time without any byte. */
const SILENT_FOR_MS = 60_000;

/** The system whose release is asked for, as Node names it. */
export interface ReleasePlace {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
}

/**
 * Resolves with the newest release. The request says nothing but which file it wants: no version, no identifier, no
 * cookie. Rejects with `UpdateProblem`, or with the signal's reason.
 */
export async function latestRelease(
  http: HttpClient,
  feed: ReleaseFeed,
  { platform, arch }: ReleasePlace,
  signal: AbortSignal,
): Promise<Release> {
  const limits = { maxBytes: MAX_ANNOUNCEMENT_BYTES, timeoutMs: ANNOUNCEMENT_WITHIN_MS };
  const url = feed.latestUrl(platform, arch);
  const { status, body } = await http
    .request({ url, ...limits }, contextFor(http, feed, url, signal))
    .catch((error: unknown) => fail(error, signal));
  needSuccess(status);
  return parseRelease(body.toString('utf8'));
}

/**
 * Receives a file of a release into a new file, and makes sure that it is the announced one. Rejects as `latestRelease`
 * does.
 */
export async function receiveFile(
  http: HttpClient,
  feed: ReleaseFeed,
  { version, file, into }: { readonly version: string; readonly file: ReleaseFile; readonly into: string },
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (received: number) => void },
): Promise<void> {
  const silence = new Silence(SILENT_FOR_MS);
  const eitherSignal = AbortSignal.any([signal, silence.signal]);
  const hash = createHash('sha512');
  let received = 0;
  try {
    const url = feed.fileUrl(version, file.name);
    const { status, body } = await http.open({ url }, contextFor(http, feed, url, eitherSignal));
    needSuccess(status);
    const counted = async function* () {
      for await (const bytes of body) {
        silence.broken();
        received += bytes.length;
        if (received > file.bytes) throw new UpdateProblem('wrong_file', 'it is larger');
        hash.update(bytes);
        onProgress(received);
        yield bytes;
      }
    };
    await pipeline(counted, createWriteStream(into, { flags: 'wx', mode: 0o600 }), { signal: eitherSignal });
  } catch (error) {
    signal.throwIfAborted();
    if (silence.signal.aborted) throw new UpdateProblem('no_answer', 'it stopped sending', { cause: error });
    fail(error, signal);
  } finally {
    silence.end();
  }
  if (received < file.bytes) throw new UpdateProblem('wrong_file', 'it is smaller');
  if (hash.digest('base64') !== file.sha512) throw new UpdateProblem('wrong_file', 'its SHA-512 differs');
}

function contextFor(http: HttpClient, feed: ReleaseFeed, url: string, signal: AbortSignal): HttpContext {
  return {
    signal,
    authorized: [http.access(url, 'GET')],
    allowAccess: async (access) => {
      if (!feed.allows(access)) throw new UpdateProblem('elsewhere', access.host);
    },
  };
}

function needSuccess(status: number): void {
  if (status === 404) throw new UpdateProblem('no_release');
  if (status !== 200) throw new UpdateProblem('refused', `status ${status}`);
}

function fail(error: unknown, signal: AbortSignal): never {
  signal.throwIfAborted();
  if (error instanceof UpdateProblem) throw error;
  if (error instanceof HttpFailure) {
    const isContent = error.code === 'too_large' || error.code === 'too_many_redirects' || error.code === 'scheme';
    const code = isContent ? 'unusable' : error.code === 'timed_out' ? 'no_answer' : 'unreachable';
    throw new UpdateProblem(code, error.message, { cause: error });
  }
  if (/^(?:ENOSPC|EDQUOT|EACCES|EPERM|EROFS|EEXIST|ENOENT|EIO|EFBIG)$/.test(systemCode(error)))
    throw new UpdateProblem('not_stored', errorMessage(error), { cause: error });
  throw new UpdateProblem('unreachable', errorMessage(error), { cause: error });
}

/** Aborts a request when nothing has been received for a while. */
class Silence {
  readonly #ending = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(ms: number) {
    this.#timer = setTimeout(() => this.#ending.abort(), ms);
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  broken(): void {
    this.#timer.refresh();
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
