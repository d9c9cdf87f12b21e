import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { extname } from 'node:path';
import type { FileAccess, Preview } from '../../policy/access.ts';
import { grouped } from '../result-cap.ts';
import { writeAtomically } from './atomic-write.ts';
import { docxText } from './docx.ts';
import { isMissing } from './file-problem.ts';
import { type LineRange, readAllBytes, readLineRange } from './read-text.ts';
import { openRegularFile } from './regular-file.ts';
import { decodeText, encodeText, encodingOf, looksBinary } from './text-encoding.ts';

export interface WorkspaceFileOptions {
  readonly given: string;
  readonly absolute: string;
  readonly real: string;
  readonly outsideRoots: boolean;
  /** Throws if the path no longer leads to `real` inside the roots. */
  readonly recheck: () => Promise<void>;
}

/** The state of a file before a change, and what the change would make of it. */
export interface PlannedChange {
  readonly beforeImage: string;
  readonly preview: Preview;
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

  constructor({ given, absolute, real, outsideRoots, recheck }: WorkspaceFileOptions) {
    this.given = given;
    this.absolute = absolute;
    this.real = real;
    this.outsideRoots = outsideRoots;
    this.#recheck = recheck;
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
    const { handle } = await openRegularFile(this.real, constants.O_RDONLY);
    try {
      const wantsAll = lines.offset <= 1 && lines.limit < 0;
      if (extname(this.real).toLowerCase() === '.docx') {
        const text = await docxText(await readAllBytes(handle, signal));
        return wantsAll ? text : selectLines(text, lines);
      }
      return wantsAll ? decodeText(await readAllBytes(handle, signal)) : await readLineRange(handle, lines, signal);
    } finally {
      await handle.close();
    }
  }

  /** Replaces the whole content (UTF-8 without byte order mark) in one step. */
  async write(text: string, { createDirectories }: { createDirectories: boolean }): Promise<void> {
    const bytes = encodeText(text, { name: 'utf-8' });
    await writeAtomically({ real: this.real, bytes, createDirectories, beforeReplacing: this.#recheck });
  }

  /** Adds to the end in the file's own encoding; all of it or, if that fails, nothing. */
  async append(text: string): Promise<void> {
    await this.#recheck();
    const { handle, stats } = await openRegularFile(this.real, constants.O_RDWR | constants.O_APPEND);
    try {
      const head = Buffer.alloc(3);
      await handle.read(head, 0, head.length, 0);
      try {
        await handle.appendFile(encodeText(text, encodingOf(head)));
        await handle.sync();
      } catch (error) {
        await handle.truncate(stats.size);
        throw error;
      }
    } finally {
      await handle.close();
    }
  }

  /** What a write would change. `after` is made from the text before (`null`: there is no file). */
  async plan(after: (before: string | null) => string, signal: AbortSignal): Promise<PlannedChange> {
    const before = await this.#contentBefore(signal);
    const shown = before.text === undefined ? '' : after(before.text);
    const isTooLong = shown.length > MAX_COMPARED_BYTES;
    const note =
      before.note ?? (isTooLong ? `The new text has ${grouped(shown.length)} characters: not compared.` : undefined);
    const preview: Preview = {
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
        const bytes = await readAllBytes(handle, signal);
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
