import { call, type Intent, unquoted } from './intent.ts';

const SEARCH =
  /^(?:search(?:\s+(?:the\s+)?(?:code|files|project|workspace|everything|everywhere|all files))?(?:\s+for)?|look(?:ing)?\s+for|grep(?:\s+for)?|find(?:\s+(?:all\s+)?(?:occurrences|uses|mentions)\s+of)?|where\s+is|where\s+are|which\s+files\s+(?:contain|mention|have))\s+(\S[\s\S]*)$/i;
const SEARCH_PLACE_FIRST = /^(?:search|grep|look)\s+(?:in\s+)?(\S+(?:\s+files)?)\s+for\s+(\S[\s\S]*)$/i;
const WORDS_BEFORE_QUERY = /^(?:the\s+)?(?:text|word|words|string|phrase|term)\s+(?=\S)/i;
const FILES_BY_NAME = /^(?:find|look\s+for|search\s+for)\s+(?:all\s+)?(?:the\s+)?files?\b/i;

interface Place {
  readonly directory?: string;
  readonly pattern?: string;
}

export function searchIntent(plain: string): Intent | undefined {
  if (FILES_BY_NAME.test(plain)) return undefined;
  const [, firstPlace, wanted] = SEARCH_PLACE_FIRST.exec(plain) ?? [];
  const place = firstPlace === undefined ? undefined : placeOf(firstPlace);
  if (place && wanted !== undefined) return search(wanted, place);
  const rest = SEARCH.exec(plain)?.[1];
  return rest === undefined ? undefined : searchWithin(rest);
}

/** "TODO in src in *.ts files": places are taken from the end, as long as they are places. */
function searchWithin(rest: string): Intent {
  let query = rest;
  let place: Place = {};
  for (;;) {
    const quoted = /^(["'`])[\s\S]*\1$/.test(query.trim());
    const [, before, named] = quoted
      ? []
      : (/^([\s\S]+?\S)\s+(?:in|inside|within|under|across)\s+((?:(?!\s(?:in|inside|within|under|across)\s)[\s\S])+)$/i.exec(
          query,
        ) ?? []);
    const found = named === undefined ? undefined : placeOf(named);
    if (before === undefined || found === undefined) return search(query, place);
    query = before;
    place = { ...found, ...place };
  }
}

function search(query: string, place: Place): Intent {
  return call('search_code', { query: unquoted(query.trim().replace(WORDS_BEFORE_QUERY, '')), ...place });
}

const EVERYWHERE =
  /^(?:here|(?:all|any|every|the|these|my)?\s*files?|(?:the|this|my)\s+(?:current\s+)?(?:folder|directory|workspace|project|code|codebase|repo(?:sitory)?)|everything|\.\/?)$/i;
const FOLDER =
  /^(?:the\s+)?(?:(?:folder|directory)\s+("[^"]+"|'[^']+'|`[^`]+`|\S+)|("[^"]+"|'[^']+'|`[^`]+`|\S+)\s+(?:folder|directory))$/i;
const PATTERN = /^(?:(?:all|the|any)\s+)?[`"']?(\S*[*?]\S*?)[`"']?(?:\s+files?)?$/;
const EXTENSION = /^(?:(?:all|the|any)\s+)?\.?([a-z0-9]{1,5})\s+files?$/i;
const BARE = /^("[^"]+"|'[^']+'|`[^`]+`|[\w.@/\\~+-]+)$/;

function placeOf(named: string): Place | undefined {
  const text = named.trim();
  if (EVERYWHERE.test(text)) return {};
  const folder = FOLDER.exec(text);
  if (folder) return { directory: unquoted(folder[1] ?? folder[2] ?? '') };
  const pattern = PATTERN.exec(text)?.[1];
  if (pattern !== undefined) return patternPlace(pattern);
  const extension = EXTENSION.exec(text)?.[1];
  if (extension !== undefined) return { pattern: `*.${extension}` };
  const bare = BARE.exec(text)?.[1];
  return bare === undefined ? undefined : { directory: unquoted(bare) };
}

/** The tool's pattern matches base names, so the folders before it become the directory: `src/*.ts`, `lib/**\/*.js`. */
function patternPlace(pattern: string): Place {
  const parts = pattern.split('/');
  const base = parts.pop() ?? pattern;
  const folders = parts.filter((part) => part !== '**' && part !== '.');
  return folders.length > 0 ? { directory: folders.join('/'), pattern: base } : { pattern: base };
}
