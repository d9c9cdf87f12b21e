import { isRecord, ownValue } from '../../base/json.ts';
import type { NetworkAccess } from '../../network/network-access.ts';
import type { Access, FileAccess, McpAccess } from '../access.ts';
import { addressesIn } from './argument-addresses.ts';
import type { KnownServer } from './known-servers.ts';
import { type ClassSources, classOfTool } from './tool-class.ts';

/** What the policy is told of a server, beside its name. */
export interface McpServerFacts extends Pick<McpAccess, 'server' | 'text' | 'remoteHost'> {
  readonly known?: KnownServer | undefined;
  /** `mcpServers.NAME.classes`, as the person confirmed it. */
  readonly classes: ClassSources['classes'];
}

export interface McpCall {
  /** As the server names it. */
  readonly tool: string;
  readonly annotations?: ClassSources['annotations'];
  readonly inputSchema: unknown;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What it needs of a call's `AssessContext`. */
export interface McpPorts {
  /** By what is written; nothing is looked up. */
  readonly http: { access(url: string, method: string): NetworkAccess };
  /** Rejects with `AccessDenied` for a file that tools may not read. */
  readonly files: { resolve(given: string): Promise<{ access(kind: 'read'): FileAccess }> };
}

export interface McpCallEffects {
  readonly access: readonly Access[];
  /** For the server. Files are named by the real paths that `access` holds: it would look for others in its own folder. */
  readonly input: McpCall['input'];
}

/**
 * What a call of a server's tool touches: the tool, the addresses that its arguments name, and the files of which a known server
 * would take the content. Rejects with `AccessDenied`.
 */
export async function effectsOfMcpCall(
  server: McpServerFacts,
  call: McpCall,
  ports: McpPorts,
): Promise<McpCallEffects> {
  const { known, classes, ...facts } = server;
  const { tool, annotations, inputSchema, input } = call;
  const ofTool: McpAccess = { kind: 'mcp', ...facts, tool, ...classOfTool(tool, { known, classes, annotations }) };
  const addresses = addressesIn(input, inputSchema).map((url) => accessToAddress(url, ports));
  const fileParameters = (known && (ownValue(known.fileParameters, tool) as readonly string[] | undefined)) ?? [];
  const files = await Promise.all(
    fileParameters.flatMap((name) => {
      const given = ownValue(input, name);
      return typeof given === 'string'
        ? [ports.files.resolve(given).then((file) => ({ name, access: file.access('read') }))]
        : [];
    }),
  );
  return {
    access: [ofTool, ...addresses, ...files.map(({ access }) => access)],
    input: { ...input, ...Object.fromEntries(files.map(({ name, access }) => [name, access.path])) },
  };
}

/** Judged as a request for it would be: by its host, whatever its scheme. */
export function accessToAddress(url: string, { http }: Pick<McpPorts, 'http'>): NetworkAccess {
  const { hostname } = new URL(url);
  return { ...http.access(`http://${hostname}/`, 'GET'), url, isArgument: true };
}

/** The host that a server is reached at, or `null` where its URL leads to this machine. */
export function remoteHostOf(url: string): string | null {
  const { hostname } = new URL(url);
  const isHere = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname) || hostname.endsWith('.localhost');
  return isHere ? null : hostname;
}

/** What a server says of its tool in `annotations`, whatever it is made of. */
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
