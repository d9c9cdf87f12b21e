import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { lstat } from 'node:fs/promises';
import { extname } from 'node:path';
import { grouped } from '../../base/text.ts';
import type { FileAccess } from '../../policy/access.ts';
import { DiffPreview } from '../../policy/diff-preview.ts';
import { isSecretFile } from '../../policy/secret-files.ts';
import { writeAtomically } from './atomic-write.ts';
import { type ChangeRecorder, missingFolders, recorded, sha256 } from './change-recorder.ts';
import { docxText } from './docx/docx-text.ts';
import { FileProblem, isMissing } from './file-problem.ts';
import { orPutBack } from './overwrite.ts';
import { type Place, requireSamePlace } from './place.ts';
import { type LineRange, MAX_READ_BYTES, readAllBytes, readLineRange } from './read-text.ts';
import { openRegularFile } from './regular-file.ts';
import { editBytes, type TextEdit } from './text-edit.ts';
import { decodeText, encodeText, encodingOf, looksBinary } from './text-encoding.ts';

export interface WorkspaceFileOptions {
  readonly given: string;
  readonly absolute: string;
  readonly real: string;
  readonly outsideRoots: boolean;
  readonly place: Place;
  /** Saves the originals of changed files. */
  readonly recorder: ChangeRecorder;
}

/** The state of a file before a change, and the result of the change. */
export interface PlannedChange {
  readonly beforeImage: string;
  readonly preview: DiffPreview;
}

/** Text to be replaced in a file. */
export interface PlannedEdit extends PlannedChange {
  readonly edit: TextEdit;
  readonly replaced: number;
  /** Occurrences that would remain. */
  readonly left: number;
}

/** Used in place of a hash if there is no file. */
const NO_FILE = 'no file';

/** Larger texts are not compared line by line. */
const MAX_COMPARED_BYTES = 1024 * 1024;

/** One file inside the roots (or one that the user is asked about), whether or not it exists. */
export class WorkspaceFile {
  readonly given: string;
  /** Lexically resolved. */
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
      ...{ class: kind, kind: 'file', path: this.real },
      outsideRoots: this.outsideRoots,
      ...(kind === 'read' && this.isSecret() ? { isSecret: true } : {}),
    };
  }

  /** It exists, and usually holds secrets. */
  isSecret(): boolean {
    return isSecretFile(this.real, this.absolute);
  }

  async exists(): Promise<boolean> {
    return lstat(this.real).then(
      () => true,
      () => false,
    );
  }

  /** The stored text without its byte order mark; for a Word document, its paragraphs. Throws `FileProblem` or a system error. */
  async readText(lines: LineRange, signal: AbortSignal): Promise<string> {
    await requireSamePlace(this.#place, 'read');
    const file = await openRegularFile(this.real, constants.O_RDONLY);
    try {
      const wantsAll = lines.offset <= 1 && lines.limit < 0;
      if (extname(this.real).toLowerCase() === '.docx') {
        const text = await docxText(await readAllBytes(file, signal), signal);
        return wantsAll ? text : selectLines(text, lines);
      }
      return wantsAll ? decodeText(await readAllBytes(file, signal)) : await readLineRange(file, lines, signal);
    } finally {
      await file.handle.close();
    }
  }

  /** Replaces the whole content (UTF-8 without byte order mark) in one step, unless the file has changed since it was planned. */
  async write(
    text: string,
    { beforeImage }: Pick<PlannedChange, 'beforeImage'>,
    { createDirectories, signal }: { readonly createDirectories: boolean; readonly signal: AbortSignal },
  ): Promise<void> {
    const bytes = encodeText(text, { name: 'utf-8' });
    await this.#replace(bytes, createDirectories, async () => {
      if ((await this.#hash(signal)) !== beforeImage) throw changedMeanwhile();
    });
  }

  /** What replacing text would change; all other bytes are preserved. `null`: the text is not in the file. */
  async planEdit(edit: TextEdit, signal: AbortSignal): Promise<PlannedEdit | null> {
    const { bytes } = await this.#bytesToEdit(signal);
    const edited = editBytes(bytes, edit);
    if (edited === null) return null;
    const { replaced, left } = edited;
    const tooLong = Math.max(bytes.length, edited.bytes.length) > MAX_COMPARED_BYTES;
    const isCompared = !tooLong && !looksBinary(bytes);
    const note = `The file has ${grouped(bytes.length)} bytes${tooLong ? '' : ' and is not text'}: only what is replaced is shown, which is ${grouped(replaced)} place(s).`;
    const preview = new DiffPreview({
      path: this.real,
      before: isCompared ? decodeText(bytes) : edit.find,
      after: isCompared ? decodeText(edited.bytes) : edit.replacement,
      note: isCompared ? undefined : note,
    });
    return { edit, replaced, left, preview, beforeImage: sha256(bytes) };
  }

  /**
   * Makes the planned edit on the file it was planned for. Its new bytes, which may be many, are not kept while the person is being asked;
   * the same old bytes give the same edit.
   */
  async edit({ edit, beforeImage }: PlannedEdit, signal: AbortSignal): Promise<void> {
    const { bytes, stats } = await this.#bytesToEdit(signal);
    const edited = sha256(bytes) === beforeImage ? editBytes(bytes, edit) : null;
    if (edited === null) throw changedMeanwhile();
    await this.#replace(edited.bytes, false, async () => {
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

  /** All replacements of content go through here, and are kept for undo. `check`: throws if the write may no longer happen. */
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
   * Appends in the file's own encoding, if the file is still what the plan was made for; everything or, on failure, nothing. Throws like
   * `overwrite`.
   */
  async append(text: string, { beforeImage }: Pick<PlannedChange, 'beforeImage'>, signal: AbortSignal): Promise<void> {
    await recorded(this.#recorder, this, async (announce) => {
      await requireSamePlace(this.#place, 'written');
      const { handle, stats } = await openRegularFile(this.real, constants.O_RDWR | constants.O_APPEND);
      try {
        const head = Buffer.alloc(3);
        await handle.read(head, 0, head.length, 0);
        const addition = encodeText(text, encodingOf(head));
        await announce({ hashAfter: (before) => (before?.bytes ? sha256(before.bytes, addition) : null) });
        if ((await hashOfAll(handle, signal)) !== beforeImage) throw changedMeanwhile();
        await orPutBack(
          handle,
          stats.size,
          async () => undefined,
          async () => {
            await handle.appendFile(addition);
            await handle.sync();
          },
        );
      } finally {
        await handle.close();
      }
    });
  }

  /** What a write would change. `after` is computed from the earlier text (`null`: there is no file). */
  async plan(after: (before: string | null) => string, signal: AbortSignal): Promise<PlannedChange> {
    const before = await this.#contentBefore(signal);
    const shown = before.text === undefined ? '' : after(before.text);
    const isTooLong = shown.length > MAX_COMPARED_BYTES;
    const note =
      before.note ?? (isTooLong ? `The new text has ${grouped(shown.length)} characters: not compared.` : undefined);
    const preview = new DiffPreview({
      path: this.real,
      before: note === undefined ? (before.text ?? null) : null,
      after: before.text === undefined ? after(null) : shown,
      note,
    });
    return { beforeImage: before.hash, preview };
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

  /** `text` undefined: the file exists but can't be shown; `note` says why. */
  async #contentBefore(signal: AbortSignal): Promise<{ hash: string; text: string | null | undefined; note?: string }> {
    try {
      const { handle, stats } = await openRegularFile(this.real, constants.O_RDONLY);
      try {
        if (stats.size > MAX_COMPARED_BYTES) {
          return {
            hash: await hashOfAll(handle, signal),
            text: undefined,
            note: `The file has ${grouped(stats.size)} bytes: not compared.`,
          };
        }
        const bytes = await readAllBytes({ handle, stats }, signal);
        const hash = sha256(bytes);
        if (!looksBinary(bytes)) return { hash, text: decodeText(bytes) };
        return { hash, text: undefined, note: `The file is not text (${grouped(bytes.length)} bytes): not compared.` };
      } finally {
        await handle.close();
      }
    } catch (error) {
      if (isMissing(error)) return { hash: NO_FILE, text: null };
      throw error;
    }
  }
}

/** SHA-256 (hex) of a file of any size. */
async function hashOfAll(handle: FileHandle, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of handle.createReadStream({ start: 0, autoClose: false, signal })) hash.update(chunk);
  return hash.digest('hex');
}

function changedMeanwhile(): FileProblem {
  return new FileProblem('changed', 'the file was changed by someone else in the meantime; nothing was written');
}

function selectLines(text: string, { offset, limit }: LineRange): string {
  const lines = text.split(/(?<=\n)/);
  return lines.slice(offset - 1, limit < 0 ? undefined : offset - 1 + limit).join('');
}
