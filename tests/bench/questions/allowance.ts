import { dirname, join } from 'node:path/posix';
import { invitesGuests, lineOf } from './person.ts';
import type { Played } from './play.ts';
import { callsOf, type Session } from './session.ts';

/**
 * `git status`, `log`, `diff` and `show` may run what a repository's configuration names: one question answers for all.
 */
const LOOKS_INTO_REPOSITORY = /^git (?:status|log|diff|show)\b/;

/** Questions of a session that a user who answered the first one of its kind would not expect. */
export function questionsBeyond({ session, questions }: Played): number {
  const allowed = allowance(session);
  const beyond = (['edit', 'command', 'host', 'send', 'calendar'] as const).map(
    (kind) => questions.filter((question) => question.kind === kind).length - allowed[kind],
  );
  return beyond.reduce((sum, count) => sum + Math.max(0, count), 0);
}

/**
 * Folders of edits, exact command lines that do not only read, hosts that neither the user nor a mail named, mails and
 * invitations, the calendar: all by the script alone.
 */
function allowance(session: Session): Readonly<Record<'edit' | 'command' | 'host' | 'send' | 'calendar', number>> {
  const calls = callsOf(session);
  const mails = (session.google?.mails ?? []).map(({ text = '', html = '' }) => `${text}${html}`);
  const said = [...session.turns.map(({ person }) => person), ...mails].join('\n');
  const events = calls.filter(({ tool }) => tool === 'calendar_create_event').map(({ input }) => invitesGuests(input));
  const edits = calls.filter(({ tool }) => ['edit', 'write_file', 'append_file'].includes(tool));
  const folders = edits.map(({ input }) => dirname(join('.', String(input.file_path ?? input.path))));
  const lines = calls.filter(({ onlyReads }) => onlyReads !== true).map(({ input }) => lineOf(input));
  const commands = lines.map((line) => (LOOKS_INTO_REPOSITORY.test(line) ? 'git' : line)).filter((line) => line !== '');
  const killed = calls.filter(({ tool }) => tool === 'kill_shell').map(({ input }) => `kill ${String(input.shell_id)}`);
  return {
    edit: new Set(folders).size,
    command: new Set([...commands, ...killed]).size,
    send: calls.filter(({ tool }) => tool === 'gmail_send').length + events.filter((invites) => invites).length,
    calendar: events.includes(false) ? 1 : 0,
    host: new Set(calls.flatMap(hostsOf).filter((host) => !said.includes(host))).size,
  };
}

function hostsOf({
  tool,
  input,
}: {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}): string[] {
  if (tool === 'web_search') return ['search'];
  if (tool.startsWith('linkedin_')) return ['www.linkedin.com'];
  const url = String(input.url ?? '').replace('{port}', '1');
  return URL.canParse(url) ? [new URL(url).hostname] : [];
}
