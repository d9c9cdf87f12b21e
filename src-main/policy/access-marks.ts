import { programAsSource } from '../../src-preload/contract/client-reason.ts';
import type { Mark } from '../../src-preload/contract/events.ts';
import { firstCharacters } from '../base/text.ts';
import { type Access, isForUser, type McpAccess } from './access.ts';
import { commandLine } from './access-text.ts';
import { openedPath } from './commands/openers.ts';

const SHOWN_OF_COMMAND = 60;

/**
 * The marks of a call's result, from its accesses and whatever its tool declares: everything from files, folders, commands or
 * variables is private, even a name, a number or an error; for a server's text, the user's setting decides. `shownPath`: formats a
 * real path for people. Source: design section 4 ("Marks on the context").
 */
export function marksOfAccess(accesses: readonly Access[], shownPath: (real: string) => string): readonly Mark[] {
  const marks = accesses.flatMap((access): Mark[] => {
    const forUser = isForUser(access) ? pathOf(access) : undefined;
    if (forUser !== undefined) return marksFrom(`whether ${shownPath(forUser) || 'the workspace'} exists`, false);
    if (access.kind === 'file') {
      const source = access.isFolder === true ? filesIn(shownPath(access.path)) : `file ${shownPath(access.path)}`;
      return marksFrom(source, access.isSecret === true);
    }
    if (access.kind === 'command') return marksFrom(outputOf(commandLine(access.command)), false);
    if (access.kind === 'mcp') {
      const { server, tool, text: whose } = access;
      return marksOfServer({ source: `${tool} of the MCP server ${server}`, whose });
    }
    if (access.kind === 'client')
      return marksOfServer({ source: `${access.tool} of ${programAsSource(access.client)}`, whose: 'outside' });
    if (access.kind === 'clipboard')
      return access.class === 'read' ? marksOfServer({ source: 'the clipboard', whose: 'outside' }) : [];
    // Whose text it is besides, its tool says.
    if (access.kind === 'account') return marksFrom(access.account === 'gmail' ? 'your mail' : 'your calendar', false);
    if (access.kind === 'variable') return marksFrom(`environment variable ${access.name}`, !access.isPlain);
    return [];
  });
  return eachOnce(marks);
}

/** Of a file, a folder, or something that is opened. */
function pathOf(access: Access): string | undefined {
  return access.kind === 'file' ? access.path : openedPath(access);
}

/** The marks of a server's text, by the user's setting for that server. */
export function marksOfServer({
  source,
  whose,
}: {
  readonly source: string;
  readonly whose: McpAccess['text'];
}): Mark[] {
  const untrusted: Mark = { kind: 'untrusted', source };
  const ofPerson: Mark = { kind: 'private', source };
  return whose === 'public' ? [untrusted] : whose === 'own' ? [ofPerson] : [untrusted, ofPerson];
}

/** The source text for a command's output. `line`: as one would type it. */
export function outputOf(line: string): string {
  return `output of ${firstCharacters(line, SHOWN_OF_COMMAND)}`;
}

export function eachOnce<M extends Mark>(marks: readonly M[]): readonly M[] {
  return [...new Map(marks.map((mark) => [`${mark.kind} ${mark.source}`, mark])).values()];
}

function marksFrom(source: string, isSecret: boolean): Mark[] {
  return isSecret
    ? [
        { kind: 'private', source },
        { kind: 'secret', source },
      ]
    : [{ kind: 'private', source }];
}

function filesIn(folder: string): string {
  return `files in ${folder === '' ? 'the workspace' : folder}`;
}
