import type { Access, McpAccess, McpContent } from '../access.ts';
import { addressesIn } from './argument-addresses.ts';
import { accessToAddress, type McpPorts, type McpServerFacts } from './mcp-call.ts';

export interface ContentCall {
  readonly content: McpContent;
  /** A person has seen what the server says of itself, and nothing is new. */
  readonly isReviewed: boolean;
  /** What goes along: a resource's URI, a prompt's arguments. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** Of a resource: the server named it, or everything up to behind its host. */
  readonly isOwnAddress?: (url: string) => boolean;
}

/**
 * What listing or reading a server's resources or prompts touches: the server, which is taken to read, and addresses that were not
 * named by the server itself. Source: design section 4.
 */
export function accessesOfContent(
  { server, text, remoteHost }: McpServerFacts,
  { content, isReviewed, input = {}, isOwnAddress = () => false }: ContentCall,
  ports: Pick<McpPorts, 'http'>,
): readonly Access[] {
  const classFrom = isReviewed ? 'person' : 'claim';
  const read: McpAccess = { kind: 'mcp', class: 'read', classFrom, server, text, remoteHost, tool: content, content };
  const addresses = addressesIn(input).filter((url) => !isOwnAddress(url));
  return [read, ...addresses.map((url) => accessToAddress(url, ports))];
}

/** Schemes whose address is asked for over the network, whoever named the host. */
const NETWORK_SCHEME = /^(?:https?|wss?|ftps?):/i;

/**
 * Which address in a resource's URI is no news to the server: that of a URI that it lists, and the one that a template of its own has
 * in front of everything that is filled in. With a scheme of the network what is filled in would still be carried there.
 */
export function ownAddressOf(
  uri: string,
  listed: { readonly uris: ReadonlySet<string>; readonly templates: readonly string[] },
): (url: string) => boolean {
  if (listed.uris.has(uri)) return () => true;
  const isFromTemplate = listed.templates.some((template) => {
    const [, own] = /^([^{]*:\/\/[^{/?#]+[/?#])/.exec(template) ?? [];
    return own !== undefined && !NETWORK_SCHEME.test(own) && uri.startsWith(own);
  });
  const host = URL.canParse(uri) ? new URL(uri).host : undefined;
  return (url) =>
    isFromTemplate && URL.canParse(url) && new URL(url).host === host && uri.startsWith(new URL(url).protocol);
}
