import { utilityProcess } from 'electron';
import type { UtilityProcess, UtilityRequest } from '../processes/utility-process.ts';

/** A process with Node in it. The app's own program can't be one: packaged, it runs nothing but the app. */
export async function startUtility({ program, name, environment }: UtilityRequest): Promise<UtilityProcess> {
  const child = utilityProcess.fork(program, [], {
    env: { ...environment },
    // Nobody reads its stdout.
    stdio: ['ignore', 'ignore', 'pipe'],
    serviceName: name,
  });
  const exited = new Promise<number>((resolve) => child.once('exit', resolve));
  const started = new Promise<void>((resolve) => child.once('spawn', () => resolve()));
  const notStarted = exited.then((code) => {
    throw new Error(`${name} ended with code ${code} as it started`);
  });
  await Promise.race([started, notStarted]);
  const { pid } = child;
  if (pid === undefined) throw new Error(`${name} has ended already`);
  return {
    pid,
    exited,
    onMessage: (listener) => void child.on('message', listener),
    onStderr: (listener) => void child.stderr?.on('data', listener),
    post: (message) => child.postMessage(message),
    end: () => void child.kill(),
  };
}
