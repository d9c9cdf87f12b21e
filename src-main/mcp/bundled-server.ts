import { fileURLToPath } from 'node:url';
import { SYSTEM_INFO_TOOLS } from '../../resources/system-info/definitions.ts';
import { workerUrl } from '../base/job-threads.ts';
import type { StartUtility } from '../processes/utility-process.ts';
import type { McpServerConfig } from '../settings/config-schema.ts';
import { BUNDLED_SERVER_NAME } from '../settings/spelling.ts';
import type { ToolList } from './tool-list.ts';

/** What the bundled server lists. It belongs to this version of the app, so nobody has to be asked about it. */
export const BUNDLED_LIST: ToolList = { tools: SYSTEM_INFO_TOOLS };

/** How its process is started: as a child of plain Node, or by the desktop, whose program can't run as Node. */
export interface BundledProgram {
  readonly startUtility: StartUtility | undefined;
}

/** Absolute. An entry of vite.config.ts. */
export function bundledServerPath(): string {
  return fileURLToPath(workerUrl('system-info', import.meta.url, '../../resources/system-info/main.ts'));
}

const AS_SHIPPED: McpServerConfig = { transport: 'bundled', args: [], env: {}, headers: {} };

/** The servers of config.json, and the bundled one unless config.json speaks of it. */
export function withBundledServer(
  servers: Readonly<Record<string, McpServerConfig>>,
): Readonly<Record<string, McpServerConfig>> {
  return Object.hasOwn(servers, BUNDLED_SERVER_NAME) ? servers : { ...servers, [BUNDLED_SERVER_NAME]: AS_SHIPPED };
}

/** Any other name with that transport means nothing. */
export function isBundledServer(name: string, { transport }: Pick<McpServerConfig, 'transport'>): boolean {
  return transport === 'bundled' && name === BUNDLED_SERVER_NAME;
}
