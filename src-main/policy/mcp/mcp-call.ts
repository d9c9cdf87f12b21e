import { isRecord, ownValue } from '../../base/json.ts';
import type { NetworkAccess } from '../../network/network-access.ts';
import type { Access, FileAccess, McpAccess } from '../access.ts';
import { addressesIn } from './argument-addresses.ts';
import type { WasFile } from './hosts-in-text.ts';
import type { KnownServer } from './known-servers.ts';
import { loadIsPublicHost } from './mentioned-addresses.ts';
import { type ClassSources, classOfTool } from './tool-class.ts';

/** What the policy knows about a server, besides its name. */
export interface McpServerFacts extends Pick<McpAccess, 'server' | 'text' | 'remoteHost'> {
  readonly known?: KnownServer | undefined;
  /** The classes in `mcpServers.NAME.classes`, as confirmed by the user. */
  readonly classes: ClassSources['classes'];
}

export interface McpCall {
  /** The tool's name as the server gives it. */
  readonly tool: string;
  readonly annotations?: ClassSources['annotations'];
  readonly inputSchema: unknown;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The parts of a call's `AssessContext` that are needed. */
export interface McpPorts {
  /** Judges a URL alone; nothing is looked up. */
  readonly http: { access(url: string, method: string): NetworkAccess };
  /** Rejects with `AccessDenied` for a file that tools may not read. */
  readonly files: { resolve(given: string): Promise<{ access(kind: 'read'): FileAccess }> };
  readonly wasFile: WasFile;
}

/**
 * The server would find another file by this path than the one that is decided on, and what it is sent is what was
 * written.
 */
export class PathNotReal extends Error {
  override readonly name = 'PathNotReal';

  constructor(parameter: string, real: string) {
    super(`${parameter} must be the absolute path of the file, without links: ${real}`);
  }
}

/**
 * The effects of a call of a server's tool: the tool, the addresses in its arguments, and the files a known server
 * would read. Rejects with `AccessDenied`, or with `PathNotReal` if tools may read such a file, but its path is not the
 * real one.
 */
export async function effectsOfMcpCall(
  server: McpServerFacts,
  call: McpCall,
  ports: McpPorts,
): Promise<readonly Access[]> {
  const { known, classes, ...facts } = server;
  const { tool, annotations, inputSchema, input } = call;
  const ofTool: McpAccess = { kind: 'mcp', ...facts, tool, ...classOfTool(tool, { known, classes, annotations }) };
  // A tool that reads runs unasked, and may follow whatever it is given; any other asks by itself.
  const urls = ofTool.class === 'read' ? await addressesOf(input, ports, inputSchema) : addressesIn(input, inputSchema);
  const addresses = urls.map((url) => accessToAddress(url, ports));
  const fileParameters = (known && (ownValue(known.fileParameters, tool) as readonly string[] | undefined)) ?? [];
  const files = await Promise.all(
    fileParameters.flatMap((name) => {
      const given = ownValue(input, name);
      return typeof given === 'string' ? [realFile(name, given, ports)] : [];
    }),
  );
  return [ofTool, ...addresses, ...files];
}

/**
 * The addresses that may be followed of texts that a server is given, as URLs: each address, and each host that a text
 * can name.
 */
export async function addressesOf(
  input: unknown,
  { wasFile }: Pick<McpPorts, 'wasFile'>,
  schema?: unknown,
): Promise<readonly string[]> {
  const urls = addressesIn(input, schema);
  const hosts = new Set(urls.map((url) => new URL(url).hostname));
  const { hostsInTexts } = await import('./hosts-in-text.ts');
  const mentioned = await hostsInTexts(input, { isPublicHost: await loadIsPublicHost(), wasFile });
  return [...urls, ...mentioned.filter((url) => URL.canParse(url) && !hosts.has(new URL(url).hostname))];
}

async function realFile(name: string, given: string, { files }: McpPorts): Promise<FileAccess> {
  const access = (await files.resolve(given)).access('read');
  if (access.path !== given) throw new PathNotReal(name, access.path);
  return access;
}

/**
 * The access to an address is judged like a request: by its host, whatever its scheme. A browser server that is told to
 * open `https://x.example/?note=…` leaks the note just as a request of Steward's own would.
 */
export function accessToAddress(url: string, { http }: Pick<McpPorts, 'http'>): NetworkAccess {
  const { hostname } = new URL(url);
  return { ...http.access(`http://${hostname}/`, 'GET'), url, isArgument: true };
}

/** The host of a remote server, or `null` if its URL is on this machine. */
export function remoteHostOf(url: string): string | null {
  const { hostname } = new URL(url);
  const isHere = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname) || hostname.endsWith('.localhost');
  return isHere ? null : hostname;
}

/** A server's `annotations` for a tool; they may be malformed. */
export function annotationsIn(value: unknown): NonNullable<ClassSources['annotations']> {
  const hint = (name: string) => {
    const given = isRecord(value) ? ownValue(value, name) : undefined;
    return typeof given === 'boolean' ? given : undefined;
  };
  return {
    readOnlyHint: hint('readOnlyHint'),
    destructiveHint: hint('destructiveHint'),
    openWorldHint: hint('openWorldHint'),
  };
}
