import type { SearchEnding } from './text-search.ts';

const MAX_NAMED = 10;

/**
 * The last lines of a result: what was not searched, and why the search ended early. Source: tool catalogue B.1, grep.
 */
export function searchNotices(
  { ending, secretFiles }: { readonly ending: SearchEnding; readonly secretFiles: readonly string[] },
  { guardMs, narrowWith }: { readonly guardMs: number; readonly narrowWith: string },
): readonly string[] {
  const notices = [...secretNotice(secretFiles)];
  if (ending === 'full')
    notices.unshift(
      `[More was found than can be shown: the search was stopped at 10 MB. Narrow it with ${narrowWith}.]`,
    );
  if (ending === 'timed-out') notices.push(`[stopped after ${guardMs / 1000} s]`);
  return notices;
}

function secretNotice(files: readonly string[]): readonly string[] {
  if (files.length === 0) return [];
  const names = files.slice(0, MAX_NAMED).map(onOneLine).join(', ');
  const more = files.length > MAX_NAMED ? ` and ${files.length - MAX_NAMED} more` : '';
  return [
    `[Not searched, because they usually hold secrets: ${names}${more}. read_file asks the user before reading one.]`,
  ];
}

/** A file name may contain line breaks or anything else. */
function onOneLine(path: string): string {
  return /\p{C}/u.test(path) ? JSON.stringify(path) : path;
}
