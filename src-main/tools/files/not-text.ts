import { type FileKind, type FileUse, kindOfFile } from '../../base/file-kind.ts';
import { FileProblem } from '../../base/file-problem.ts';
import { grouped } from '../../base/text.ts';

/** What can be done with a file that read_file can't give, by what it is. */
const INSTEAD: Readonly<Record<FileUse, string>> = {
  pdf: 'The user can attach it to a message, which a model that reads PDFs can take; or convert it to text with a command (pdftotext)',
  picture: 'The user can attach it to a message, which a model that sees images can take',
  'other-picture': 'Save it as PNG or JPEG; the user can attach that to a message for a model that sees images',
  recording: 'The user can attach it to a message, which a model that hears recordings can take',
  word: 'Give it a name that ends in .docx and read that',
  document: 'Save it as a Word document (.docx) or as plain text and read that',
  spreadsheet: 'Save its sheets as CSV and read those',
  presentation: 'Save it as plain text, or as a PDF that the user can attach to a message',
  archive: 'List or unpack it with a command and read the files in it',
  database: 'Query it with a command that knows the format',
  program: 'Look at it with a command such as file or strings; its source code can be read',
  other: 'Use a command that knows the format',
};

/** A file that is something else than text. */
export class NotText extends FileProblem {
  constructor(kind: FileKind, bytes: number) {
    super('not-text', `is not text: ${kind.name}, ${grouped(bytes)} bytes. ${INSTEAD[kind.use]}`);
  }
}

/** Throws `NotText`. `head` is the beginning of the file, which has this many bytes. */
export function requireText(head: Uint8Array, bytes: number): void {
  const kind = kindOfFile(head);
  if (kind !== undefined) throw new NotText(kind, bytes);
}

/** Throws `FileProblem` "not-text" for a file that has only the name of a Word document. */
export function requireWordDocument(bytes: Uint8Array): void {
  const kind = kindOfFile(bytes);
  if (kind === undefined) {
    const what = bytes.length === 0 ? 'is empty, so it is not' : 'is text, not';
    throw new FileProblem(
      'not-text',
      `the file ${what} a Word document, whatever its name says. Rename it to .txt and read that`,
    );
  }
  if (!MAY_BE_WORD.has(kind.mediaType) && kind.use !== 'word') throw new NotText(kind, bytes.length);
}

/**
 * Kinds of files that a damaged Word document, or one that is protected with a password, is taken for. More is known
 * when it is read.
 */
const MAY_BE_WORD: ReadonlySet<string> = new Set([
  'application/zip',
  'application/msword',
  'application/x-ole-storage',
]);
