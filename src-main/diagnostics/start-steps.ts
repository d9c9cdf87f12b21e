import type { ServerLogEntry } from '../../src-preload/contract/server-diagnostics.ts';
import type { DoctorAdvice, DoctorFact, DoctorStep } from '../../src-preload/contract/server-doctor.ts';
import { untilAborted } from '../base/until-aborted.ts';
import type { McpConnection } from '../mcp/connection.ts';
import { problemText, type ServerProblem } from '../mcp/status/server-problem.ts';
import { isConnected, type ServerState } from '../mcp/status/server-state.ts';
import type { McpServerConfig } from '../settings/config-schema.ts';
import { adviceForState } from './failure-advice.ts';

const SHOWN_LINES = 10;
/** The state that `McpConnection` logs. */
const STARTING: ServerState['name'] = 'starting';
/** The probe for the era; a server of the older era may reject or ignore it. */
const PROBE = 'server/discover';

/**
 * Starts the server unless it is running, on its own connection, so that its log is complete. Rejects only with the
 * signal's reason.
 */
export async function startSteps(
  connection: McpConnection,
  entry: McpServerConfig,
  nodeVersion: string | undefined,
  signal: AbortSignal,
): Promise<readonly DoctorStep[]> {
  const { state: before, log } = connection;
  const wasRunning = isConnected(before);
  if (before.name !== 'ready' && before.name !== 'needs-sign-in') await untilAborted(connection.start(), signal);
  // The server may already have been starting.
  const started = log.entries.findLast(({ kind, text }) => kind === 'state' && text === STARTING)?.number ?? 0;
  const entries = log.entries.filter(({ number }) => number > started);
  return [startStep(connection, entry, entries, wasRunning, nodeVersion), messagesStep(entries, connection)];
}

function startStep(
  connection: McpConnection,
  entry: McpServerConfig,
  entries: readonly ServerLogEntry[],
  wasRunning: boolean,
  nodeVersion: string | undefined,
): DoctorStep {
  const { state } = connection;
  const stray = entries.filter(({ kind }) => kind === 'stray').map(({ text }) => text);
  const strayFacts: DoctorFact[] =
    stray.length === 0 ? [] : [{ code: 'stray', count: stray.length, lines: stray.slice(0, SHOWN_LINES) }];
  const strayAdvice: DoctorAdvice[] = stray.length === 0 ? [] : [strayAdviceFor(entry)];
  if (state.name === 'ready')
    return {
      id: 'start',
      outcome: stray.length === 0 ? 'ok' : 'warning',
      facts: [readyFact(connection, wasRunning), ...strayFacts],
      advice: strayAdvice,
    };
  if (state.name === 'needs-sign-in')
    return { id: 'start', outcome: 'problem', facts: [{ code: 'sign_in' }], advice: [{ code: 'sign_in' }] };
  if (state.name !== 'failed' && state.name !== 'listing-failed')
    return { id: 'start', outcome: 'skipped', facts: [{ code: 'said', text: state.name }], advice: [] };
  const stderr = entries.filter(({ kind }) => kind === 'stderr').map(({ text }) => text);
  const stderrFacts: DoctorFact[] = stderr.length === 0 ? [] : [{ code: 'stderr', lines: stderr.slice(-SHOWN_LINES) }];
  return {
    id: 'start',
    outcome: 'problem',
    facts: [...listingFacts(state), problemFact(state.problem), ...stderrFacts, ...strayFacts],
    advice: [...adviceForState(state, entry, nodeVersion), ...strayAdvice],
  };
}

function listingFacts({ name }: ServerState): readonly DoctorFact[] {
  return name === 'listing-failed' ? [{ code: 'listing_failed' }] : [];
}

function readyFact(connection: McpConnection, wasRunning: boolean): DoctorFact {
  const { pid, protocolVersion, era, list } = connection;
  return {
    code: 'ready',
    wasRunning,
    tools: list?.tools.length ?? 0,
    ...(pid === undefined ? {} : { pid }),
    ...(protocolVersion === undefined ? {} : { protocolVersion }),
    ...(era === undefined ? {} : { era }),
  };
}

/** These are usually the build messages of `dotnet run`. */
function strayAdviceFor({ command = '', args }: McpServerConfig): DoctorAdvice {
  const builds = /(?:^|[\\/])dotnet(?:\.exe)?$/i.test(command) && args[0] === 'run' && !args.includes('--no-build');
  return { code: builds ? 'dotnet_build' : 'keep_stdout_clean' };
}

function problemFact(problem: ServerProblem): DoctorFact {
  switch (problem.code) {
    case 'not_configured':
      return { code: 'not_configured' };
    case 'secret_missing':
      return { code: 'keychain_entry', name: problem.secret, isSet: false };
    case 'command_not_found':
      return { code: 'program_missing', command: problem.command };
    case 'exited':
      return { code: 'exited', exitCode: problem.exitCode, signal: problem.signal };
    case 'timed_out':
      return { code: 'timed_out', seconds: problem.seconds };
    case 'http_status':
      return { code: 'http_status', status: problem.status, body: problem.text };
    case 'address_not_allowed':
      return { code: 'became_private', addresses: [problem.url] };
    case 'other_content':
    case 'unreviewed_files':
      return { code: 'said', text: problemText(problem) };
    case 'not_started':
    case 'unreachable':
    case 'protocol':
      return { code: 'said', text: problem.reason };
  }
}

/** The exchanged messages, and the first one that failed. */
function messagesStep(entries: readonly ServerLogEntry[], { state }: McpConnection): DoctorStep {
  const messages = entries.filter(({ message }) => message !== undefined);
  const count = (direction: 'sent' | 'received') => messages.filter(({ kind }) => kind === direction).length;
  const facts: DoctorFact[] = [{ code: 'messages', sent: count('sent'), received: count('received') }];
  // Once the server is ready, failed messages (such as pings) are irrelevant here.
  const failed = state.name === 'ready' ? undefined : firstFailed(messages);
  if (failed === undefined)
    return { id: 'messages', outcome: messages.length === 0 ? 'skipped' : 'ok', facts, advice: [] };
  return { id: 'messages', outcome: 'problem', facts: [...facts, failed], advice: [] };
}

function firstFailed(messages: readonly ServerLogEntry[]): DoctorFact | undefined {
  const isAnswered = ({ number, message: request }: ServerLogEntry) =>
    messages.some(
      ({ number: later, kind, message }) => later > number && kind === 'received' && message?.id === request?.id,
    );
  const found = messages.find(
    (entry) =>
      entry.message?.method !== PROBE &&
      (entry.message?.kind === 'error' ||
        (entry.kind === 'sent' && entry.message?.kind === 'request' && !isAnswered(entry))),
  );
  if (found === undefined) return undefined;
  return {
    code: 'message',
    kind: found.message?.kind === 'error' ? 'error' : 'unanswered',
    direction: found.kind === 'sent' ? 'sent' : 'received',
    method: found.message?.method ?? null,
    text: found.text,
  };
}
