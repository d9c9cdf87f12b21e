import type { HttpClient } from '../../network/http.ts';
import type { Access } from '../../policy/access.ts';

/** What an MCP server says of one of its resources. All of it is the server's own text. */
export interface ListedResource {
  readonly uri: string;
  /** The name, which is empty if the resource has none. */
  readonly name: string;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
}

/** `blob` is Base64. */
export interface ReadContent {
  readonly uri: string;
  readonly mimeType?: string | undefined;
  readonly text?: string | undefined;
  readonly blob?: string | undefined;
}

/** What tells the addresses in a URI. `beganAt`: when the conversation did. */
export interface AddressPorts {
  readonly http: Pick<HttpClient, 'access'>;
  readonly signal: AbortSignal;
  readonly beganAt: Date;
}

/**
 * The resources of MCP servers. `list` and `read` reject with an error that says what is wrong, if possible a
 * `FixableError`.
 */
export interface McpResources {
  /** The servers that are switched on, in the order of config.json. */
  readonly servers: readonly string[];
  /** What it touches to list a server's resources, or to read one. */
  access(server: string): Access;
  /** Whether it is known what the server lists, so that `addresses` tells without asking it. */
  isListed(server: string): boolean;
  /** The addresses in a URI that the server did not name itself, which the call touches as well. */
  addresses(server: string, uri: string, ports: AddressPorts): Promise<readonly Access[]>;
  list(server: string, signal: AbortSignal): Promise<readonly ListedResource[]>;
  read(server: string, uri: string, signal: AbortSignal): Promise<readonly ReadContent[]>;
}
