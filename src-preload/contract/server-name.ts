import { hidesSomething, isNameOfEveryObject, OBJECT_NAME_TEXT } from './outside-names.ts';

/** The limit in UTF-16 units. It exists because the name is part of the names of keychain entries. */
const MAX_LENGTH = 64;

/** Why an MCP server can't have this name, or null if it can. */
export function serverNameProblem(name: string): string | null {
  if (name.trim() === '') return 'Give the server a name.';
  if (name.length > MAX_LENGTH) return `Use a name of at most ${MAX_LENGTH} characters.`;
  if (hidesSomething(name)) return 'Leave out line breaks, tabs, repeated spaces, and characters that can’t be seen.';
  return isNameOfEveryObject(name) ? OBJECT_NAME_TEXT : null;
}
