const MOST_NAMED = 10;

/** The last line of a search that left files out. None is left out: `[]`. */
export function secretNotice(files: readonly string[]): readonly string[] {
  if (files.length === 0) return [];
  const names = files.slice(0, MOST_NAMED).map(onOneLine).join(', ');
  const more = files.length > MOST_NAMED ? ` and ${files.length - MOST_NAMED} more` : '';
  return [`[Not searched, since they usually hold secrets: ${names}${more}. read_file asks the user for one.]`];
}

/** A file's name may hold line breaks and anything else. */
function onOneLine(path: string): string {
  return /\p{C}/u.test(path) ? JSON.stringify(path) : path;
}
