import type { Access, ExecuteAccess } from './access.ts';

/** The text of an access, for questions. Contains raw untrusted content: make invisible characters visible before showing it. */
export function describeAccess(access: Exclude<Access, ExecuteAccess>): string {
  if ('path' in access) {
    const where = access.outsideRoots ? ', outside the workspace and the granted folders' : '';
    const secret = access.isSecret === true ? ', which usually holds secrets' : '';
    const verb = access.isNew === true ? 'create' : 'change';
    return `${access.class === 'read' ? 'read' : verb} the ${access.kind === 'file' ? 'file' : 'folder'} ${access.path}${where}${secret}`;
  }
  if ('host' in access) {
    const where = access.class === 'network-private' ? 'your own machine or network: ' : '';
    const direction = /^(?:GET|HEAD)$/i.test(access.method) ? 'from' : 'to';
    const secrets = access.isMetadata === true ? ', which gives out a cloud machine’s credentials' : '';
    return `${access.method} ${access.url}\n${direction} ${where}${access.host}${secrets}`;
  }
  if (access.class === 'send') return `send to ${access.recipients.join(', ')}:\n${access.text}`;
  if (access.kind === 'environment')
    return `read the environment variable ${access.name}${access.isPlain ? '' : ', which may hold a secret'}`;
  return access.class === 'read' ? "read Steward's own data" : "change Steward's own data";
}

/** A shell line verbatim; for a command without a shell, words are JSON-quoted where their boundaries would be unclear. */
export function commandLine(command: ExecuteAccess['command']): string {
  if (command.kind === 'shell') return command.line;
  return command.argv
    .map((word) => (/^[\p{L}\p{N}_@%+=:,./\\-]+$/u.test(word) ? word : JSON.stringify(word)))
    .join(' ');
}
