import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { extname } from 'node:path';
import { grouped } from '../../base/text.ts';
import type { DiffPreview, FileAccess } from '../../policy/access.ts';
import { writeAtomically } from './atomic-write.ts';
import { type ChangeRecorder, missingFolders, recorded, sha256 } from './change-recorder.ts';
import { docxText } from './docx/docx-text.ts';
import { FileProblem, isMissing } from './file-problem.ts';
import { orPutBack } from './overwrite.ts';
import { type LineRange, MAX_READ_BYTES, readAllBytes, readLineRange } from './read-text.ts';
import { openRegularFile } from './regular-file.ts';
import { type EditedBytes, editBytes, type TextEdit } from './text-edit.ts';
import { decodeText, encodeText, encodingOf, looksBinary } from './text-encoding.ts';

export interface WorkspaceFileOptions {
  readonly given: string;
  readonly absolute: string;
  readonly real: string;
  readonly outsideRoots: boolean;
  /** Throws if the path no longer leads to `real` inside the roots. */
  readonly recheck: () => Promise<void>;
  /** Keeps what is changed as it was. Absent: changes cannot be undone. */
  readonly recorder?: ChangeRecorder | undefined;
}

/** The state of a file before a change, and what the change would make of it. */
export interface PlannedChange {
  readonly beforeImage: string;
  readonly preview: DiffPreview;
}

/** Larger texts are not compared line by line. */
const MAX_COMPARED_BYTES = 1024 * 1024;

/** One file inside the roots (or one that the user is asked about), existing or not. */
export class WorkspaceFile {
  readonly given: string;
  /** Lexically resolved. */
  readonly absolute: string;
  readonly real: string;
  readonly outsideRoots: boolean;
  readonly #recheck: () => Promise<void>;
  readonly #recorder: ChangeRecorder | undefined;

  constructor({ given, absolute, real, outsideRoots, recheck, recorder }: WorkspaceFileOptions) {
    this.given = given;
    this.absolute = absolute;
    this.real = real;
    this.outsideRoots = outsideRoots;
    this.#recheck = recheck;
    this.#recorder = recorder;
  }

  access(kind: 'read' | 'write'): FileAccess {
    return { class: kind, kind: 'file', path: this.real, ...(this.outsideRoots ? { outsideRoots: true } : {}) };
  }

  async exists(): Promise<boolean> {
    return lstat(this.real).then(
      () => true,
      () => false,
    );
  }

  /** The text as it is stored, without its byte order mark; of a Word document its paragraphs. Throws `FileProblem` or a system error. */
  async readText(lines: LineRange, signal: AbortSignal): Promise<string> {
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

  /** Replaces the whole content (UTF-8 without byte order mark) in one step. */
  async write(text: string, { createDirectories }: { createDirectories: boolean }): Promise<void> {
    const bytes = encodeText(text, { name: 'utf-8' });
    await this.#replace(bytes, createDirectories);
  }

  /** Replaces text and keeps all other bytes. `null`: the text is not in the file, and nothing was written. */
  async edit(edit: TextEdit, signal: AbortSignal): Promise<EditedBytes | null> {
    const { bytes, stats } = await this.#bytesToEdit(signal);
    const edited = editBytes(bytes, edit);
    if (edited === null) return null;
    await this.#replace(edited.bytes, false, async () => {
      const now = await lstat(this.real);
      if (now.mtimeMs !== stats.mtimeMs || now.size !== stats.size || now.ino !== stats.ino)
        throw new FileProblem('changed', 'the file was changed by someone else meanwhile; nothing was written');
    });
    return edited;
  }

  /** What `edit` would change. `null`: the text is not in the file. */
  async planEdit(edit: TextEdit, signal: AbortSignal): Promise<PlannedChange | null> {
    const { bytes } = await this.#bytesToEdit(signal);
    const edited = editBytes(bytes, edit);
    if (edited === null) return null;
    const beforeImage = sha256(bytes);
    const tooLong = Math.max(bytes.length, edited.bytes.length) > MAX_COMPARED_BYTES;
    const preview: DiffPreview =
      tooLong || looksBinary(bytes)
        ? {
            kind: 'diff',
            path: this.real,
            before: edit.find,
            after: edit.replacement,
            note: `The file has ${grouped(bytes.length)} bytes${tooLong ? '' : ' and is not text'}: only what is replaced is shown, which is ${grouped(edited.replaced)} place(s).`,
          }
        : { kind: 'diff', path: this.real, before: decodeText(bytes), after: decodeText(edited.bytes) };
    return { beforeImage, preview };
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

  /** Every replacing of content goes through here, and is kept for undo. `check`: throws if it must not be done any more. */
  async #replace(bytes: Uint8Array, createDirectories: boolean, check?: () => Promise<void>): Promise<void> {
    const { real } = this;
    await recorded(this.#recorder, this, async (announce) => {
      const madeFolders = this.#recorder === undefined ? [] : await missingFolders(real);
      const beforeReplacing = async () => {
        await this.#recheck();
        await announce({ hashAfter: () => sha256(bytes), madeFolders });
        await check?.();
      };
      await writeAtomically({ real, bytes, createDirectories, beforeReplacing });
    });
  }

  /** Adds to the end in the file's own encoding; all of it or, if that fails, nothing. Throws as `overwrite` does. */
  async append(text: string): Promise<void> {
    await recorded(this.#recorder, this, async (announce) => {
      await this.#recheck();
      const { handle, stats } = await openRegularFile(this.real, constants.O_RDWR | constants.O_APPEND);
      try {
        const head = Buffer.alloc(3);
        await handle.read(head, 0, head.length, 0);
        const addition = encodeText(text, encodingOf(head));
        await announce({ hashAfter: (before) => (before?.bytes ? sha256(before.bytes, addition) : null) });
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

  /** What a write would change. `after` is made from the text before (`null`: there is no file). */
  async plan(after: (before: string | null) => string, signal: AbortSignal): Promise<PlannedChange> {
    const before = await this.#contentBefore(signal);
    const shown = before.text === undefined ? '' : after(before.text);
    const isTooLong = shown.length > MAX_COMPARED_BYTES;
    const note =
      before.note ?? (isTooLong ? `The new text has ${grouped(shown.length)} characters: not compared.` : undefined);
    const preview: DiffPreview = {
      kind: 'diff',
      path: this.real,
      before: note === undefined ? (before.text ?? null) : null,
      after: before.text === undefined ? after(null) : shown,
      ...(note === undefined ? {} : { note }),
    };
    return { beforeImage: before.hash, preview };
  }

  /** `text` undefined: there is a file, but not one to show; `note` says why. */
  async #contentBefore(signal: AbortSignal): Promise<{ hash: string; text: string | null | undefined; note?: string }> {
    try {
      const { handle, stats } = await openRegularFile(this.real, constants.O_RDONLY);
      try {
        if (stats.size > MAX_COMPARED_BYTES) {
          const hash = createHash('sha256');
          for await (const chunk of handle.createReadStream({ autoClose: false, signal })) hash.update(chunk);
          return {
            hash: hash.digest('hex'),
            text: undefined,
            note: `The file has ${grouped(stats.size)} bytes: not compared.`,
          };
        }
        const bytes = await readAllBytes({ handle, stats }, signal);
        const hash = createHash('sha256').update(bytes).digest('hex');
        if (!looksBinary(bytes)) return { hash, text: decodeText(bytes) };
        return { hash, text: undefined, note: `The file is not text (${grouped(bytes.length)} bytes): not compared.` };
      } finally {
        await handle.close();
      }
    } catch (error) {
      if (isMissing(error)) return { hash: 'no file', text: null };
      throw error;
    }
  }
}

function selectLines(text: string, { offset, limit }: LineRange): string {
  const lines = text.split(/(?<=\n)/);
  return lines.slice(offset - 1, limit < 0 ? undefined : offset - 1 + limit).join('');
}
