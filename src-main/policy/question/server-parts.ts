import type { Consequence } from '../../../src-preload/contract/consequence.ts';
import type { TemplateId } from '../../../src-preload/contract/servers.ts';
import type { ServerLaunch } from '../../settings/permission-grants.ts';
import type { ServerPermission } from '../mcp/held-permissions.ts';
import { knownServerText } from '../mcp/known-servers.ts';
import type { GrantedValue } from '../permission-grant.ts';
import { valuePart } from './grant-subject.ts';
import type { QuestionPart } from './question-parts.ts';
import { serverText } from './server-text.ts';

/** The first names of a long list show which server it is. */
const MAX_NAMES = 5;

type ServerSubject = 'mcp-server' | 'mcp-test';

/** Whether the server is a program that is started here. Otherwise it is reached at an address. */
function isProgram({ transport }: ServerLaunch): boolean {
  return transport !== 'http' && transport !== 'sse';
}

export function serverTitle(subject: ServerSubject, value: ServerLaunch): string {
  if (subject === 'mcp-test')
    return isProgram(value) ? 'Start this program once, to test it?' : 'Connect to this server once, to test it?';
  return isProgram(value) ? 'Start this program on your computer?' : 'Connect to this server?';
}

export function serverRisk(value: ServerLaunch): Consequence | undefined {
  return isProgram(value) ? { code: 'runs_program' } : undefined;
}

/** Shows what is started or reached, what it may then do, and which known program it is. */
export function serverParts(grant: GrantedValue<ServerSubject>): readonly QuestionPart[] {
  const { subject, value, template } = grant;
  const title = isProgram(value) ? 'Program' : 'Server';
  return [valuePart(title, grant, serverText), serverRightsPart(subject, value), ...knownServerPart(template)];
}

/**
 * Says what a server may do once it is reached, and what follows from that. For a program, the consequences say it
 * (`runs_program`).
 */
function serverRightsPart(subject: ServerSubject, value: ServerLaunch): QuestionPart {
  const next =
    subject === 'mcp-test'
      ? 'The assistant gets nothing from it, and it is stopped afterwards.'
      : 'Next, you review what it offers the assistant.';
  if (isProgram(value)) return { kind: 'note', title: 'What happens then', text: next };
  const may = 'It receives what the assistant puts in a call.';
  return { kind: 'note', title: 'What it may then do', text: `${may} ${next}` };
}

/**
 * Says that Steward's table gives classes to the tools of this template. The user confirms those along with the server.
 */
function knownServerPart(template: TemplateId | undefined): QuestionPart[] {
  if (template === undefined) return [];
  const text = `${knownServerText(template)}\nConfirm only if the folder above holds that program.`;
  return [{ kind: 'text', title: 'Known server', text }];
}

/** Says in one line what was permitted. */
export function permissionText(permission: ServerPermission): string {
  switch (permission.kind) {
    case 'class': {
      const { tools } = permission;
      const count = tools.length === 1 ? '1 tool' : `${tools.length} tools`;
      return permission.class === 'read'
        ? `${count} ran without asking: ${someOf(tools)}`
        : `${count} had the class Write: ${someOf(tools)}`;
    }
    case 'text':
      return permission.text === 'own' ? 'Its text counted as only yours.' : 'Its text counted as public.';
    case 'rules': {
      const { labels } = permission;
      return labels.length === 1 ? `1 rule: ${someOf(labels)}` : `${labels.length} rules: ${someOf(labels)}`;
    }
    case 'reviewed':
      return 'Its tools and instructions were reviewed. You review them again before they are used.';
  }
}

function someOf(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  // A server chooses its names, so one may hold a line break and imitate a second line of the question.
  const shown = names.slice(0, MAX_NAMES).map((name) => (/[\n\r]/.test(name) ? JSON.stringify(name) : name));
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}
