import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { grouped } from '../../../base/text.ts';

export interface ZipLimits {
  readonly maxEntries: number;
  /** The most bytes of a part when unpacked. */
  readonly maxPartBytes: number;
  /** The most bytes when unpacked, over all parts read; a part that is read twice counts twice. */
  readonly maxTotalBytes: number;
}

/**
 * The parts of a zip archive. Each is unpacked when it is read, and its output is counted meanwhile: the sizes declared
 * in the archive are believed only if they are larger.
 */
export class ZipParts {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #limits: ZipLimits;
  #totalBytes = 0;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>, limits: ZipLimits) {
    this.#zip = zip;
    this.#entries = entries;
    this.#limits = limits;
  }

  /** Rejects with an error that gives the reason. */
  static async open(bytes: Buffer, limits: ZipLimits): Promise<ZipParts> {
    const zip = await fromBufferPromise(bytes, { lazyEntries: true });
    if (zip.entryCount > limits.maxEntries) {
      const most = grouped(limits.maxEntries);
      throw new Error(`it has ${grouped(zip.entryCount)} parts, more than the ${most} that are read`);
    }
    const entries = new Map<string, Entry>();
    for await (const entry of zip.eachEntry()) {
      // Word shows one of them and other programs another, so the user may have seen different content.
      if (entries.has(entry.fileName)) throw new Error(`it has two parts named ${entry.fileName}`);
      entries.set(entry.fileName, entry);
    }
    return new ZipParts(zip, entries, limits);
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** Rejects with an error that gives the reason, also when a limit is exceeded. */
  async read(name: string): Promise<Buffer> {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw new Error(`it has no part named ${name}`);
    if (entry.isEncrypted()) throw new Error('it is protected with a password');
    this.#check(name, entry.uncompressedSize, this.#totalBytes + entry.uncompressedSize);
    const chunks: Buffer[] = [];
    let partBytes = 0;
    for await (const chunk of (await this.#zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
      partBytes += chunk.length;
      this.#totalBytes += chunk.length;
      this.#check(name, partBytes, this.#totalBytes);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, partBytes);
  }

  #check(name: string, partBytes: number, totalBytes: number): void {
    const { maxPartBytes, maxTotalBytes } = this.#limits;
    if (partBytes > maxPartBytes)
      throw new Error(`its part ${name} unpacks to more than the ${grouped(maxPartBytes)} bytes that can be read`);
    if (totalBytes > maxTotalBytes)
      throw new Error(`it unpacks to more than the ${grouped(maxTotalBytes)} bytes that can be read`);
  }
}
