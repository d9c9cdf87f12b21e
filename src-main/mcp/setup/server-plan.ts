import { isDeepStrictEqual } from 'node:util';
import type { ServerForm } from '../../../src-preload/contract/servers.ts';
import { isRecord, ownValue } from '../../base/json.ts';
import type { McpServerConfig } from '../../settings/config-schema.ts';
import { keychainNamesIn } from '../../settings/keychain-placeholders.ts';
import type { SettingsProblem } from '../../settings/problems.ts';
import { readConfig } from '../../settings/read-config.ts';
import type { ServerEdit } from '../../settings/server-entries.ts';
import { decisiveNames } from './decisive-values.ts';
import { storedArguments } from './server-arguments.ts';
import { storedRegistration } from './server-registration.ts';
import { storedValues } from './server-values.ts';

/** What saving a form would change; nothing is changed yet. */
export interface ServerPlan {
  readonly name: string;
  /** The server as it would be read from the config.json that is to be written. */
  readonly server: McpServerConfig;
  readonly edits: readonly ServerEdit[];
  readonly secrets: ReadonlyMap<string, string>;
  /** Names of secrets that may decide what is run: the question shows their values. */
  readonly decisive: ReadonlySet<string>;
}

export interface PlanOptions {
  /** The entry to change, as written; `undefined` if it is new. */
  readonly entry: unknown;
  /** The texts behind the form's `null` values. */
  readonly kept: KeptValues;
  readonly profileDirectory: string;
}

export interface KeptValues {
  readonly env: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** The keys in the arguments. */
  readonly keys: Readonly<Record<string, string>>;
  /** The client secret of the registration. */
  readonly clientSecret?: string | undefined;
}

/** Returns what is wrong instead, by the keys of config.json. */
export function planServer(
  form: ServerForm,
  options: PlanOptions,
): ServerPlan | { readonly problems: readonly SettingsProblem[] } {
  const name = form.name.trim();
  const isLocal = form.transport === 'stdio';
  const env = storedValues(isLocal ? form.env : [], options.kept.env);
  const headers = storedValues(isLocal ? [] : form.headers, options.kept.headers);
  const before = readServer(name, options.entry, options.profileDirectory);
  const registration = storedRegistration(isLocal ? undefined : form.registration, {
    kept: options.kept.clientSecret,
    before: before.server?.oauth,
  });
  const args = storedArguments(isLocal ? form.args : [], form.keys ?? [], {
    kept: options.kept.keys,
    stored: before.server?.args ?? [],
    taken: keychainNamesIn(env.written),
  });
  const wanted: Readonly<Record<string, unknown>> = {
    transport: form.transport,
    command: isLocal ? form.command.trim() : undefined,
    args: args.written,
    env: env.written,
    url: isLocal ? undefined : form.url.trim(),
    headers: headers.written,
    oauth: registration.written,
    start: form.start === 'eager' ? undefined : form.start,
    timeoutSeconds: form.timeoutSeconds ?? undefined,
  };
  const entry = isRecord(options.entry) ? options.entry : {};
  const read = readServer(name, { ...entry, ...defined(wanted, entry) }, options.profileDirectory);
  if (read.server === undefined) return { problems: read.problems };
  const edits = Object.entries(wanted).flatMap(([key, value]): ServerEdit[] => editsOf(key, value, before.server));
  const secrets = new Map([...env.secrets, ...args.secrets, ...headers.secrets, ...registration.secrets]);
  const fromFile = new Set([env, args, headers, registration].flatMap((each) => [...each.fromFile]));
  return { name, server: read.server, edits, secrets, decisive: decisiveNames(read.server, secrets, fromFile) };
}

/** A field emptied in the form is removed from an existing entry; a new entry simply lacks it. */
function defined(wanted: Readonly<Record<string, unknown>>, entry: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    Object.entries(wanted).filter(([key, value]) => value !== undefined || Object.hasOwn(entry, key)),
  );
}

/** The differences only, so that the rest of the entry stays as written. */
function editsOf(key: string, value: unknown, before: McpServerConfig | undefined): ServerEdit[] {
  const old = before && (Reflect.get(before, key) as unknown);
  if (isDeepStrictEqual(old, value)) return [];
  if (before === undefined && key === 'transport' && value !== 'sse') return [];
  const shown = isEmpty(value) ? undefined : value;
  if (!isRecord(shown) || !isRecord(old) || isEmpty(old)) return [{ path: [key], value: shown }];
  const names = new Set([...Object.keys(old), ...Object.keys(shown)]);
  return [...names].flatMap((name) => {
    const value = ownValue(shown, name);
    return ownValue(old, name) === value ? [] : [{ path: [key, name], value }];
  });
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** Parses an entry like config.json does. */
export function readServer(
  name: string,
  entry: unknown,
  profileDirectory: string,
): { readonly server: McpServerConfig | undefined; readonly problems: readonly SettingsProblem[] } {
  if (entry === undefined) return { server: undefined, problems: [] };
  const { config, problems } = readConfig({ mcpServers: { [name]: entry } }, profileDirectory);
  return {
    server: ownValue(config.mcpServers, name),
    problems: problems.filter(({ severity }) => severity === 'error'),
  };
}
