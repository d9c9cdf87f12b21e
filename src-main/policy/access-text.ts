import { programNamed } from '../../src-preload/contract/client-reason.ts';
import type {
  Access,
  AccessClass,
  AccountAccess,
  ExecuteAccess,
  McpAccess,
  McpClass,
  McpClassSource,
  SendAccess,
} from './access.ts';

type TouchedAccess = Exclude<Access, ExecuteAccess>;

/** The text of an access, for questions. Contains raw untrusted content: make invisible characters visible before showing it. */
export function describeAccess(access: TouchedAccess): string {
  if ('path' in access) {
    const where = access.outsideRoots ? ', outside the workspace and the granted folders' : '';
    const secret = access.isSecret === true ? ', which usually holds secrets' : '';
    const verb = access.isNew === true ? 'create' : 'change';
    return `${access.class === 'read' ? 'read' : verb} the ${access.kind === 'file' ? 'file' : 'folder'} ${access.path}${where}${secret}`;
  }
  if ('kind' in access && access.kind === 'mcp') return describeMcpCall(access);
  if ('kind' in access && access.kind === 'client')
    return `use ${access.tool} of ${programNamed(access.client)}\nNothing says what this tool does.`;
  if ('kind' in access && access.kind === 'clipboard')
    return access.class === 'read' ? 'read the text on the clipboard' : 'replace what is on the clipboard';
  if ('kind' in access && access.kind === 'account') return describeAccount(access);
  if ('host' in access) {
    const where = access.class === 'network-private' ? 'your own machine or network: ' : '';
    const secrets = access.isMetadata === true ? ', which gives out a cloud machine’s credentials' : '';
    if (access.isArgument === true)
      return `pass on the address ${access.url}\nwhich leads to ${where}${access.host}${secrets}`;
    const direction = /^(?:GET|HEAD)$/i.test(access.method) ? 'from' : 'to';
    return `${access.method} ${access.url}\n${direction} ${where}${access.host}${secrets}`;
  }
  if (access.class === 'send') return describeSend(access);
  if (access.kind === 'environment')
    return `read the environment variable ${access.name}${access.isPlain ? '' : ', which may hold a secret'}`;
  return access.class === 'read' ? "read Steward's own data" : "change Steward's own data";
}

/** One for each recipient; those outside the user's organisation are marked. */
export function recipientTexts({
  recipients,
  external = [],
}: Pick<SendAccess, 'recipients' | 'external'>): readonly string[] {
  return recipients.map((each) => (external.includes(each) ? `${each}  (outside your organisation)` : each));
}

function describeSend(access: SendAccess): string {
  const { sends, subject, text } = access;
  return `${sends === 'invitation' ? 'invite' : 'send to'} ${recipientTexts(access).join(', ')}:\n${subject === undefined ? '' : `Subject: ${subject}\n\n`}${text}`;
}

function describeAccount({ class: accountClass, account, calendar }: AccountAccess): string {
  if (account === 'gmail') return accountClass === 'read' ? 'read your mail' : 'change your mailbox';
  const which = calendar === undefined ? 'your calendar' : `the calendar ${calendar}`;
  if (accountClass === 'read') return `read ${which}`;
  return calendar === undefined ? `change ${which}` : `change ${which}, which other people may see`;
}

function describeMcpCall({ class: mcpClass, classFrom, server, tool, content, remoteHost }: McpAccess): string {
  const where = remoteHost === null ? '' : `, which runs at ${remoteHost}`;
  if (content !== undefined) {
    const reviewed = classFrom === 'person' ? 'You have reviewed this server.' : 'You have not reviewed this server.';
    return `read ${content} of the MCP server ${server}${where}\n${reviewed}`;
  }
  return `use ${tool} of the MCP server ${server}${where}\n${MCP_CLASS_SOURCES[classFrom](MCP_CLASSES[mcpClass])}`;
}

/**
 * The short label of an access: its class, unless nobody but the server vouches for it. A server's tool was reviewed before it was offered, so
 * its class is at most unverified; resources and prompts of a server are `unreviewed` until its definitions are accepted.
 */
export function shownClass(access: TouchedAccess): AccessClass | 'unreviewed' | 'unverified' {
  if (!('kind' in access)) return access.class;
  if (access.kind === 'client') return access.requiresPermission ? 'execute' : 'unreviewed';
  if (access.kind !== 'mcp' || access.class === 'send') return access.class;
  if (access.classFrom === 'table' || access.classFrom === 'person') return access.class;
  return access.content === undefined ? 'unverified' : 'unreviewed';
}

const MCP_CLASSES: Readonly<Record<McpClass, string>> = {
  read: 'only reads',
  write: 'changes something',
  send: 'reaches other people',
};

const MCP_CLASS_SOURCES: Readonly<Record<McpClassSource, (does: string) => string>> = {
  table: (does) => `Steward knows that this tool ${does}.`,
  person: (does) => `You said that this tool ${does}.`,
  claim: (does) => `The server claims that this tool ${does}. This is unverified.`,
  none: () => 'Nothing says what this tool does.',
};

/** A shell line verbatim; for a command without a shell, words are JSON-quoted where their boundaries would be unclear. */
export function commandLine(command: ExecuteAccess['command']): string {
  if (command.kind === 'shell') return command.line;
  return command.argv
    .map((word) => (/^[\p{L}\p{N}_@%+=:,./\\-]+$/u.test(word) ? word : JSON.stringify(word)))
    .join(' ');
}
