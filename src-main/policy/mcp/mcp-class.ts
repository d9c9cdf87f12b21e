import type { AccessClass } from '../../../src-preload/contract/access-class.ts';

/** What a server has besides tools. */
export type McpContent = 'resources' | 'prompts';

/** What a tool of an MCP server is assumed to do. Source: design section 4 ("MCP calls"). */
export type McpClass = Extract<AccessClass, 'read' | 'write' | 'send'>;

/** `table`: a server whose tools we know. `person`: set by the user. `claim`: claimed by the server, unverified. */
export type McpClassSource = 'table' | 'person' | 'claim' | 'none';
