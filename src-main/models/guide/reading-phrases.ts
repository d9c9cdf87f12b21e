import { call, type Intent, unquoted } from './intent.ts';

const RECURSIVELY =
  /[\s,]*(?:\b(?:recursively|recursive|including subfolders|with (?:all )?(?:its )?subfolders|and (?:all )?(?:its |the )?subfolders|and below|everywhere)|(?:^|\s)-r)$/i;
const HERE =
  /^(?:(?:in|of|inside|from)\s+)?(?:here|\.\/?|(?:the|this|my)?\s*(?:current\s+)?(?:folder|directory|workspace|project|working directory))$/i;
const LIST_VERB = '(?:list|ls|dir|show(?: me)?|display|give me|get|enumerate|what are|which are)';
const FILES = String.raw`(?:(?:me\s+)?(?:all\s+)?(?:of\s+)?(?:the\s+|my\s+)?(?:files?(?: and folders)?|file names|contents?|content|everything|all))`;
const LIST_FILES = new RegExp(
  String.raw`^${LIST_VERB}\s+(all\s+)?${FILES}(?:\s+(?:there are|there))?(?:\s+([\s\S]+))?$`,
  'i',
);
const FILES_ARE = /^(?:what|which)\s+files?\s+(?:are|do (?:we|you|i) have|exist|is)(?:\s+there)?(?:\s+([\s\S]+))?$/i;
const BARE_LIST = /^(?:list|ls|dir|files)(?:\s+(?:folder|directory))?(?:\s+(\S[\s\S]*))?$/i;
const IN_FOLDER = /^what(?:'s| is| are)\s+(?:in|inside)\s+([\s\S]+)$/i;
const PLACE =
  /^(?:(?:in|of|inside|from|under)\s+)?(?:the\s+)?(?:(?:folder|directory)\s+)?("[^"]+"|'[^']+'|`[^`]+`|\S+?)(?:\s+(?:folder|directory))?$/i;
const SAYS_FOLDER = /\b(?:folder|directory)\b/i;

export function listIntent(plain: string): Intent | undefined {
  const isRecursive = RECURSIVELY.test(plain);
  const text = plain.replace(RECURSIVELY, '').trim();
  const what = IN_FOLDER.exec(text)?.[1];
  if (what !== undefined) {
    return HERE.test(what) || SAYS_FOLDER.test(what) || /[/\\]$/.test(what) ? list(what, isRecursive) : undefined;
  }
  const found = LIST_FILES.exec(text) ?? FILES_ARE.exec(text) ?? BARE_LIST.exec(text);
  if (found === null) return undefined;
  return list(found.at(-1) ?? '', isRecursive);
}

function list(place: string, isRecursive: boolean): Intent | undefined {
  const recursive = isRecursive ? { recursive: true } : {};
  const named = place.trim();
  if (named === '' || HERE.test(named)) return call('list_files', recursive);
  const directory = PLACE.exec(named)?.[1];
  return directory === undefined ? undefined : call('list_files', { directory: unquoted(directory), ...recursive });
}

const READ =
  /^(?:read|show(?: me)?|open|cat|print|display|view|type|what(?:'s| is) in|what does)\s+(?:me\s+)?(?:the\s+)?(?:contents?\s+of\s+)?(?:the\s+)?(?:files?\s+)?(\S[\s\S]*?)(?:\s+(?:say|contain|file))?$/i;
const QUOTED_NAME = /^(["'`])[^"'`]+\1$/;
const NAME_LIKE = /^[^\s"'`]*[./\\][^\s"'`]*$/;

/** Returns one call per file, or `undefined` if the words after the verb are not file names. */
export function readIntents(plain: string): readonly Intent[] | undefined {
  const target = READ.exec(plain)?.[1]?.trim();
  if (target === undefined) return undefined;
  const names = target.split(/\s*(?:,|\band\b)\s*/i).filter((name) => name !== '');
  const isList = names.length > 1 && names.every((name) => QUOTED_NAME.test(name) || NAME_LIKE.test(name));
  const wanted = isList ? names : [target];
  // A single word without a dot is a name too (`Makefile`); several words are one only if they look like a path.
  if (wanted.some((name) => /\s/.test(name) && !QUOTED_NAME.test(name) && !/\.\w{1,8}$/.test(name))) return undefined;
  return wanted.map((name) => call('read_file', { file_path: unquoted(name) }));
}
