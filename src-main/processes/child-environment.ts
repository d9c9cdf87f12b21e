import { isSecretValue, looksSecret } from '../secrets/secret-shapes.ts';

/**
 * What a child process is given of an environment: everything but what looks like a secret, by its name or its value. Pure, so
 * that whoever starts processes in another way gives them the same. Source: tool catalogue B.2, issue 9.
 */
export function childEnvironment(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter((variable) => !isWithheld(variable)));
}

/** The names that `childEnvironment` leaves out, in order. */
export function withheldVariables(environment: Readonly<NodeJS.ProcessEnv>): readonly string[] {
  return Object.entries(environment)
    .filter(isWithheld)
    .map(([name]) => name)
    .sort();
}

function isWithheld([name, value = '']: readonly [string, string | undefined]): boolean {
  // An empty variable tells a program something (`NO_TOKEN=`), and nothing can be read from it.
  return value !== '' && (looksSecret(name) || isSecretValue(value));
}
