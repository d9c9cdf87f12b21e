import type { TemplateId } from '../../../src-preload/contract/servers.ts';
import { isRecord } from '../../base/json.ts';
import type { ServerPermission } from '../mcp/held-permissions.ts';
import { knownServerText } from '../mcp/known-servers.ts';
import type { QuestionPart } from './question-parts.ts';

/** Among many tools, the first ones tell which server it is. */
const MAX_NAMES = 5;

export type ServerSubject = 'mcp-server' | 'mcp-test';

/** It is started here; otherwise it is reached by an address. */
export function isProgram(value: unknown): boolean {
  return !isRecord(value) || (value.transport !== 'http' && value.transport !== 'sse');
}

export function serverTitle(subject: ServerSubject, value: unknown): string {
  if (subject === 'mcp-test')
    return isProgram(value) ? 'Start this program once, to test it?' : 'Connect to this server once, to test it?';
  return isProgram(value) ? 'Start this program on your computer?' : 'Connect to this server?';
}

/**
 * What a server may do once it is reached, and what follows. Of a program, the consequences say what it may do
 * (`runs_program`).
 */
export function serverRightsPart(subject: ServerSubject, value: unknown): QuestionPart {
  const next =
    subject === 'mcp-test'
      ? 'The assistant gets nothing from it, and it is stopped afterwards.'
      : 'Next, you review what it offers the assistant.';
  if (isProgram(value)) return { kind: 'note', title: 'What happens then', text: next };
  const may = 'It receives what the assistant puts in a call.';
  return { kind: 'note', title: 'What it may then do', text: `${may} ${next}` };
}

/** Steward's table gives classes to what its template set up: the user confirms those as well. */
export function knownServerPart(template: TemplateId | undefined): QuestionPart[] {
  if (template === undefined) return [];
  const text = `${knownServerText(template)}\nConfirm only if the folder above holds that program.`;
  return [{ kind: 'text', title: 'Known server', text }];
}

/** One line. */
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
  // Names are the server's: one may hold a line break.
  const shown = names.slice(0, MAX_NAMES).map((name) => (/[\n\r]/.test(name) ? JSON.stringify(name) : name));
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}
