export interface FileMatches {
  /** As ripgrep shows it. */
  readonly path: string;
  /** `{line}: {text}`, the text without its line end. */
  readonly lines: string[];
}

/** ripgrep says so, between the records, of files in which it met a NUL byte. */
const BINARY_NOTICE =
  /^[^\0]*?: (?:WARNING: stopped searching binary file after match|binary file matches) \(found "\\0" byte around offset \d+\)\n/;

/**
 * Reads ripgrep's `path NUL line ":" text LF` records; those of one file follow each other. Names may hold any character
 * but NUL, newlines too. A last record that was cut off is left out.
 */
export function parseMatchRecords(output: string): FileMatches[] {
  const files: FileMatches[] = [];
  let file: FileMatches | undefined;
  let at = 0;
  for (;;) {
    const pathEnd = output.indexOf('\0', at);
    if (pathEnd === -1) return files;
    const numberEnd = output.indexOf(':', pathEnd);
    const lineEnd = output.indexOf('\n', numberEnd);
    if (numberEnd === -1 || lineEnd === -1) return files;
    const path = withoutNotices(output.slice(at, pathEnd));
    if (path !== file?.path) {
      file = { path, lines: [] };
      files.push(file);
    }
    const textEnd = output.charCodeAt(lineEnd - 1) === CARRIAGE_RETURN ? lineEnd - 1 : lineEnd;
    file.lines.push(`${output.slice(pathEnd + 1, numberEnd)}: ${output.slice(numberEnd + 1, textEnd)}`);
    at = lineEnd + 1;
  }
}

const CARRIAGE_RETURN = 13;

function withoutNotices(path: string): string {
  let rest = path;
  while (rest.includes('\n') && BINARY_NOTICE.test(rest)) rest = rest.replace(BINARY_NOTICE, '');
  return rest;
}
