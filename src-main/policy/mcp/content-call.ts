import type { McpAccess, McpContent } from '../access.ts';
import type { McpServerFacts } from './mcp-call.ts';

/** Listing or reading a server's resources or prompts, which is taken for reading. `isReviewed`: a person has seen what it says of itself. */
export function accessToContent(
  { server, text, remoteHost }: McpServerFacts,
  { content, isReviewed }: { readonly content: McpContent; readonly isReviewed: boolean },
): McpAccess {
  const classFrom = isReviewed ? 'person' : 'claim';
  return { kind: 'mcp', class: 'read', classFrom, server, text, remoteHost, tool: content, content };
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
