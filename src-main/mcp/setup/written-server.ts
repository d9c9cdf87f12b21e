import type { ServerRemark } from '../../../src-preload/contract/pasted-text.ts';
import { isRecord } from '../../base/json.ts';

/** A text as another program has it. */
export interface WrittenText {
  readonly text: string;
  /** What the format itself says of a value to be entered. */
  readonly asked?: AskedValue;
  /** The value is not a placeholder, even if it looks like one. */
  readonly isFixed?: boolean;
}

/** `text` has `before` and `after`; the value belongs between them. */
export interface AskedValue {
  readonly hint: string;
  readonly before: string;
  readonly after: string;
  readonly value: string;
  readonly description: string | null;
  /** Undefined if name and hint decide. */
  readonly isSecret: boolean | undefined;
  readonly isOptional: boolean;
  readonly choices: readonly string[];
}

/** An app that was registered by hand, where that is needed to sign in. */
export interface WrittenRegistration {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly callbackPort: number | null;
}

export interface NamedText extends WrittenText {
  readonly name: string;
}

/** A server's entry in the words of any program, before placeholders and keys are looked for. */
export interface WrittenServer {
  /** Empty if it is not said. */
  readonly name: string;
  /** `undefined` if it is not said. */
  readonly transport: 'stdio' | 'http' | 'sse' | undefined;
  readonly command: string;
  readonly args: readonly WrittenText[];
  readonly env: readonly NamedText[];
  readonly url: WrittenText;
  readonly headers: readonly NamedText[];
  readonly registration?: WrittenRegistration | undefined;
  readonly start: 'eager' | 'lazy';
  readonly timeoutSeconds: number | null;
  readonly remarks: readonly ServerRemark[];
}

export const EMPTY_WRITTEN: WrittenServer = {
  name: '',
  transport: undefined,
  command: '',
  args: [],
  env: [],
  url: { text: '' },
  headers: [],
  start: 'eager',
  timeoutSeconds: null,
  remarks: [],
};

/** An empty value of this name, to be entered. */
export function askedText(asked: Partial<AskedValue>): WrittenText {
  const { before = '', after = '' } = asked;
  return {
    text: before + after,
    asked: {
      hint: '',
      value: '',
      description: null,
      isSecret: undefined,
      isOptional: false,
      choices: [],
      ...asked,
      before,
      after,
    },
  };
}

const KNOWN_KEYS = new Set([
  'name',
  'type',
  'transport',
  'transporttype',
  'command',
  'cmd',
  'args',
  'arguments',
  'start',
  'env',
  'environment',
  'envs',
  'env_keys',
  'env_vars',
  'url',
  'serverurl',
  'httpurl',
  'uri',
  'endpoint',
  'headers',
  'http_headers',
  'env_http_headers',
  'bearer_token_env_var',
  'requestoptions',
  'requestinit',
  'timeout',
  'timeoutseconds',
  'timeout_ms',
  'tool_timeout_sec',
  'calltimeout',
  'disabled',
  'enabled',
  'gallery',
  'version',
  'description',
  'title',
  'display_name',
  '$schema',
  'source',
]);
/** "Always allow" settings of other programs: permissions are granted here, not imported. */
const APPROVALS = new Set(['autoapprove', 'alwaysallow', 'trust', 'allowedtools', 'auto_approve', 'always_allow']);
const MAX_TIME_OUT_LENGTH = 86_400;
/** No program waits more than an hour for one call, and none less than four seconds. */
const MILLISECONDS_FROM = 3_601;

/** `undefined` if it is none of the shapes of a server; without a command or URL it is read all the same. */
export function writtenServer(given: Readonly<Record<string, unknown>>): WrittenServer {
  const flat = flattened(given);
  const entry = new Map(Object.entries(flat).map(([key, value]) => [key.toLowerCase(), value]));
  const text = (...keys: readonly string[]) =>
    keys.map((key) => entry.get(key)).find((value) => typeof value === 'string');
  const list = listOf(entry.get('command'));
  const [first = '', ...rest] = list ?? [text('command', 'cmd') ?? ''];
  const timeout = timeoutOf(entry);
  return {
    name: text('name') ?? '',
    transport: transportOf(text('transport', 'type', 'transporttype')),
    command: first,
    args: [...rest, ...argumentsIn(entry.get('args') ?? entry.get('arguments'))].map((each) => ({ text: each })),
    env: environmentIn(entry),
    url: { text: text('url', 'serverurl', 'httpurl', 'uri', 'endpoint') ?? '' },
    headers: headersIn(entry),
    registration: registrationIn(entry.get('oauth')),
    start: entry.get('start') === 'lazy' ? 'lazy' : 'eager',
    timeoutSeconds: timeout?.seconds ?? null,
    remarks: [...(timeout?.remarks ?? []), ...remarksOn(entry, flat)],
  };
}

/** Zed's `command: { path, args, env }`, Continue's `transport: { type, command }` and similar lie one level deeper. */
function flattened(given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { command, transport, ...rest } = given;
  const inner = isRecord(command)
    ? { command: command.path ?? command.command, ...without(command, 'path') }
    : { command };
  return isRecord(transport) ? { ...inner, ...rest, ...transport } : { ...inner, transport, ...rest };
}

function without(record: Readonly<Record<string, unknown>>, key: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(record).filter(([each]) => each !== key && each !== 'command'));
}

function transportOf(said: string | undefined): WrittenServer['transport'] {
  const plain = said?.toLowerCase() ?? '';
  if (plain === 'sse') return 'sse';
  if (/^(?:streamable|http|remote)/.test(plain)) return 'http';
  return plain === 'stdio' || plain === 'local' ? 'stdio' : undefined;
}

function listOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.flatMap(textOf) : undefined;
}

function argumentsIn(value: unknown): readonly string[] {
  return listOf(value) ?? (typeof value === 'string' && value !== '' ? [value] : []);
}

function textOf(value: unknown): string[] {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : [];
}

function environmentIn(entry: ReadonlyMap<string, unknown>): readonly NamedText[] {
  const values = ['env', 'environment', 'envs'].flatMap((key) => valuesIn(entry.get(key), '='));
  const names = ['env_keys', 'env_vars'].flatMap((key) => listOf(entry.get(key)) ?? []);
  const asked = names
    .filter((name) => !values.some((value) => value.name === name))
    .map((name) => ({ name, ...askedText({ hint: name }) }));
  return [...values, ...asked];
}

function headersIn(entry: ReadonlyMap<string, unknown>): readonly NamedText[] {
  const nested = ['requestoptions', 'requestinit'].map((key) => entry.get(key)).filter(isRecord);
  const given = [entry.get('headers'), entry.get('http_headers'), ...nested.map(({ headers }) => headers)];
  const values = given.flatMap((each) => valuesIn(each, ':'));
  const fromVariables = valuesIn(entry.get('env_http_headers'), ':').map(({ name, text }) => ({
    name,
    ...askedText({ hint: text, isSecret: true }),
  }));
  const bearer = entry.get('bearer_token_env_var');
  if (typeof bearer !== 'string' || bearer === '') return [...values, ...fromVariables];
  const token = askedText({ hint: bearer, before: 'Bearer ', isSecret: true });
  return [...values, ...fromVariables, { name: 'Authorization', ...token }];
}

/** What else is written beside the client is ignored: the service itself tells Steward. */
export function registrationIn(given: unknown): WrittenRegistration | undefined {
  if (!isRecord(given)) return undefined;
  const said = (...keys: readonly string[]) =>
    textOf(keys.map((key) => given[key]).find((value) => value !== undefined))[0] ?? '';
  const port = Number(said('callbackPort', 'callback_port'));
  const [clientId, clientSecret] = [said('clientId', 'client_id'), said('clientSecret', 'client_secret')];
  const callbackPort = Number.isInteger(port) && port > 0 && port <= 65_535 ? port : null;
  return clientId === '' && clientSecret === '' && callbackPort === null
    ? undefined
    : { clientId, clientSecret, callbackPort };
}

const REGISTRATION_KEYS = new Set([
  'clientid',
  'client_id',
  'clientsecret',
  'client_secret',
  'callbackport',
  'callback_port',
  'enabled',
  'type',
]);

/** An object, or a list of `NAME=value` or of `{ name, value }`. */
function valuesIn(given: unknown, separator: '=' | ':'): readonly NamedText[] {
  if (isRecord(given)) return Object.entries(given).flatMap(([name, value]) => named(name, value));
  if (!Array.isArray(given)) return [];
  return given.flatMap((each: unknown) => {
    if (isRecord(each)) return named(textOf(each.name ?? each.key)[0] ?? '', each.value);
    const [written = ''] = textOf(each);
    const at = written.indexOf(separator);
    return at < 1 ? named(written, '') : named(written.slice(0, at).trim(), written.slice(at + 1).trim());
  });
}

/** A value that is left out (`null`) is one to be entered. */
function named(name: string, value: unknown): readonly NamedText[] {
  if (name === '') return [];
  if (value === null) return [{ name, ...askedText({ hint: name }) }];
  if (isRecord(value) && 'value' in value) return named(name, value.value);
  return textOf(value).map((text) => ({ name, text }));
}

interface TimeOut {
  readonly seconds: number;
  readonly remarks: readonly ServerRemark[];
}

/** The same name means seconds in some programs and milliseconds in others. */
function timeoutOf(entry: ReadonlyMap<string, unknown>): TimeOut | undefined {
  for (const key of ['timeoutseconds', 'tool_timeout_sec', 'timeout', 'timeout_ms', 'calltimeout']) {
    const written = Number(entry.get(key) ?? Number.NaN);
    if (!(written > 0)) continue;
    const isMilliseconds = key.endsWith('_ms') || (key === 'timeout' && written >= MILLISECONDS_FROM);
    const seconds = isMilliseconds ? written / 1_000 : written;
    if (seconds > MAX_TIME_OUT_LENGTH) continue;
    return { seconds, remarks: isMilliseconds ? [{ code: 'time_out', written, seconds }] : [] };
  }
  return undefined;
}

function remarksOn(
  entry: ReadonlyMap<string, unknown>,
  given: Readonly<Record<string, unknown>>,
): readonly ServerRemark[] {
  const isOff = entry.get('disabled') === true || entry.get('enabled') === false;
  const leftOut = Object.entries(given).filter(
    ([key, value]) => !KNOWN_KEYS.has(key.toLowerCase()) && !APPROVALS.has(key.toLowerCase()) && !isEmpty(value),
  );
  return [
    ...([...entry.keys()].some((key) => APPROVALS.has(key)) ? [{ code: 'approval' } as const] : []),
    ...(isOff ? [{ code: 'disabled' } as const] : []),
    ...leftOut.flatMap(([key, value]) => {
      if (key.toLowerCase() !== 'oauth' || registrationIn(value) === undefined)
        return [{ code: 'left_out' as const, key }];
      const others = isRecord(value)
        ? Object.keys(value).filter((each) => !REGISTRATION_KEYS.has(each.toLowerCase()))
        : [];
      return others.map((each) => ({ code: 'left_out' as const, key: `oauth.${each}` }));
    }),
  ];
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
