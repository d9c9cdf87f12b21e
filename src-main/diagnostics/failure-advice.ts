import { constants } from 'node:os';
import type { DoctorAdvice } from '../../src-preload/contract/server-doctor.ts';
import type { ServerProblem } from '../mcp/status/server-problem.ts';
import type { ServerState } from '../mcp/status/server-state.ts';
import type { McpServerConfig } from '../settings/config-schema.ts';
import { runtimesOf } from './runtimes.ts';

/** Errors of an old Node on newer code, and of npm on a package that needs another version. */
const OTHER_NODE =
  /EBADENGINE|Unsupported engine|ERR_REQUIRE_ESM|ERR_UNKNOWN_BUILTIN_MODULE|ERR_UNKNOWN_FILE_EXTENSION|SyntaxError: (?:Unexpected|Invalid)|does not provide an export named|ReferenceError: \w+ is not defined|requires? Node/i;
const MISSING_MODULE =
  /ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND|Cannot find (?:module|package)|ModuleNotFoundError|No module named|can't open file|No such file or directory|Project file does not exist/i;
const NO_DOCKER = /Cannot connect to the Docker daemon|error during connect|docker daemon is not running/i;
const NO_SDK = /No \.NET SDKs|compatible \.NET SDK was not found|No frameworks were found/i;

/** Signals that the system sends to a program that made a mistake. */
const CRASHES: ReadonlySet<string> = new Set(['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV', 'SIGSYS', 'SIGTRAP']);

/** What the advice depends on. */
type Entry = Pick<McpServerConfig, 'command' | 'transport'>;
type ServerFailed = Extract<ServerState, { readonly problem: ServerProblem }>;
type Exit = Extract<ServerProblem, { code: 'exited' }>;

/** The advice for a server that may be connected, and only has no list of its tools. */
export function adviceForState(
  { name, problem }: Pick<ServerFailed, 'name' | 'problem'>,
  entry: Entry,
  nodeVersion?: string,
): readonly DoctorAdvice[] {
  return name === 'listing-failed' ? [{ code: 'listing_failed' }] : adviceFor(problem, entry, nodeVersion);
}

/** Advice on a failed start. `nodeVersion` is that of the Node that the command would use, if known. */
export function adviceFor(problem: ServerProblem, entry: Entry, nodeVersion?: string): readonly DoctorAdvice[] {
  switch (problem.code) {
    case 'secret_missing':
      return [{ code: 'set_secret', name: problem.secret }];
    case 'command_not_found':
      return missingProgram(problem.command);
    case 'exited':
      return adviceForExit(problem, entry, nodeVersion);
    case 'timed_out':
      return [{ code: 'slow_start' }];
    case 'http_status':
      return adviceForStatus(problem.status, entry);
    case 'address_not_allowed':
      return [{ code: 'private_address' }];
    case 'unreviewed_files':
      return [];
    case 'not_configured':
      return [{ code: 'edit' }];
    case 'not_started':
      return [{ code: 'check_program' }];
    case 'unreachable':
      return [{ code: 'check_connection' }];
    case 'other_content':
    case 'protocol':
      return [{ code: 'not_mcp' }];
  }
}

export function missingProgram(command: string): readonly DoctorAdvice[] {
  const [runtime] = runtimesOf(command);
  // npx comes with Node.
  if (runtime !== undefined)
    return [{ code: 'install', program: runtime === 'npx' ? 'node' : runtime }, fullPath(command)];
  return [fullPath(command)];
}

function fullPath(command: string): DoctorAdvice {
  return { code: 'full_path', command };
}

/** Shells, npx and docker report the signal that ended what they ran as 128 and its number. */
function signalOf({ exitCode, signal }: Pick<Exit, 'exitCode' | 'signal'>): string | undefined {
  if (signal !== null || exitCode === null) return signal ?? undefined;
  return Object.entries(constants.signals).find(([, number]) => number === exitCode - 128)?.[0];
}

function adviceForExit(
  { exitCode, signal, output: { lines } }: Exit,
  { command = '' }: Entry,
  nodeVersion: string | undefined,
): readonly DoctorAdvice[] {
  const runtimes = runtimesOf(command);
  if (NO_DOCKER.test(lines)) return [{ code: 'start_docker' }];
  if (NO_SDK.test(lines)) return [{ code: 'install', program: 'dotnet' }];
  if (MISSING_MODULE.test(lines)) return [{ code: 'missing_module' }];
  if (runtimes.includes('node') && OTHER_NODE.test(lines))
    return [{ code: 'other_node', version: nodeVersion ?? null }];
  const endedBy = signalOf({ exitCode, signal });
  if (endedBy !== undefined)
    return [{ code: CRASHES.has(endedBy) ? 'crashed' : 'ended_from_outside', signal: endedBy }];
  return [{ code: 'read_stderr' }];
}

function adviceForStatus(status: number, { transport }: Entry): readonly DoctorAdvice[] {
  const otherTransport = { code: 'other_transport', use: transport === 'sse' ? 'http' : 'sse' } as const;
  switch (status) {
    case 401:
      return [{ code: 'sign_in' }];
    case 403:
      return [{ code: 'forbidden' }];
    case 404:
      return [{ code: 'check_url' }, otherTransport];
    case 400:
    case 405:
      return [otherTransport];
    case 429:
      return [{ code: 'try_later' }];
    default:
      return [{ code: status >= 500 ? 'try_later' : 'check_url' }];
  }
}
