import { isRecord, ownValue } from '../base/json.ts';

const serverKeys = [
  'transport',
  'type',
  'command',
  'args',
  'env',
  'url',
  'headers',
  'oauth',
  'enabled',
  'start',
  'timeoutSeconds',
  'classes',
  'text',
  'roots',
];
const loweredServerKeys = serverKeys.map((key) => key.toLowerCase());

/**
 * The server that ships with Steward; an entry with this name and neither command nor URL configures it. Source: design
 * section 7.
 */
export const BUNDLED_SERVER_NAME = 'system-info';
/** Names of transports in other programs' files. */
const TRANSPORTS: Readonly<Record<string, string>> = { 'streamable-http': 'http', streamablehttp: 'http' };

/**
 * The same object in Steward's spelling of `mcpServers` and of each server's keys (tool catalogue C.2: any case is
 * read), and with `transport` filled in. If a key appears in two spellings, the exact one wins. Nothing is dropped from
 * servers.
 */
export function canonicalSpelling(raw: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const config = withServersRenamed(raw);
  if (!isRecord(config.mcpServers)) return config;
  config.mcpServers = Object.fromEntries(
    Object.entries(config.mcpServers).map(([name, server]) => [
      name,
      isRecord(server) ? canonicalServer(name, server) : server,
    ]),
  );
  return config;
}

/** One `mcpServers` key, at the position of its first spelling. */
export function withServersRenamed(raw: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const spellings = spellingsOfServers(raw);
  if (spellings.length === 0 || (spellings.length === 1 && spellings[0] === 'mcpServers')) return { ...raw };
  const exactLast = [...spellings].sort((a, b) => Number(a === 'mcpServers') - Number(b === 'mcpServers'));
  const values = exactLast.map((key) => raw[key]);
  const servers = values.every(isRecord) ? Object.fromEntries(values.flatMap(Object.entries)) : values.at(-1);
  const entries = Object.entries(raw).flatMap(([key, value]): [string, unknown][] => {
    if (!spellings.includes(key)) return [[key, value]];
    return key === spellings[0] ? [['mcpServers', servers]] : [];
  });
  return Object.fromEntries(entries);
}

/** The spelling of the `mcpServers` key, in any case. */
export function serversKeyAsWritten(raw: Readonly<Record<string, unknown>>): string {
  const spellings = spellingsOfServers(raw);
  return spellings.find((key) => key === 'mcpServers') ?? spellings[0] ?? 'mcpServers';
}

/** Whether `mcpServers` appears more than once. */
export function hasServersTwice(raw: Readonly<Record<string, unknown>>): boolean {
  return spellingsOfServers(raw).length > 1;
}

function spellingsOfServers(raw: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(raw).filter((key) => key.toLowerCase() === 'mcpservers');
}

/** The spelling of a server's key, in any case. */
export function serverKeyAsWritten(server: Readonly<Record<string, unknown>>, key: string): string {
  if (Object.hasOwn(server, key)) return key;
  return Object.keys(server).find((written) => written.toLowerCase() === key.toLowerCase()) ?? key;
}

function canonicalServer(name: string, server: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const others = Object.entries(server).filter(([key]) => !loweredServerKeys.includes(key.toLowerCase()));
  const known = serverKeys.flatMap((key) => {
    const written = serverKeyAsWritten(server, key);
    return Object.hasOwn(server, written) ? [[key, server[written]] as const] : [];
  });
  const canonical: Record<string, unknown> = Object.fromEntries([...others, ...known]);
  canonical.transport ??= canonical.type;
  Reflect.deleteProperty(canonical, 'type');
  if (typeof canonical.transport === 'string') {
    const lowered = canonical.transport.toLowerCase();
    canonical.transport = ownValue(TRANSPORTS, lowered) ?? lowered;
  }
  canonical.transport ??= transportOf(name, canonical);
  return canonical;
}

function transportOf(name: string, { command, url }: Readonly<Record<string, unknown>>): string {
  if (command === undefined && url === undefined && name === BUNDLED_SERVER_NAME) return 'bundled';
  return url !== undefined && command === undefined ? 'http' : 'stdio';
}
