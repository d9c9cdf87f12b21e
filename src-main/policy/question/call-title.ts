import { basename } from 'node:path';
import {
  type Access,
  type AccountAccess,
  type ClientAccess,
  type CommandAccess,
  type FileAccess,
  type InvitationAccess,
  isEvent,
  isMessage,
  type MailAccess,
  type McpAccess,
} from '../access.ts';
import { commandLine } from '../access-text.ts';
import { openedPath } from '../commands/openers.ts';
import type { ToolConsentRequest } from '../consent.ts';
import { hostOf } from '../effective-access.ts';

/** A longer name is shown in the card's parts instead of its title. */
const LONGEST_NAME = 80;
/** A name that can't be mistaken for our own words. */
const PLAIN_NAME = /^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}._@+-]*$/u;

type AccessOf<Shape> = Extract<Access, Shape>;

/**
 * The question in plain words: `Run a command?`, `Change notes.md?`. Derived from the accesses, unless the tool has a better
 * wording; the tool's name is shown below. A name in the title is untrusted, and quoted where it could be mistaken for our own
 * words.
 */
export function callTitle({ asked, access, previews }: ToolConsentRequest): string {
  if (asked !== undefined) return asked;
  const commands = access.filter((each) => each.kind === 'command');
  if (isAll(commands, access)) return commandQuestion(commands);
  const files = access.filter((each): each is FileAccess => each.kind === 'file');
  if (isAll(files, access)) return fileQuestion(files, previews);
  const requests = access.filter((each): each is AccessOf<{ host: string }> => each.kind === 'request');
  if (isAll(requests, access)) return named('Send a request to', requests.map(hostOf), 'address', 'addresses');
  const ofServers = access.filter((each): each is McpAccess => isOfKind(each, 'mcp'));
  if (ofServers.length > 0) return serverQuestion(ofServers);
  const ofClients = access.filter((each): each is ClientAccess => isOfKind(each, 'client'));
  if (ofClients.length > 0) return clientQuestion(ofClients);
  const sends = access.filter(isMessage);
  const invitations = sends.filter((each) => each.kind === 'invitation');
  if (invitations.length > 0) return named('Invite', recipientsOf(invitations), 'guest', 'guests');
  if (isAll(sends, access)) return named('Send to', recipientsOf(sends), 'recipient', 'recipients');
  const accounts = access.filter((each): each is AccountAccess => isOfKind(each, 'account'));
  if (isAll(accounts, access)) return accountQuestion(accounts);
  const variables = access.filter((each): each is AccessOf<{ kind: 'variable' }> => isOfKind(each, 'variable'));
  if (isAll(variables, access))
    return named(
      'Read the variable',
      variables.map(({ name }) => name),
      'environment variable',
      'environment variables',
      'Read',
    );
  if (access.length > 0 && access.every((each) => isOfKind(each, 'clipboard')))
    return access.some((each) => each.class === 'write') ? 'Replace what is on the clipboard?' : 'Read the clipboard?';
  const isMemory = access.length > 0 && access.every((each) => isOfKind(each, 'app') && each.class === 'write');
  return isMemory ? 'Change what Steward remembers?' : 'Use this tool?';
}

/** The title for several similar calls: `Create 3 files?`. */
export function groupTitle(calls: readonly ToolConsentRequest[]): string {
  const [first] = calls;
  if (first === undefined) return 'Use this tool?';
  const access = calls.flatMap((call) => call.access);
  const previews = calls.flatMap((call) => call.previews);
  const title = callTitle({ ...first, asked: undefined, access, previews });
  return title === 'Use this tool?' ? `Use this tool ${calls.length} times?` : title;
}

/** What distinguishes a call from others of its tool: the address, the command, the file. Untrusted. */
export function nameAmong({ access, tool }: ToolConsentRequest): string {
  const [first] = access;
  if (first === undefined) return tool;
  if (first.kind === 'file') return basename(first.path);
  if (first.kind === 'request') return first.url;
  if (first.kind === 'command') return openedPath(first) ?? commandLine(first.command);
  if ('kind' in first && (first.kind === 'mcp' || first.kind === 'client')) return first.tool;
  if (isEvent(first)) return first.event.title;
  if (isMessage(first)) return first.recipients.join(', ');
  return first.kind === 'variable' ? first.name : tool;
}

function commandQuestion(commands: readonly CommandAccess[]): string {
  const opened = commands.flatMap((command) => openedPath(command) ?? []);
  if (opened.length === commands.length)
    return named(
      'Open',
      opened.map((path) => basename(path)),
      'file',
      'files',
    );
  return commands.length === 1 ? 'Run a command?' : `Run ${commands.length} commands?`;
}

function recipientsOf(sends: readonly (MailAccess | InvitationAccess)[]): readonly string[] {
  return sends.flatMap((each) => each.recipients);
}

function accountQuestion(accesses: readonly AccountAccess[]): string {
  const whose = accesses.some((each) => each.calendar) ? 'a' : 'your';
  if (accesses.every(isEvent))
    return `Add ${accesses.length === 1 ? 'this event' : `${accesses.length} events`} to ${whose} calendar?`;
  const verb = accesses.every((each) => each.class === 'read') ? 'Read' : 'Change';
  const isMail = accesses.every((each) => each.account === 'gmail');
  return isMail ? `${verb} your mail?` : `${verb} ${whose} calendar?`;
}

/** Addresses in the arguments are shown below. */
function serverQuestion(calls: readonly McpAccess[]): string {
  const contents = calls.filter(({ content }) => content !== undefined);
  if (contents.length === calls.length) {
    const [{ server = '', content = 'resources' } = {}] = contents;
    const one = `${content} of ${shownName(server)}`;
    return contents.length > 1 || one.length > LONGEST_NAME ? `Read ${content} of MCP servers?` : `Read ${one}?`;
  }
  const names = calls.map(({ server, tool }) => `${shownName(tool)} of ${shownName(server)}`);
  const [name = ''] = names;
  if (new Set(names).size > 1) return `Use ${names.length} tools of servers?`;
  return name.length > LONGEST_NAME ? 'Use a tool of a server?' : `Use ${name}?`;
}

/** Always in quotes: a program can give itself any name. */
function clientQuestion(calls: readonly ClientAccess[]): string {
  const names = calls.map(({ client, tool }) => `${shownName(tool)} of “${client}”`);
  const [name = ''] = names;
  if (new Set(names).size > 1) return `Use ${names.length} tools of programs?`;
  return name.length > LONGEST_NAME ? 'Use a tool of a program?' : `Use ${name}?`;
}

function shownName(name: string): string {
  return PLAIN_NAME.test(name) ? name : `“${name}”`;
}

function fileQuestion(files: readonly FileAccess[], previews: ToolConsentRequest['previews']): string {
  const areRead = files.every((file) => file.class === 'read');
  if (!areRead && files.some((file) => file.class === 'read')) return 'Read and change files?';
  const isNew = (path: string) => previews.some((each) => each.kind === 'diff' && each.path === path && each.isNewFile);
  const verb = areRead ? 'Read' : files.every(({ path }) => isNew(path)) ? 'Create' : 'Change';
  const areFolders = files.every((file) => file.isFolder === true);
  const names = files.map(({ path }) => basename(path));
  return areFolders
    ? named(`${verb} the folder`, names, 'folder', 'folders', verb)
    : named(verb, names, 'file', 'files');
}

/** For one, its name; for several, their number. */
function named(verb: string, names: readonly string[], one: string, many: string, verbOfMany = verb): string {
  const different = [...new Set(names)];
  const [name = ''] = different;
  if (different.length > 1) return `${verbOfMany} ${different.length} ${many}?`;
  if (name === '' || name.length > LONGEST_NAME) return `${verbOfMany} ${/^[aeiou]/.test(one) ? 'an' : 'a'} ${one}?`;
  return `${verb} ${shownName(name)}?`;
}

function isAll(some: readonly Access[], all: readonly Access[]): boolean {
  return some.length > 0 && some.length === all.length;
}

function isOfKind<Kind extends 'account' | 'client' | 'clipboard' | 'app' | 'variable' | 'mcp'>(
  access: Access,
  kind: Kind,
): access is AccessOf<{ kind: Kind }> {
  return access.kind === kind;
}
