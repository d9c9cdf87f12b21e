import { BASH } from '../../sandbox/installed.ts';
import { type ToolContext, ToolFailure } from '../contract.ts';

export interface Sought {
  /** The tests of `find`, or folders that can't be listed. */
  readonly tests: readonly string[] | 'closed';
  /** What is said of each file, in the directives of its `-printf`. */
  readonly identity: string;
  readonly timeoutMs: number;
}

export interface Found {
  /** The identity and the real path of each. The characters of a path stand for its bytes: names needn’t be UTF-8. */
  readonly pairs: readonly (readonly [identity: string, path: string])[];
  /** None is missing. */
  readonly isWhole: boolean;
}

/** Encodes what the command that follows prints. */
const BYTES_AS_TEXT = ['--norc', '-c', 'set -o pipefail; "$@" | base64 -w 0', 'bash', '/usr/bin/find'];
const CLOSED = ['-type', 'd', '!', '-readable', '-prune'];
const MAX_BYTES = 64 * 1024 * 1024;

/** What is below a folder (a real path), without what is in folders that can't be listed. Throws on Stop. */
export async function foundBelow(
  folder: string,
  { tests, identity, timeoutMs }: Sought,
  { processes, signal }: Pick<ToolContext, 'processes' | 'signal'>,
): Promise<Found> {
  const args = [
    folder,
    '-ignore_readdir_race',
    ...CLOSED,
    ...(tests === 'closed' ? [] : ['-o', ...tests]),
    '-printf',
    String.raw`${identity}\0%p\0`,
  ];
  const outcome = await processes.run({
    command: BASH,
    args: [...BYTES_AS_TEXT, ...args],
    directory: folder,
    // A program or library that PATH or LD_LIBRARY_PATH finds in the folder may be what the command made.
    environment: {},
    timeoutMs,
    maxStreamBytes: MAX_BYTES,
    endWhenFull: true,
    signal,
  });
  if (outcome.ending === 'aborted') throw new ToolFailure('[stopped by the user]', { outcome: 'stopped' });
  // What follows the last end mark was cut off.
  const fields = Buffer.from(outcome.stdout, 'base64').toString('latin1').split('\0').slice(0, -1);
  const pairs: (readonly [string, string])[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) pairs.push([fields[at] ?? '', fields[at + 1] ?? '']);
  return { pairs, isWhole: outcome.ending === 'exited' && outcome.exitCode === 0 };
}

export function bytesOf(path: string): Buffer {
  return Buffer.from(path, 'latin1');
}

/** The folders below one (a real path) that can't be listed, as in `Found`. Throws on Stop. */
export async function closedBelow(
  folder: string,
  timeoutMs: number,
  context: Pick<ToolContext, 'processes' | 'signal'>,
): Promise<{ readonly paths: readonly string[]; readonly isWhole: boolean }> {
  const { pairs, isWhole } = await foundBelow(folder, { tests: 'closed', identity: '', timeoutMs }, context);
  return { paths: pairs.map(([, path]) => path), isWhole };
}
