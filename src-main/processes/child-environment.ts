import { looksSecret } from '../secrets/secret-shapes.ts';

/** What a child process is given: everything but the app's own secrets and what looks like one by its name. */
export function childEnvironment(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !looksSecret(name)));
}
