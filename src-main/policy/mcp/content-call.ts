import type { McpAccess } from '../access.ts';
import type { McpServerFacts } from './mcp-call.ts';
import type { McpContent } from './mcp-class.ts';

/**
 * Listing or reading a server's resources or prompts, which counts as reading. `isReviewed`: the user has reviewed what
 * the server says about itself.
 */
export function accessToContent(
  { server, text, remoteHost }: McpServerFacts,
  { content, isReviewed }: { readonly content: McpContent; readonly isReviewed: boolean },
): McpAccess {
  const classFrom = isReviewed ? 'person' : 'claim';
  return { kind: 'mcp', class: 'read', classFrom, server, text, remoteHost, tool: content, content };
}

/** Schemes that cause a network request, whoever named the host. */
const NETWORK_SCHEME = /^(?:https?|wss?|ftps?):/i;

/**
 * The part of a resource's URI that the server already knows: a URI that it lists, or the fixed beginning of one of its
 * templates. With a network scheme, the filled-in rest would still be sent there.
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
