export interface MatchedLine {
  /** The number is 1-based. */
  readonly number: number;
  /** The line without its line end. */
  readonly text: string;
  /** The line matches; false for a context line. */
  readonly isMatch: boolean;
  /** Lines were left out between the previous one and this one. */
  readonly startsGroup: boolean;
}

export interface FileMatches {
  /** The path relative to the directory that was searched, with `/`. */
  readonly path: string;
  readonly lines: readonly MatchedLine[];
  /** The number of bytes from the start of the file at which ripgrep met a NUL byte, approximately. */
  readonly nulOffset?: number;
}

/** Matches what ripgrep prints after the records of a file if it met a NUL byte there. */
const BINARY_NOTICE =
  /[^\0]*?: (?:WARNING: stopped searching binary file after match|binary file matches) \(found "\\0" byte around offset (\d+)\)\n/y;
/**
 * With --crlf the separator ends in \r; between files it doesn't. No path looks like it, because paths begin with a
 * dot.
 */
const GROUP_SEPARATOR = /--\r?\n/y;
const CARRIAGE_RETURN = 13;

/**
 * Parses ripgrep's records of lines (see `Report`); records of one file are consecutive. Names may contain any
 * character but NUL, newlines too. A truncated last record is dropped.
 */
export function parseMatchRecords(output: string): FileMatches[] {
  const files: { path: string; lines: MatchedLine[]; nulOffset?: number }[] = [];
  let startsGroup = false;
  for (let at = 0; ; ) {
    const file = files.at(-1);
    GROUP_SEPARATOR.lastIndex = at;
    if (GROUP_SEPARATOR.test(output)) {
      startsGroup = true;
      at = GROUP_SEPARATOR.lastIndex;
      continue;
    }
    const pathEnd = output.indexOf('\0', at);
    BINARY_NOTICE.lastIndex = at;
    // A line end comes first only if a path contains a newline, or follows a notice.
    const lineEnd = output.indexOf('\n', at);
    const notice = lineEnd !== -1 && (pathEnd === -1 || lineEnd < pathEnd) ? BINARY_NOTICE.exec(output) : null;
    if (notice !== null) {
      if (file !== undefined) file.nulOffset ??= Number(notice[1]);
      at = BINARY_NOTICE.lastIndex;
      continue;
    }
    if (pathEnd === -1) return files;
    const record = readLine(output, pathEnd + 1);
    if (record === undefined) return files;
    const path = withoutDot(output.slice(at, pathEnd));
    const line = { ...record.line, startsGroup };
    if (path === file?.path) file.lines.push(line);
    else files.push({ path, lines: [{ ...line, startsGroup: false }] });
    startsGroup = false;
    at = record.end;
  }
}

function readLine(output: string, start: number) {
  let numberEnd = start;
  while (isDigit(output.charCodeAt(numberEnd))) numberEnd++;
  const end = output.indexOf('\n', numberEnd);
  if (end === -1) return undefined;
  const textEnd = output.charCodeAt(end - 1) === CARRIAGE_RETURN ? end - 1 : end;
  return {
    line: {
      number: Number(output.slice(start, numberEnd)),
      text: output.slice(numberEnd + 1, textEnd),
      isMatch: output[numberEnd] === ':',
    },
    end: end + 1,
  };
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Reads the `path NUL` of each file. */
export function parsePaths(output: string): string[] {
  return output.split('\0').slice(0, -1).map(withoutDot);
}

/** Reads `path NUL number LF` or `path NUL number ":" LF` of each file. */
export function parseNumbers(output: string): Map<string, number> {
  const numbers = new Map<string, number>();
  for (const [, path = '', number] of output.matchAll(/([^\0]*)\0(\d+):?\r?\n/g)) {
    const shown = withoutDot(path);
    if (!numbers.has(shown)) numbers.set(shown, Number(number));
  }
  return numbers;
}

function withoutDot(path: string): string {
  return path.startsWith('./') ? path.slice(2) : path;
}
