import type { McpAccess } from '../access.ts';
import { addressesOf, type McpPorts, type McpServerFacts } from './mcp-call.ts';
import type { McpContent } from './mcp-class.ts';

/**
 * The access of listing or reading a server's resources or prompts, which counts as reading. `isReviewed` says that the
 * user has reviewed what the server says about itself.
 */
export function accessToContent(
  { server, text, remoteHost }: McpServerFacts,
  { content, isReviewed }: { readonly content: McpContent; readonly isReviewed: boolean },
): McpAccess {
  const classFrom = isReviewed ? 'user' : 'claim';
  return { kind: 'mcp', class: 'read', classFrom, server, text, remoteHost, tool: content, content };
}

/** Matches schemes that cause a network request, whoever named the host. */
const NETWORK_SCHEME = /^(?:https?|wss?|ftps?):/i;

/** The resources and templates that a server lists. */
interface Listed {
  readonly uris: ReadonlySet<string>;
  readonly templates: readonly string[];
}

/** The addresses in a resource's URI that may be followed, as URLs, apart from what the server already knows. */
export async function addressesOfResource(
  uri: string,
  listed: Listed,
  ports: Pick<McpPorts, 'wasFile'>,
): Promise<readonly string[]> {
  if (listed.uris.has(uri)) return [];
  const isOwn = ownAddressOf(uri, listed);
  const found = await addressesOf({ uri }, ports);
  // The same host is found both as the URI has it, and as a text would have it.
  const own = new Set(found.filter(isOwn).map((url) => new URL(url).hostname));
  return found.filter((url) => !own.has(new URL(url).hostname));
}

/**
 * Tells the addresses in the part of a resource's URI that the server already knows, which is the fixed beginning of
 * one of its templates. With a network scheme, the filled-in rest would still be sent there.
 */
function ownAddressOf(uri: string, listed: Listed): (url: string) => boolean {
  const isFromTemplate = listed.templates.some((template) => {
    const [, own] = /^([^{]*:\/\/[^{/?#]+[/?#])/.exec(template) ?? [];
    return own !== undefined && !NETWORK_SCHEME.test(own) && uri.startsWith(own);
  });
  const host = URL.canParse(uri) ? new URL(uri).host : undefined;
  return (url) =>
    isFromTemplate && URL.canParse(url) && new URL(url).host === host && uri.startsWith(new URL(url).protocol);
}
