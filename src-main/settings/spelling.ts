import { isRecord } from '../base/json.ts';

const serverKeys = ['transport', 'command', 'args', 'env', 'url', 'headers', 'enabled', 'start', 'timeoutSeconds'];

/**
 * The same object with `mcpServers` and the keys of each server in our spelling (tool catalogue C.2: any case is read) and
 * `transport` filled in. Where two spellings of one key are there, the exact one wins. Nothing is dropped from servers.
 */
export function canonicalSpelling(raw: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const config = withServersRenamed(raw);
  if (!isRecord(config.mcpServers)) return config;
  config.mcpServers = mapValues(config.mcpServers, (server) => (isRecord(server) ? canonicalServer(server) : server));
  return config;
}

/** One `mcpServers` key, at the place of the first spelling of it. */
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

/** The key that stands for `mcpServers`, in whatever case it was written. */
export function serversKeyAsWritten(raw: Readonly<Record<string, unknown>>): string {
  const spellings = spellingsOfServers(raw);
  return spellings.find((key) => key === 'mcpServers') ?? spellings[0] ?? 'mcpServers';
}

/** Whether `mcpServers` stands there more than once. */
export function hasServersTwice(raw: Readonly<Record<string, unknown>>): boolean {
  return spellingsOfServers(raw).length > 1;
}

function spellingsOfServers(raw: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(raw).filter((key) => key.toLowerCase() === 'mcpservers');
}

/** The key of a server's object that stands for `key`, in whatever case it was written. */
export function serverKeyAsWritten(server: Readonly<Record<string, unknown>>, key: string): string {
  if (Object.hasOwn(server, key)) return key;
  return Object.keys(server).find((written) => written.toLowerCase() === key.toLowerCase()) ?? key;
}

function canonicalServer(server: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const canonical = Object.fromEntries(Object.entries(server).filter(([key]) => !isServerKey(key)));
  for (const key of serverKeys) {
    const written = serverKeyAsWritten(server, key);
    if (Object.hasOwn(server, written)) canonical[key] = server[written];
  }
  // `type` is what Claude Code and VS Code write.
  const type = serverKeyAsWritten(canonical, 'type');
  canonical.transport ??= canonical[type];
  delete canonical[type];
  if (typeof canonical.transport === 'string') canonical.transport = transportName(canonical.transport.toLowerCase());
  canonical.transport ??= canonical.url !== undefined && canonical.command === undefined ? 'http' : 'stdio';
  return canonical;
}

function isServerKey(written: string): boolean {
  return serverKeys.some((key) => key.toLowerCase() === written.toLowerCase());
}

function transportName(written: string): string {
  return written === 'streamable-http' || written === 'streamablehttp' ? 'http' : written;
}

function mapValues(
  object: Readonly<Record<string, unknown>>,
  map: (value: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}
