import { ownValue } from '../../base/json.ts';
import type { ServerLaunch } from '../../settings/permission-grants.ts';
import type { ServerSignIn } from '../permission-grant.ts';

const SERVER_TITLES: Readonly<Record<keyof ServerLaunch, string>> = {
  transport: 'Transport',
  command: 'Program',
  args: 'Arguments',
  env: 'Environment',
  url: 'Address',
  headers: 'Headers',
  oauth: 'Sign-in',
};

const SIGN_IN_TITLES: Readonly<Record<keyof ServerSignIn, string>> = {
  server: 'Server',
  signInAt: 'You sign in at',
  scopes: 'It may then do what these scopes allow',
  moreScopes: 'New among them',
};

/** The program that is started, or the URL that is reached. */
export function serverText(value: ServerLaunch): string {
  return linesText(withoutPlainTransport(value), SERVER_TITLES);
}

/**
 * Leaves out the transport if there is only a command or only an address, which already tells how the server is
 * reached.
 */
function withoutPlainTransport(value: ServerLaunch): ServerLaunch {
  const { transport, ...rest } = value;
  const isPlain = transport === 'stdio' ? rest.url === undefined : transport === 'http' && rest.command === undefined;
  return isPlain ? rest : value;
}

/** The service that the user signs in to, and the scopes. If there are none, the service decides. */
export function signInText(value: ServerSignIn): string {
  const text = linesText(value, SIGN_IN_TITLES);
  return value.scopes.length === 0 ? `${text}\nScopes: none are named, so the service decides what it may do` : text;
}

/**
 * Writes each item on a line of its own, in full. A value that could look like several lines is written as JSON, so
 * that `x
 * command: safe` can't imitate another item.
 */
function linesText(value: object, titles: Readonly<Record<string, string>>): string {
  return Object.entries(value)
    .flatMap(([key, member]: [string, unknown]) => {
      const title = ownValue(titles, key) ?? key;
      if (Array.isArray(member))
        return member.length === 0
          ? []
          : [`${title}:`, ...member.map((each, index) => `  ${index + 1}. ${onOneLine(each)}`)];
      if (typeof member !== 'object' || member === null) return [`${title}: ${onOneLine(member)}`];
      const inside = Object.entries(member).map(([name, each]) => `  ${onOneLine(name)} = ${onOneLine(each)}`);
      return inside.length === 0 ? [] : [`${title}:`, ...inside];
    })
    .join('\n');
}

function onOneLine(value: unknown): string {
  const isPlain = typeof value === 'string' && /^\S(?:.*\S)?$/.test(value) && !/^["[{]/.test(value);
  return isPlain ? value : JSON.stringify(value);
}
