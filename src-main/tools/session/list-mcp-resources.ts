import { z } from 'zod';
import { errorMessage } from '../../base/errors.ts';
import { remediesOf, ToolFailure } from '../contract.ts';
import { defineTool } from '../define-tool.ts';
import type { ListedResource, McpResources } from './mcp-resources.ts';

/** Names what MCP servers have to read. Source: tool catalogue B.10. */
export const listMcpResources = defineTool({
  name: 'list_mcp_resources',
  access: 'network',
  description:
    'List the resources of MCP servers: documents, records and other texts that read_mcp_resource reads. Without a server, of all of them.',
  input: z.object({ server: z.string().optional().describe('Name of the MCP server; all of them by default') }),
  strictParameters: ['server'],
  undo: 'nothing',
  words: { title: 'List resources', done: 'Listed resources', icon: 'plug', about: ['server'] },
  manual: {
    example: { server: 'notes' },
    limits: [
      'At most 20,000 resources of each server are listed.',
      'A server that does not answer gets a line of its own; the others are listed.',
    ],
  },
  async assess({ server }, { mcpResources }) {
    const servers = server === undefined ? mcpResources.servers : [known(server, mcpResources)];
    const access = servers.map((each) => mcpResources.access(each));
    return { access: access.length === 0 ? [{ class: 'read', kind: 'app' }] : access, plan: { server, servers } };
  },
  async execute({ server, servers }, { mcpResources, signal }) {
    const listings = await Promise.all(servers.map((name) => listingOf(name, mcpResources, signal)));
    signal.throwIfAborted();
    const text = server === undefined ? textOfAll(listings) : textOfOne(server, listings[0] ?? { name: server });
    const remedies = listings.flatMap(({ error }) => remediesOf(error));
    return remedies.length === 0 ? text : { text, remedies };
  },
});

/** Throws the error result of a server that there is none of. */
export function known(server: string, { servers }: McpResources): string {
  if (servers.includes(server)) return server;
  throw new ToolFailure(`Error: MCP server not found: ${server}`);
}

interface Listing {
  readonly name: string;
  readonly resources?: readonly ListedResource[];
  /** Why it could not be listed. Absent if it was. */
  readonly error?: unknown;
}

async function listingOf(name: string, resources: McpResources, signal: AbortSignal): Promise<Listing> {
  try {
    return { name, resources: await resources.list(name, signal) };
  } catch (error) {
    return { name, error };
  }
}

function textOfOne(server: string, { resources = [], error }: Listing): string {
  if (error !== undefined) return failedLine(server, error);
  if (resources.length === 0) return `No resources found from server: ${server}`;
  return [`Resources from ${server} (${resources.length} resources):`, '', ...resources.flatMap(linesOf)].join('\n');
}

function textOfAll(listings: readonly Listing[]): string {
  if (listings.every(({ resources, error }) => error === undefined && (resources ?? []).length === 0))
    return 'No resources found from any MCP server';
  const blocks = listings.flatMap(({ name, resources = [], error }) =>
    error === undefined
      ? [`Server: ${name} (${resources.length} resources)`, ...resources.flatMap(linesOf)]
      : [failedLine(name, error)],
  );
  return ['Resources from MCP servers:', '', ...blocks].join('\n');
}

function failedLine(server: string, error: unknown): string {
  return `Server: ${server} (error: ${errorMessage(error)})`;
}

function linesOf({ uri, name, description, mimeType }: ListedResource): readonly string[] {
  return [
    `  - ${uri}`,
    ...(name === '' ? [] : [`    Name: ${name}`]),
    ...(description === undefined ? [] : [`    Description: ${description}`]),
    ...(mimeType === undefined ? [] : [`    MIME Type: ${mimeType}`]),
  ];
}
