import { SYSTEM_INFO_TOOLS, type SystemInfoTool } from '../../resources/system-info/definitions.ts';
import type { McpServerConfig } from '../settings/config-schema.ts';
import { BUNDLED_SERVER_NAME } from '../settings/spelling.ts';
import type { Tool } from '../tools/contract.ts';
import type { ToolList } from './calls/tool-list.ts';

/** The tools of the bundled server. They ship with this version of the app, so they need no review. */
export const BUNDLED_LIST: ToolList = { tools: SYSTEM_INFO_TOOLS };

/** The words for its tools. They are our own tools, so they may have these. */
export const BUNDLED_WORDS: Readonly<Record<SystemInfoTool, Tool['words']>> = {
  system_info: words('Read system information', 'chart-column'),
  disk_info: words('Read disk information', 'chart-column'),
  network_info: words('Read network information', 'globe'),
};

const AS_SHIPPED: McpServerConfig = { transport: 'bundled', args: [], env: {}, headers: {} };

/** The servers of config.json, plus the bundled one unless config.json configures it. */
export function withBundledServer(
  servers: Readonly<Record<string, McpServerConfig>>,
): Readonly<Record<string, McpServerConfig>> {
  return Object.hasOwn(servers, BUNDLED_SERVER_NAME) ? servers : { ...servers, [BUNDLED_SERVER_NAME]: AS_SHIPPED };
}

/** Other entries with that transport are not the bundled server. */
export function isBundledServer(name: string, { transport }: Pick<McpServerConfig, 'transport'>): boolean {
  return transport === 'bundled' && name === BUNDLED_SERVER_NAME;
}

/** A tool of the bundled server, with its display texts. */
export function withBundledWords(tool: Tool, name: string): Tool {
  return isBundledTool(name) ? { ...tool, words: BUNDLED_WORDS[name] } : tool;
}

function isBundledTool(name: string): name is SystemInfoTool {
  return Object.hasOwn(BUNDLED_WORDS, name);
}

function words(title: string, icon: NonNullable<Tool['words']>['icon']): NonNullable<Tool['words']> {
  return { title, done: title, icon, about: [] };
}
