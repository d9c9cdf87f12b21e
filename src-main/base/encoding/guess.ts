import { isAscii } from 'node:buffer';
import { JobThreads, workerUrl } from '../job-threads.ts';

/** Detection takes longer with more, and becomes hardly better. */
const SAMPLE_BYTES = 64 * 1024;

const threads = new JobThreads<Uint8Array, string>({
  entry: () => workerUrl('encoding-worker', import.meta.url),
  maxMemoryMb: 512,
  maxThreads: 1,
});

/**
 * The most likely encoding of a text that is not UTF-8, by its `sampleOf`; windows-1252 if nothing is likely. The
 * detector's tables take a tenth of a second to load and 90 MB, so they are in a thread that ends soon after.
 */
export async function guessedEncoding(sample: Uint8Array): Promise<string> {
  return threads.run(sample, { signal: new AbortController().signal, timeoutMs: 60_000 });
}

/** The first lines with characters beyond ASCII: the others say nothing about an encoding. */
export function sampleOf(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (text.length <= SAMPLE_BYTES) return text;
  const lines: Buffer[] = [];
  let left = SAMPLE_BYTES;
  for (let place = 0; place < text.length && left > 0; ) {
    const lineEnd = text.indexOf('\n', place);
    const end = Math.min(lineEnd === -1 ? text.length : lineEnd + 1, place + left);
    const line = text.subarray(place, end);
    if (!isAscii(line)) {
      lines.push(line);
      left -= line.length;
    }
    place = end;
  }
  return Buffer.concat(lines);
}
