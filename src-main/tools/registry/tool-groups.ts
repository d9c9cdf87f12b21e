import { estimateTokens } from '../../base/token-estimate.ts';
import { nameMatcher } from './name-glob.ts';

/**
 * Groups of the tools that Steward itself registers: one for each kind of built-in tool, one for each MCP server. A
 * group can be collapsed: models are then offered one tool in its place, which opens it. Pure. Source: tool catalogue
 * D.3.
 */

/** `title` is also the name of the tool that opens the group. `description` is for models, without a full stop. */
const BUILT_IN = {
  files: { title: 'Files', description: 'Read, write, edit and list files' },
  search: { title: 'Search', description: 'Find files and search their contents' },
  shell: {
    title: 'Shell',
    description: 'Run commands, also in the background, and see processes and environment variables',
  },
  web: { title: 'Web', description: 'Search the web, read pages and make HTTP requests' },
  mail: { title: 'Mail', description: 'Search, read and send mail with Gmail' },
  calendar: { title: 'Calendar', description: 'Read Google Calendar and create events' },
  linkedin: { title: 'LinkedIn', description: 'Search jobs on LinkedIn and read them' },
  memory: { title: 'Memory', description: 'Keep facts and notes across conversations, and find them again' },
  tasks: { title: 'Tasks', description: 'Keep a to-do list for longer work' },
  time: { title: 'Time', description: "The user's date and time" },
  json: { title: 'JSON', description: 'Parse, query and write JSON' },
  resources: { title: 'MCP resources', description: 'List and read resources of MCP servers' },
  usage: { title: 'API usage', description: "The organisation's use of the Claude API, and what it costs" },
} as const;

export type BuiltInGroup = keyof typeof BUILT_IN;

/** A category of built-in tools, or `mcp:` and the name of a server, as in config.json's `tools.collapsed`. */
export type GroupId = BuiltInGroup | `mcp:${string}`;

export function serverGroup(server: string): GroupId {
  return `mcp:${server}`;
}

/** Undefined if the group is not that of a server. */
export function serverOfGroup(id: GroupId): string | undefined {
  return isServerGroup(id) ? serverOf(id) : undefined;
}

/** The title of the group for people. It is also the name, not yet in wire form, of the tool that opens the group. */
export function groupTitle(id: GroupId): string {
  return isServerGroup(id) ? serverOf(id) : BUILT_IN[id].title;
}

export function groupDescription(id: GroupId): string {
  return isServerGroup(id) ? `Tools of the MCP server ${serverOf(id)}` : BUILT_IN[id].description;
}

/** `collapsed` are entries of `tools.collapsed`, with `*` and `?` as wildcards, whatever their case. */
export function isCollapsed(id: GroupId, collapsed: readonly string[]): boolean {
  return collapsed.some((entry) => nameMatcher(entry.trim().toLowerCase())(id.toLowerCase()));
}

/**
 * `tools.collapsed` after this group was switched. Other groups that a wildcard covers stay as they are; `all`: every
 * group there is.
 */
export function withCollapsed(
  id: GroupId,
  shallCollapse: boolean,
  collapsed: readonly string[],
  all: readonly GroupId[],
): readonly string[] {
  if (shallCollapse) return isCollapsed(id, collapsed) ? collapsed : [...collapsed, id];
  const covering = collapsed.filter((entry) => isCollapsed(id, [entry]));
  const others = collapsed.filter((entry) => !isCollapsed(id, [entry]));
  const stillCovered = all.filter((each) => each !== id && isCollapsed(each, covering) && !isCollapsed(each, others));
  return [...others, ...stillCovered];
}

/** A tool as models are offered it. */
interface GroupedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  /** The group of the tool. Without this, it is in none and always offered. */
  readonly group?: GroupId;
}

export interface ToolGroup<T> {
  readonly id: GroupId;
  readonly title: string;
  readonly description: string;
  /** The tools of the group, of which there is at least one, in the order given. */
  readonly tools: readonly T[];
}

/** The groups in the order in which their first tools appear. */
export function groupsOf<T extends GroupedTool>(tools: readonly T[]): readonly ToolGroup<T>[] {
  const byId = new Map<GroupId, T[]>();
  for (const tool of tools) {
    if (tool.group === undefined) continue;
    const members = byId.get(tool.group);
    if (members === undefined) byId.set(tool.group, [tool]);
    else members.push(tool);
  }
  return [...byId].map(([id, members]) => ({
    id,
    title: groupTitle(id),
    description: groupDescription(id),
    tools: members,
  }));
}

/**
 * What the tool that opens a group says of it; without a description, only what it contains. Source: tool catalogue
 * D.2.3, D.3.
 */
export function containerDescription(description: string | null | undefined, members: readonly string[]): string {
  const named = members.slice(0, MAX_NAMED).join(', ');
  const more = members.length > MAX_NAMED ? ` and ${members.length - MAX_NAMED} more` : '';
  const contents = `Contains ${members.length} functions: ${named}${more}`;
  return description?.trim() ? `${description}. ${contents}` : contents;
}

const MAX_NAMED = 10;

/** The result of the call that opens a group, also a program’s. Source: tool catalogue D.3. */
export function expandedText(title: string, tools: readonly { readonly name: string }[]): string {
  return `${title} expanded. Available functions: ${tools.map(({ name }) => name).join(', ')}`;
}

/**
 * Tokens that a group takes in each request: with all its tools, and collapsed. Estimates from the length of what is
 * sent.
 */
export function groupTokens({ title, description, tools }: Omit<ToolGroup<GroupedTool>, 'id'>): {
  readonly open: number;
  readonly collapsed: number;
} {
  const names = tools.map(({ name }) => name);
  const container = { name: title, description: containerDescription(description, names), inputSchema: NO_PARAMETERS };
  return {
    open: tools.reduce((sum, tool) => sum + toolTokens(tool), 0),
    collapsed: toolTokens(container),
  };
}

const NO_PARAMETERS = { type: 'object', properties: {} };

/** An estimate. Every service is sent these three in much the same form. */
export function toolTokens({ name, description, inputSchema }: GroupedTool): number {
  return estimateTokens(JSON.stringify({ name, description, input_schema: inputSchema }).length);
}

function isServerGroup(id: GroupId): id is `mcp:${string}` {
  return id.startsWith('mcp:');
}

function serverOf(id: `mcp:${string}`): string {
  return id.slice('mcp:'.length);
}
