import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import manifest from '../../package.json' with { type: 'json' };
import { SYSTEM_INFO_TOOLS, type SystemInfoTool } from './definitions.ts';
import { readDisks } from './disks.ts';
import { readNetwork } from './network.ts';
import { diskReport, networkReport, systemReport } from './report.ts';
import { readSystem } from './system.ts';

const REPORTS: Readonly<Record<SystemInfoTool, () => Promise<string>>> = {
  system_info: async () => systemReport(await readSystem()),
  disk_info: async () => diskReport(await readDisks()),
  network_info: async () => networkReport(await readNetwork()),
};

/** One connection's server. */
export function systemInfoServer(): Server {
  const server = new Server(
    { name: 'system-info', title: 'System information', version: manifest.version },
    { capabilities: { tools: {} } },
  );
  server.setRequestHandler('tools/list', () => ({ tools: SYSTEM_INFO_TOOLS.map((tool) => ({ ...tool })) }));
  server.setRequestHandler('tools/call', async ({ params: { name } }) => {
    if (!isTool(name)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${name}`);
    try {
      return { content: [{ type: 'text', text: await REPORTS[name]() }] };
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      return { isError: true, content: [{ type: 'text', text }] };
    }
  });
  return server;
}

function isTool(name: string): name is SystemInfoTool {
  return Object.hasOwn(REPORTS, name);
}
