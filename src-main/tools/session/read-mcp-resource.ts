import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { known } from './list-mcp-resources.ts';

const MAX_BLOB_LENGTH = 200;

/** Reads what an MCP server has under a URI. Source: tool catalogue B.10. */
export const readMcpResource = defineTool({
  name: 'read_mcp_resource',
  nameAliases: ['read_mcp_resources'],
  access: 'network',
  description: 'Read one resource of an MCP server. list_mcp_resources says which there are.',
  input: z.object({
    server: z.string().describe('Name of the MCP server'),
    uri: z.string().describe('URI of the resource, as it is listed'),
  }),
  requiredTexts: { server: 'Error: Server name is required', uri: 'Error: Resource URI is required' },
  errorPrefix: 'Error: Failed to read resource: ',
  undo: 'nothing',
  words: { title: 'Read resource', done: 'Read', icon: 'plug', about: ['uri', 'server'] },
  manual: {
    example: { server: 'notes', uri: 'note://today' },
    limits: [
      'What the server sends as bytes is shown as its size and type, also if it is text; up to 200 characters of Base64 are shown as they are.',
      'An answer may have up to 10 MiB.',
    ],
  },
  async assess({ server, uri }, { mcpResources, ...ports }) {
    const access = mcpResources.access(known(server, mcpResources));
    // The server is not asked for anything until that is decided.
    const isListed = mcpResources.isListed(server);
    const addresses = isListed ? await mcpResources.addresses(server, uri, ports) : [];
    return { access: [access, ...addresses], plan: { server, uri, isListed } };
  },
  async execute({ server, uri, isListed }, { mcpResources, allowAccess, ...ports }) {
    const { signal } = ports;
    const addresses = isListed ? [] : await mcpResources.addresses(server, uri, ports);
    for (const address of addresses) await allowAccess(address);
    const contents = await mcpResources.read(server, uri, signal);
    const shown = contents.map(({ blob, ...content }) => {
      if (blob === undefined || blob.length <= MAX_BLOB_LENGTH)
        return blob === undefined ? content : { ...content, blob };
      const size = Buffer.byteLength(blob, 'base64');
      return { ...content, blob: `[${size} bytes of ${content.mimeType ?? 'application/octet-stream'}]` };
    });
    return `Resource: ${uri}\nServer: ${server}\n\nContent:\n${JSON.stringify(shown, undefined, 2)}`;
  },
});
