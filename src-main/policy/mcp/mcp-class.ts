import type { AccessClass } from '../../../src-preload/contract/access-class.ts';

/** The contents that a server has besides tools. */
export type McpContent = 'resources' | 'prompts';

/** What a tool of an MCP server is assumed to do. Source: design section 4 ("MCP calls"). */
export type McpClass = Extract<AccessClass, 'read' | 'write' | 'send'>;

/**
 * Where the class comes from: from the `table` of a server whose tools we know, from the `user` who set it, or from a
 * `claim` of the server, which is unverified.
 */
export type McpClassSource = 'table' | 'user' | 'claim' | 'none';
