import { startsContent, startsVerbatimLine } from './phrases.ts';
import { isCommandLine, slashCall } from './tool-line.ts';

/**
 * The requests in one message: one per line, or several on a line joined by "and then". What belongs to one request
 * (the text of a file, a command, JSON over several lines) is kept together.
 */
export function requestsIn(message: string): string[] {
  const lines = message.split(/\r?\n/);
  const requests: string[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = withoutBullet(lines[i] ?? '');
    if (line === '') continue;
    const opening = fenceAfter(lines, i);
    if (isCommandLine(line)) {
      const end = endOfJson(lines, i);
      requests.push([line, ...lines.slice(i + 1, end)].join('\n'));
      i = end - 1;
    } else if (startsContent(line)) {
      requests.push([line, ...lines.slice(i + 1)].join('\n').trimEnd());
      break;
    } else if (opening !== undefined) {
      const end = endOfFence(lines, opening);
      requests.push([line, ...lines.slice(i + 1, end)].join('\n'));
      i = end - 1;
    } else if (startsVerbatimLine(line)) {
      requests.push(line);
    } else {
      requests.push(...splitOutsideQuotes(line));
    }
  }
  return requests;
}

function withoutBullet(line: string): string {
  return line.trim().replace(/^(?:[-*•]|\d{1,2}[.)])\s+/, '');
}

const MAX_JSON_LINES = 500;

/** The line after the JSON of the tool line at `start`; the JSON may continue over several lines. */
function endOfJson(lines: readonly string[], start: number): number {
  const last = Math.min(lines.length, start + MAX_JSON_LINES);
  let open = 0;
  for (let end = start + 1; end <= last; end++) {
    open += openedIn(lines[end - 1] ?? '');
    if (open <= 0) {
      const isJson = !('reason' in slashCall(lines.slice(start, end).join('\n').trim()));
      return isJson ? end : start + 1;
    }
    if (lines[end]?.trim().startsWith('/')) break;
  }
  return start + 1;
}

/** How many more braces and brackets a line of JSON opens than it closes; strings end with the line. */
function openedIn(line: string): number {
  let opened = 0;
  for (const [sign] of line.matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{}]/g)) {
    if (sign === '{' || sign === '[') opened++;
    else if (sign === '}' || sign === ']') opened--;
  }
  return opened;
}

/** The line that opens a code block for the request at `index`: its own end, or the next line after a colon. */
function fenceAfter(lines: readonly string[], index: number): number | undefined {
  if (/```\w*$/.test(lines[index]?.trim() ?? '')) return index;
  const isAnnounced = lines[index]?.trim().endsWith(':') && /^```\w*$/.test(lines[index + 1]?.trim() ?? '');
  return isAnnounced ? index + 1 : undefined;
}

function endOfFence(lines: readonly string[], opening: number): number {
  const closing = lines.findIndex((line, index) => index > opening && line.trim() === '```');
  return closing === -1 ? lines.length : closing + 1;
}

const JOINT = /^(?:(?:\s*[,;.])?\s+and\s+then\s+|\s*[,;.]\s*then\s+|\s*;\s+)/i;

function splitOutsideQuotes(line: string): string[] {
  const parts: string[] = [];
  let quote: string | undefined;
  let start = 0;
  for (let i = 0; i < line.length; i++) {
    const character = line[i] ?? '';
    if (quote !== undefined) {
      if (character === quote) quote = undefined;
      continue;
    }
    // An apostrophe inside a word ("what's") does not open a quote.
    if (character === '"' || character === '`' || (character === "'" && !/\w/.test(line[i - 1] ?? ' '))) {
      if (line.includes(character, i + 1)) quote = character;
      continue;
    }
    // A match that begins within a run of blanks would already have begun at its start.
    const joint = /\s/.test(line[i - 1] ?? '') ? null : JOINT.exec(line.slice(i));
    if (joint === null) continue;
    parts.push(line.slice(start, i));
    start = i + joint[0].length;
    i = start - 1;
  }
  parts.push(line.slice(start));
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}
