import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter } from 'node:path';
import type { DoctorAdvice, DoctorFact, DoctorStep, RuntimeName } from '../../src-preload/contract/server-doctor.ts';
import { errorMessage } from '../base/errors.ts';
import type { ServerSurroundings } from '../mcp/server-surroundings.ts';
import { inheritedEnvironment } from '../mcp/transport/server-environment.ts';
import { batchFileCommand, isBatchFile } from '../processes/batch-file.ts';
import { findExecutable } from '../processes/find-executable.ts';
import type { McpServerConfig } from '../settings/config-schema.ts';
import { keychainReferences } from '../settings/keychain-placeholders.ts';
import { missingProgram } from './failure-advice.ts';
import { runtimesOf, versionArguments, versionIn } from './runtimes.ts';

const VERSION_WITHIN_MS = 10_000;
/** Most servers use features that older versions lack. */
const OLDEST_NODE = 18;

/** The entry's fields as written, without secrets. */
export function entryStep(entry: McpServerConfig, isConfirmed: boolean, redact: (text: string) => string): DoctorStep {
  const { transport, command, args, env, url, headers } = entry;
  const written: readonly (readonly [string, string | undefined])[] = [
    ['transport', transport],
    ['command', command],
    ['args', args.length === 0 ? undefined : JSON.stringify(args)],
    ['env', Object.keys(env).join(', ') || undefined],
    ['url', url],
    ['headers', Object.keys(headers).join(', ') || undefined],
  ];
  const facts: DoctorFact[] = written.flatMap(([name, value]) =>
    value === undefined ? [] : [{ code: 'field', name, value: redact(value) } as const],
  );
  if (transport === 'bundled')
    return { id: 'entry', outcome: 'ok', facts: [...facts, { code: 'bundled' }], advice: [] };
  const isUsable = transport === 'stdio' ? command !== undefined : url !== undefined;
  if (!isUsable) return { id: 'entry', outcome: 'problem', facts: [...facts, { code: 'not_configured' }], advice: [] };
  const notices: DoctorFact[] = [];
  const advice: DoctorAdvice[] = [];
  if (!isConfirmed) {
    notices.push({ code: 'not_confirmed' });
    advice.push({ code: 'confirm' });
  }
  if (entry.enabled === false) {
    notices.push({ code: 'disabled' });
    advice.push({ code: 'enable' });
  }
  return { id: 'entry', outcome: notices.length === 0 ? 'ok' : 'warning', facts: [...facts, ...notices], advice };
}

/** The keychain entries it refers to, and whether they exist. No step if there are none. */
export async function secretsStep(
  server: string,
  entry: McpServerConfig,
  { secretOf }: Pick<ServerSurroundings, 'secretOf'>,
): Promise<DoctorStep | undefined> {
  const names = keychainReferences(entry);
  if (names.length === 0) return undefined;
  const facts = await Promise.all(
    names.map(async (name) => {
      // A name that is not allowed can't exist either.
      const value = await secretOf(server, name).catch(() => undefined);
      return { code: 'keychain_entry', name, isSet: value !== undefined } as const;
    }),
  );
  const missing = facts.filter(({ isSet }) => !isSet);
  return {
    id: 'secrets',
    outcome: missing.length === 0 ? 'ok' : 'problem',
    facts,
    advice: missing.map(({ name }) => ({ code: 'set_secret', name })),
  };
}

/** Where the entry's program is, and which folders were searched. `path` is undefined if it was not found. */
export async function programSteps(
  { command = '', env }: McpServerConfig,
  surroundings: Pick<ServerSurroundings, 'environment' | 'searchPath'>,
): Promise<{
  readonly steps: readonly DoctorStep[];
  readonly path: string | undefined;
  readonly environment: NodeJS.ProcessEnv;
}> {
  const [{ source }, ours] = await Promise.all([surroundings.searchPath(), surroundings.environment()]);
  const ownPath = env.PATH ?? env.Path;
  const environment: NodeJS.ProcessEnv = {
    ...inheritedEnvironment(ours),
    ...(ownPath === undefined ? {} : { PATH: ownPath }),
  };
  const folders = (environment.PATH ?? environment.Path ?? '').split(delimiter).filter((folder) => folder !== '');
  const path = await findExecutable(command, homedir(), environment);
  const directory = homedir();
  const steps: readonly DoctorStep[] = [
    {
      id: 'search_path',
      outcome: folders.length === 0 ? 'warning' : 'ok',
      facts: [{ code: 'search_path', source: ownPath === undefined ? source : 'entry', folders }],
      advice: [],
    },
    path === undefined
      ? {
          id: 'program',
          outcome: 'problem',
          facts: [{ code: 'program_missing', command }],
          advice: missingProgram(command),
        }
      : { id: 'program', outcome: 'ok', facts: [{ code: 'program', path }], advice: [] },
    {
      id: 'directory',
      outcome: existsSync(directory) ? 'ok' : 'problem',
      facts: [{ code: 'directory', path: directory, exists: existsSync(directory) }],
      advice: [],
    },
  ];
  return { steps, path, environment };
}

/** The versions of the runtimes its command needs, which runs each of them. No step if there are none. */
export async function runtimeStep(
  { command = '' }: McpServerConfig,
  program: string,
  environment: NodeJS.ProcessEnv,
  { processes, signal }: Pick<ServerSurroundings, 'processes'> & { readonly signal: AbortSignal },
): Promise<DoctorStep | undefined> {
  const runtimes = runtimesOf(command);
  if (runtimes.length === 0) return undefined;
  const facts: DoctorFact[] = [];
  const advice: DoctorAdvice[] = [];
  let outcome: DoctorStep['outcome'] = 'ok';
  for (const [index, runtime] of runtimes.entries()) {
    const path = index === 0 ? program : await findExecutable(runtime, homedir(), environment);
    if (path === undefined) {
      facts.push({ code: 'runtime_missing', runtime });
      advice.push({ code: 'install', program: runtime });
      outcome = 'problem';
      continue;
    }
    const { version, output } = await versionOf(runtime, path, environment, { processes, signal });
    if (version === undefined) {
      facts.push({ code: 'runtime_failed', runtime, output });
      advice.push(runtime === 'docker' ? { code: 'start_docker' } : { code: 'install', program: runtime });
      outcome = 'problem';
      continue;
    }
    facts.push({ code: 'runtime', runtime, version, path });
    if (runtime === 'node' && Number.parseInt(version, 10) < OLDEST_NODE) {
      advice.push({ code: 'other_node', version });
      if (outcome === 'ok') outcome = 'warning';
    }
  }
  return { id: 'runtime', outcome, facts, advice };
}

async function versionOf(
  runtime: RuntimeName,
  path: string,
  environment: NodeJS.ProcessEnv,
  { processes, signal }: Pick<ServerSurroundings, 'processes'> & { readonly signal: AbortSignal },
): Promise<{ readonly version: string | undefined; readonly output: string }> {
  const args = versionArguments(runtime);
  const program = isBatchFile(path) ? batchFileCommand(path, args, environment) : { command: path, args };
  try {
    const { stdout, stderr, exitCode } = await processes.run({
      ...program,
      directory: homedir(),
      environment,
      timeoutMs: VERSION_WITHIN_MS,
      signal,
    });
    const version = exitCode === 0 ? versionIn(stdout) : undefined;
    return { version, output: (stderr.trim() || stdout.trim()).slice(0, 500) };
  } catch (error) {
    return { version: undefined, output: errorMessage(error) };
  }
}
