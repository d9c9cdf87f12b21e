/** Names that come from outside: of servers, tools, programs, providers. */

const OF_OBJECTS: ReadonlySet<string> = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype']);

/** The reason of a refusal, which other advice may follow. */
export const OBJECT_NAME_TEXT = 'Every object in JavaScript has something of this name. Use another name.';

/**
 * Whether this is `constructor`, `__proto__` or the like. Whatever looks them up in an object finds something that
 * nobody put there, so no server, tool, program or provider can be called that.
 */
export function isNameOfEveryObject(name: string): boolean {
  return OF_OBJECTS.has(name.trim());
}

/** Control and unassigned characters, and what can't be seen or turns the text around it. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]/u;

export function hasUnseenCharacters(name: string): boolean {
  return UNSEEN.test(name);
}

/**
 * Whether the name contains a hidden character, or a space that a page shows as one or not at all. A question that
 * shows the name must not mislead.
 */
export function hidesSomething(name: string): boolean {
  return hasUnseenCharacters(name) || /^ | {2}| $/.test(name);
}

/** The limit in UTF-16 units. It exists because the name is part of the names of keychain entries. */
const MAX_SERVER_NAME = 64;

/** Why an MCP server can't have this name, or null if it can. */
export function serverNameProblem(name: string): string | null {
  if (name.trim() === '') return 'Give the server a name.';
  if (name.length > MAX_SERVER_NAME) return `Use a name of at most ${MAX_SERVER_NAME} characters.`;
  if (hidesSomething(name)) return 'Leave out line breaks, tabs, repeated spaces, and characters that can’t be seen.';
  return isNameOfEveryObject(name) ? OBJECT_NAME_TEXT : null;
}
