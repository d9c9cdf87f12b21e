import { createHash } from 'node:crypto';
import { constants, lstatSync, type Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { lstat } from 'node:fs/promises';
import { extname } from 'node:path';
import { codecOf } from '../../base/encoding/codec.ts';
import { looksBinary } from '../../base/encoding/first-signs.ts';
import { UTF_8 } from '../../base/encoding/text-encoding.ts';
import { FileProblem, isMissing } from '../../base/file-problem.ts';
import { grouped } from '../../base/text.ts';
import type { FileAccess } from '../../policy/access.ts';
import { DiffPreview } from '../../policy/diff-preview.ts';
import { isSecretFile } from '../../policy/secret-files.ts';
import { writeAtomically } from './atomic-write.ts';
import { type ChangeRecorder, missingFolders, recorded, sha256 } from './change-recorder.ts';
import { docxText, type Reading } from './docx/docx-text.ts';
import { edited } from './edit-threads.ts';
import { requireWordDocument } from './not-text.ts';
import { orPutBack } from './overwrite.ts';
import { type Place, requireSamePlace } from './place.ts';
import {
  encodingOfLarge,
  type LineRange,
  MAX_READ_BYTES,
  readAllBytes,
  readFileText,
  selectLines,
} from './read-text.ts';
import { type OpenFile, openRegularFile } from './regular-file.ts';
import { bytesReplacing, encodedFor, StoredText } from './stored-text.ts';
import type { TextEdit } from './text-edit.ts';

export interface WorkspaceFileOptions {
  readonly given: string;
  readonly absolute: string;
  readonly real: string;
  readonly outsideRoots: boolean;
  readonly place: Place;
  /** Saves the originals of changed files. */
  readonly recorder: ChangeRecorder;
}

/** ASCII without the characters with which some encodings switch to another set. */
const IN_EVERY_ENCODING = /^[\t\n\r -~]*$/;

/** The text of a file, and the encoding it is stored in; a Word document has none. */
export interface FileText {
  readonly text: string;
  readonly encoding?: string;
}

/** The state of a file before a change, and the result of the change. */
export interface PlannedChange {
  readonly beforeImage: string;
  readonly preview: DiffPreview;
  /** The encoding that the file keeps. */
  readonly encoding: string;
}

/** A change whose bytes are known. */
export interface PlannedText extends PlannedChange {
  /** The bytes to be written, or to be added. */
  readonly bytes: Uint8Array;
}

/** Text to be replaced in a file. */
export interface PlannedEdit extends PlannedChange {
  readonly edit: TextEdit;
  readonly replaced: number;
  /** The number of occurrences that would remain. */
  readonly left: number;
}

/** Used in place of a hash if there is no file. */
const NO_FILE = 'no file';

/** Extensions of Word documents, with and without macros, and of templates. */
const WORD_DOCUMENTS = new Set(['.docx', '.docm', '.dotx', '.dotm']);

/** Larger texts are not compared line by line. */
const MAX_COMPARED_BYTES = 1024 * 1024;

/** One file inside the roots (or one that the user is asked about), whether or not it exists. */
export class WorkspaceFile {
  readonly given: string;
  /** The path, lexically resolved. */
  readonly absolute: string;
  readonly real: string;
  readonly outsideRoots: boolean;
  readonly #place: Place;
  readonly #recorder: ChangeRecorder;

  constructor({ given, absolute, real, outsideRoots, place, recorder }: WorkspaceFileOptions) {
    this.given = given;
    this.absolute = absolute;
    this.real = real;
    this.outsideRoots = outsideRoots;
    this.#place = place;
    this.#recorder = recorder;
  }

  access(kind: 'read' | 'write'): FileAccess {
    return {
      class: kind,
      kind: 'file',
      path: this.real,
      outsideRoots: this.outsideRoots,
      ...(this.isSecret() ? { isSecret: true } : {}),
      ...(kind === 'write' && this.#hasOtherNames() ? { hasOtherNames: true } : {}),
    };
  }

  /**
   * The accesses of storing a text in this existing file. Whether its encoding has the text would tell what a secret
   * file holds, so only text that every encoding has is no reading of it.
   */
  accessToStore(text: string): readonly FileAccess[] {
    const tellsEncoding = this.isSecret() && !IN_EVERY_ENCODING.test(text);
    return [...(tellsEncoding ? [this.access('read')] : []), this.access('write')];
  }

  /** Whether the file exists, and usually holds secrets. */
  isSecret(): boolean {
    return isSecretFile(this.real, this.absolute);
  }

  /** Whether the file has hard links. They may lie outside the roots, or in a folder whose files run. */
  #hasOtherNames(): boolean {
    try {
      const stats = lstatSync(this.real, { throwIfNoEntry: false });
      return stats?.isFile() === true && stats.nlink > 1;
    } catch {
      // The place does not exist, or can't be looked at. What is done there then fails with the reason.
      return false;
    }
  }

  async exists(): Promise<boolean> {
    return lstat(this.real).then(
      () => true,
      () => false,
    );
  }

  /**
   * Reads the stored text without its byte order mark; for a Word document, its paragraphs. Throws `FileProblem` or a
   * system error.
   */
  async readText(lines: LineRange, { signal, onProgress }: Reading): Promise<FileText> {
    await requireSamePlace(this.#place, 'read');
    const file = await openRegularFile(this.real, constants.O_RDONLY);
    try {
      if (WORD_DOCUMENTS.has(extname(this.real).toLowerCase())) {
        const bytes = await readAllBytes(file, signal);
        requireWordDocument(bytes);
        return { text: selectLines(await docxText(bytes, { signal, onProgress }), lines) };
      }
      const { text, encoding } = await readFileText(file, lines, signal);
      return { text, encoding: encoding.name };
    } finally {
      await file.handle.close();
    }
  }

  /** Replaces the whole content in one step, unless the file has changed since it was planned. */
  async write(
    { bytes, beforeImage }: Pick<PlannedText, 'bytes' | 'beforeImage'>,
    { createDirectories, signal }: { readonly createDirectories: boolean; readonly signal: AbortSignal },
  ): Promise<void> {
    await this.#replace(bytes, createDirectories, async () => {
      if ((await this.#hash(signal)) !== beforeImage) throw changedMeanwhile();
    });
  }

  /**
   * Plans what replacing text would change; all other bytes are preserved. Resolves with `null` if the text is not in
   * the file.
   */
  async planEdit(edit: TextEdit, signal: AbortSignal): Promise<PlannedEdit | null> {
    const { bytes } = await this.#bytesToEdit(signal);
    const stored = await StoredText.of(bytes);
    const done = await edited(
      { bytes, encoding: stored.encoding, edit, wantsBytes: bytes.length <= MAX_COMPARED_BYTES },
      signal,
    );
    if (done === null) return null;
    const { replaced, left, size, bytes: after } = done;
    const tooLong = Math.max(bytes.length, size) > MAX_COMPARED_BYTES;
    const isCompared = after !== undefined && !tooLong && !looksBinary(bytes);
    const note = `The file has ${grouped(bytes.length)} bytes${tooLong ? '' : ' and is not text'}: only what is replaced is shown, which is ${grouped(replaced)} place(s).`;
    const preview = new DiffPreview({
      path: this.real,
      before: isCompared ? stored.text : edit.find,
      after: isCompared ? stored.codec.decode(after.subarray(stored.mark.length)) : edit.replacement,
      note: isCompared ? undefined : note,
    });
    return { edit, replaced, left, preview, beforeImage: sha256(bytes), encoding: stored.encoding.name };
  }

  /**
   * Makes the planned edit on the file it was planned for. Its new bytes, which may be many, are not kept while the
   * user is being asked; the same old bytes give the same edit.
   */
  async edit({ edit, beforeImage }: PlannedEdit, signal: AbortSignal): Promise<void> {
    const { bytes, stats } = await this.#bytesToEdit(signal);
    if (sha256(bytes) !== beforeImage) throw changedMeanwhile();
    const { encoding } = await StoredText.of(bytes);
    const done = await edited({ bytes, encoding, edit, wantsBytes: true }, signal);
    if (done?.bytes === undefined) throw changedMeanwhile();
    await this.#replace(done.bytes, false, async () => {
      const now = await lstat(this.real);
      if (now.mtimeMs !== stats.mtimeMs || now.size !== stats.size || now.ino !== stats.ino) throw changedMeanwhile();
    });
  }

  async #bytesToEdit(signal: AbortSignal): Promise<{ bytes: Buffer; stats: Stats }> {
    const { handle, stats } = await openRegularFile(this.real, constants.O_RDONLY);
    try {
      if (stats.size > MAX_READ_BYTES) {
        const most = grouped(MAX_READ_BYTES);
        throw new FileProblem(
          'too-large',
          `the file has ${grouped(stats.size)} bytes, more than the ${most} that can be edited`,
        );
      }
      return { bytes: await readAllBytes({ handle, stats }, signal), stats };
    } finally {
      await handle.close();
    }
  }

  /**
   * Every replacement of content goes through here, and is kept for undo. `check` throws if the write may no longer
   * happen.
   */
  async #replace(bytes: Uint8Array, createDirectories: boolean, check?: () => Promise<void>): Promise<void> {
    const { real } = this;
    await recorded(this.#recorder, this, async (announce) => {
      const madeFolders = await missingFolders(real);
      const beforeReplacing = async () => {
        await requireSamePlace(this.#place, 'written');
        await announce({ hashAfter: () => sha256(bytes), madeFolders });
        await check?.();
      };
      await writeAtomically({ real, bytes, createDirectories, beforeReplacing });
    });
  }

  /**
   * Appends the planned bytes, if the file is still what the plan was made for; everything or, on failure, nothing. A
   * file with other names is replaced by a longer one, so that these keep what they have. Throws like `overwrite`.
   */
  async append({ bytes, beforeImage }: Pick<PlannedText, 'bytes' | 'beforeImage'>, signal: AbortSignal): Promise<void> {
    if (this.#hasOtherNames()) {
      const { bytes: before } = await this.#bytesToEdit(signal);
      await this.write({ bytes: Buffer.concat([before, bytes]), beforeImage }, { createDirectories: false, signal });
      return;
    }
    await recorded(this.#recorder, this, async (announce) => {
      await requireSamePlace(this.#place, 'written');
      const { handle, stats } = await openRegularFile(this.real, constants.O_RDWR | constants.O_APPEND);
      try {
        if (stats.nlink > 1) throw changedMeanwhile();
        await announce({ hashAfter: (before) => (before?.bytes ? sha256(before.bytes, bytes) : null) });
        if ((await hashOfAll(handle, signal)) !== beforeImage) throw changedMeanwhile();
        await orPutBack(
          handle,
          stats.size,
          async () => undefined,
          async () => {
            await handle.appendFile(bytes);
            await handle.sync();
          },
        );
      } finally {
        await handle.close();
      }
    });
  }

  /** Plans what replacing the content would change. Throws `FileProblem` "encoding". */
  async planWrite(text: string, signal: AbortSignal): Promise<PlannedText> {
    const before = await this.#contentBefore(signal);
    return { ...this.#change(before, text), bytes: bytesReplacing(text, before.stored) };
  }

  /** Plans what adding text at the end, in the file's own encoding, would change. Throws `FileProblem` "encoding". */
  async planAppend(text: string, signal: AbortSignal): Promise<PlannedText> {
    const before = await this.#contentBefore(signal);
    const stored = before.stored ?? (await StoredText.of(Buffer.alloc(0)));
    return { ...this.#change(before, (before.text ?? '') + text), bytes: encodedFor(text, stored) };
  }

  #change(before: ContentBefore, after: string): PlannedChange {
    const isTooLong = before.text !== undefined && after.length > MAX_COMPARED_BYTES;
    const note =
      before.note ?? (isTooLong ? `The new text has ${grouped(after.length)} characters: not compared.` : undefined);
    const preview = new DiffPreview({
      path: this.real,
      before: note === undefined ? (before.text ?? null) : null,
      after,
      note,
    });
    return { beforeImage: before.hash, preview, encoding: before.stored?.encoding.name ?? UTF_8.name };
  }

  async #hash(signal: AbortSignal): Promise<string> {
    try {
      const { handle } = await openRegularFile(this.real, constants.O_RDONLY);
      try {
        return await hashOfAll(handle, signal);
      } finally {
        await handle.close();
      }
    } catch (error) {
      if (isMissing(error)) return NO_FILE;
      throw error;
    }
  }

  async #contentBefore(signal: AbortSignal): Promise<ContentBefore> {
    try {
      const { handle, stats } = await openRegularFile(this.real, constants.O_RDONLY);
      try {
        if (stats.size > MAX_READ_BYTES) return await hugeContent({ handle, stats }, signal);
        const bytes = await readAllBytes({ handle, stats }, signal);
        const hash = sha256(bytes);
        const stored = await StoredText.of(bytes);
        const size = grouped(bytes.length);
        if (bytes.length > MAX_COMPARED_BYTES)
          return { hash, stored, text: undefined, note: `The file has ${size} bytes: not compared.` };
        if (!looksBinary(bytes)) return { hash, stored, text: stored.text };
        return { hash, stored, text: undefined, note: `The file is not text (${size} bytes): not compared.` };
      } finally {
        await handle.close();
      }
    } catch (error) {
      if (isMissing(error)) return { hash: NO_FILE, text: null };
      throw error;
    }
  }
}

interface ContentBefore {
  readonly hash: string;
  /** Null if there is no file, and undefined if it can't be shown; `note` then says why. */
  readonly text: string | null | undefined;
  readonly note?: string;
  /** Absent if there is no file. */
  readonly stored?: StoredText;
}

/** Describes the content of a file that is too large to be read at once. */
async function hugeContent(file: OpenFile, signal: AbortSignal): Promise<ContentBefore> {
  const hash = createHash('sha256');
  const { encoding, head } = await encodingOfLarge(file, { signal, onChunk: (chunk) => hash.update(chunk) });
  // The last line may have been cut within a character.
  const lines = head.subarray(0, Math.max(encoding.bomBytes, head.lastIndexOf(LINE_FEED) + 1));
  const stored = new StoredText(lines, encoding, await codecOf(encoding.name));
  const note = `The file has ${grouped(file.stats.size)} bytes: not compared.`;
  return { hash: hash.digest('hex'), stored, text: undefined, note };
}

const LINE_FEED = 0x0a;

/** Returns the SHA-256 (hex) of a file of any size. */
async function hashOfAll(handle: FileHandle, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of handle.createReadStream({ start: 0, autoClose: false, signal })) hash.update(chunk);
  return hash.digest('hex');
}

function changedMeanwhile(): FileProblem {
  return new FileProblem('changed', 'the file was changed by someone else in the meantime; nothing was written');
}
