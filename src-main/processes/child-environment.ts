import { isSecretValue, looksSecret } from '../secrets/secret-shapes.ts';

/**
 * The part of an environment that a child process gets: everything that doesn't look like a secret by name or value. It
 * is pure, so that processes started in other ways get the same. Source: tool catalogue B.2, issue 9.
 */
export function childEnvironment(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter((variable) => !isWithheld(variable)));
}

/** The names that `childEnvironment` leaves out, sorted. */
export function withheldVariables(environment: Readonly<NodeJS.ProcessEnv>): readonly string[] {
  return Object.entries(environment)
    .filter(isWithheld)
    .map(([name]) => name)
    .sort();
}

function isWithheld([name, value = '']: readonly [string, string | undefined]): boolean {
  // An empty variable can mean something to a program (`NO_TOKEN=`) and reveals nothing.
  return value !== '' && (looksSecret(name) || isSecretValue(value));
}

/** The same without what points Git to another repository, index or configuration than that of its folder. */
export function withoutGitVariables(environment: Readonly<NodeJS.ProcessEnv>): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('GIT_')));
}
