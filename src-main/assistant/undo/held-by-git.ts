import type { DeletedFile } from '../../checkpoints/checkpoints.ts';
import { childEnvironment, withoutGitVariables } from '../../processes/child-environment.ts';
import { findExecutable } from '../../processes/find-executable.ts';
import type { ProcessRunner } from '../../processes/process-runner.ts';

export interface GitPorts {
  readonly processes: Pick<ProcessRunner, 'run'>;
  readonly env: Readonly<NodeJS.ProcessEnv>;
}

/** Nobody waits longer for a list. */
const TIMEOUT_MS = 20_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/**
 * The configuration of a repository can name programs, and a command may just have written it. None of them is started:
 * no monitor of the file system, no hook, no helper that fetches what a partial clone lacks.
 */
const WITHOUT_PROGRAMS = ['--no-pager', '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'] as const;
const WITHOUT_NETWORK = {
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
} as const;

/**
 * The paths of those deleted files that Git ignores, or whose content it has. A content that is only staged counts, too:
 * Git keeps it for two weeks.
 */
export async function heldByGit(files: readonly DeletedFile[], ports: GitPorts): Promise<ReadonlySet<string>> {
  const repositories = new Set(files.flatMap(({ repository }) => repository ?? []));
  const held = new Set<string>();
  for (const repository of repositories) {
    const inside = files.filter((file) => file.repository === repository);
    for (const paths of [await ignored(repository, inside, ports), await had(repository, inside, ports)])
      for (const path of paths) held.add(path);
  }
  return held;
}

async function ignored(repository: string, files: readonly DeletedFile[], ports: GitPorts): Promise<string[]> {
  const input = files.flatMap(({ path, mayBeIgnored }) => (mayBeIgnored ? `${path}\0` : [])).join('');
  const output = await git(repository, ['check-ignore', '--stdin', '-z'], input, ports);
  return output.split('\0').filter((path) => path !== '');
}

async function had(repository: string, files: readonly DeletedFile[], ports: GitPorts): Promise<string[]> {
  const asked = files.flatMap(({ path, blobs }) => blobs.map((blob) => ({ path, blob })));
  const input = asked.map(({ blob }) => `${blob}\n`).join('');
  const output = await git(repository, ['cat-file', '--batch-check=%(objecttype)'], input, ports);
  const answers = output.split('\n');
  return asked.flatMap(({ path }, index) => (answers[index] === 'blob' ? [path] : []));
}

/** What Git answers; nothing if it can't. */
async function git(
  directory: string,
  args: readonly string[],
  input: string,
  { processes, env }: GitPorts,
): Promise<string> {
  const environment = { ...withoutGitVariables(childEnvironment(env)), ...WITHOUT_NETWORK };
  const command = await findExecutable('git', directory, environment);
  if (command === undefined) return '';
  const { ending, stdout } = await processes.run({
    command,
    args: [...WITHOUT_PROGRAMS, ...args],
    directory,
    environment,
    input,
    timeoutMs: TIMEOUT_MS,
    maxStreamBytes: MAX_OUTPUT_BYTES,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return ending === 'exited' ? stdout : '';
}
