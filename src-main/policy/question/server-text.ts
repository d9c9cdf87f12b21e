import { isRecord, ownValue } from '../../base/json.ts';
import { valueText } from './question-parts.ts';

type Titles = Readonly<Record<string, string>>;

const SERVER_TITLES: Titles = {
  transport: 'Transport',
  command: 'Program',
  args: 'Arguments',
  env: 'Environment',
  url: 'Address',
  headers: 'Headers',
  oauth: 'Sign-in',
};

const SIGN_IN_TITLES: Titles = {
  server: 'Server',
  signInAt: 'You sign in at',
  scopes: 'It may then do what these scopes allow',
  moreScopes: 'New among them',
};

/** The program to start or the URL to reach. */
export function serverText(value: unknown): string {
  return linesText(isRecord(value) ? withoutPlainTransport(value) : value, SERVER_TITLES);
}

/** Where there is only a command or only an address, it says how the server is reached. */
function withoutPlainTransport(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { transport, ...rest } = value;
  const isPlain = transport === 'stdio' ? rest.url === undefined : transport === 'http' && rest.command === undefined;
  return isPlain ? rest : value;
}

/** The service to sign in to and the scopes. Without scopes, the service decides. */
export function signInText(value: unknown): string {
  const hasNoScopes = isRecord(value) && Array.isArray(value.scopes) && value.scopes.length === 0;
  const text = linesText(value, SIGN_IN_TITLES);
  return hasNoScopes ? `${text}\nScopes: none are named, so the service decides what it may do` : text;
}

/** One item per line, complete. A value that could look like more than one line is written as JSON. */
function linesText(value: unknown, titles: Titles): string {
  if (!isRecord(value)) return valueText(value);
  return Object.entries(value)
    .flatMap(([key, member]) => {
      const title = ownValue(titles, key) ?? key;
      if (Array.isArray(member))
        return member.length === 0
          ? []
          : [`${title}:`, ...member.map((each, index) => `  ${index + 1}. ${onOneLine(each)}`)];
      if (!isRecord(member)) return [`${title}: ${onOneLine(member)}`];
      const inside = Object.entries(member).map(([name, each]) => `  ${onOneLine(name)} = ${onOneLine(each)}`);
      return inside.length === 0 ? [] : [`${title}:`, ...inside];
    })
    .join('\n');
}

function onOneLine(value: unknown): string {
  const isPlain = typeof value === 'string' && /^\S(?:.*\S)?$/.test(value) && !/^["[{]/.test(value);
  return isPlain ? value : JSON.stringify(value);
}
