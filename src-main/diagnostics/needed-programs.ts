import { homedir } from 'node:os';
import type { ProgramCheck } from '../../src-preload/contract/servers.ts';
import type { ServerSurroundings } from '../mcp/server-surroundings.ts';
import { inheritedEnvironment } from '../mcp/transport/server-environment.ts';
import { findExecutable } from '../processes/find-executable.ts';
import { missingProgram } from './failure-advice.ts';
import { runtimesOf } from './runtimes.ts';

/**
 * Whether a command, and the runtime that it needs, can be found as a server's process would find them. They are not
 * started, so nothing is known of versions. `ownPath` is the PATH of the server's entry.
 */
export async function neededPrograms(
  command: string,
  ownPath: string | null,
  surroundings: Pick<ServerSurroundings, 'environment'>,
): Promise<ProgramCheck> {
  const environment = {
    ...inheritedEnvironment(await surroundings.environment()),
    ...(ownPath === null ? {} : { PATH: ownPath }),
  };
  // Opening a network path would send credentials to the other machine.
  const isElsewhere = /^[\\/]{2}/.test(command);
  const find = (name: string) => findExecutable(name, homedir(), environment);
  const path = command === '' || isElsewhere ? undefined : await find(command);
  const others = await Promise.all(
    runtimesOf(command)
      .slice(1)
      .map(async (runtime) => ((await find(runtime)) === undefined ? [runtime] : [])),
  );
  const missing = [...(path === undefined && !isElsewhere ? [command] : []), ...others.flat()];
  const [first] = missing;
  return { path: path ?? null, missing, advice: first === undefined ? [] : missingProgram(first) };
}
