import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import type { Prerequisite, TemplateId } from '../../../src-preload/contract/servers.ts';
import { namesIn } from '../../base/names-in.ts';
import { findExecutable } from '../../processes/find-executable.ts';
import type { FoundServer } from './found-server.ts';
import { openAddresses } from './open-addresses.ts';

/** The WhatsApp server's bridge only listens on this port. Source: tool catalogue C.7. */
const BRIDGE_PORT = 8080;

export interface TemplateState {
  readonly prerequisites: readonly Prerequisite[];
  /** The bridge is reachable from other machines. Source: tool catalogue G. */
  readonly isPortExposed: boolean;
  readonly server: FoundServer;
}

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * What a template's server needs, and its entry. Programs are located but not started. `folder` is its absolute source,
 * in which files are looked for. Source: tool catalogue C.7, C.8.
 */
export function templateState(id: TemplateId, folder: string, machine: Machine): Promise<TemplateState> {
  return id === 'whatsapp' ? whatsapp(folder, machine) : interviewAssist(folder, machine);
}

async function whatsapp(folder: string, machine: Machine): Promise<TemplateState> {
  const addresses = await openAddresses(BRIDGE_PORT);
  const program = (name: string) => findExecutable(name, '/', machine.env);
  const [uv, go, gcc, ffmpeg] = await Promise.all(['uv', 'go', 'gcc', 'ffmpeg'].map(program));
  return {
    prerequisites: [
      needed('folder', filesIn(folder, 'whatsapp-mcp-server/main.py', 'whatsapp-bridge/main.go')),
      needed('uv', uv),
      needed('go', go),
      ...(machine.platform === 'win32' ? [needed('gcc', gcc)] : []),
      { ...needed('ffmpeg', ffmpeg), isOptional: true },
      { id: 'port-8080', isMet: addresses.length > 0, isOptional: false, found: addresses },
    ],
    isPortExposed: addresses.some((address) => !/^(?:127\.|::1$)/.test(address)),
    server: {
      ...EMPTY,
      name: 'whatsapp',
      command: 'uv',
      args: ['--directory', join(folder, 'whatsapp-mcp-server'), 'run', 'main.py'],
    },
  };
}

async function interviewAssist(folder: string, { env, platform }: Machine): Promise<TemplateState> {
  const command = platform === 'win32' ? 'python' : 'python3';
  const [python, dotnet] = await Promise.all([findExecutable(command, '/', env), findExecutable('dotnet', '/', env)]);
  const script = join(folder, 'mcp_servers', 'interview_assist_server.py');
  return {
    prerequisites: [
      needed('folder', filesIn(folder, 'mcp_servers/interview_assist_server.py')),
      needed('python', python),
      needed('dotnet-sdk', dotnet === undefined ? undefined : sdkOf(dotnet)),
    ],
    isPortExposed: false,
    server: {
      ...EMPTY,
      name: 'interview-assist',
      command,
      args: [script],
      env: [
        { name: 'INTERVIEW_ASSIST_REPO', value: folder, isSecret: false, before: '', after: '' },
        { name: 'DEEPGRAM_API_KEY', value: '', isSecret: true, before: '', after: '' },
      ],
    },
  };
}

const EMPTY: FoundServer = {
  name: '',
  transport: 'stdio',
  command: '',
  args: [],
  env: [],
  url: '',
  headers: [],
  parts: [],
  start: 'eager',
  timeoutSeconds: null,
  remarks: [],
};

function needed(id: Prerequisite['id'], found: string | undefined): Prerequisite {
  return { id, isMet: found !== undefined, isOptional: false, found: found === undefined ? [] : [found] };
}

/**
 * The folder, if it has all these files. A network path is not opened: even that would send credentials to the other
 * machine.
 */
function filesIn(folder: string, ...files: readonly string[]): string | undefined {
  const isHere = isAbsolute(folder) && !/^[\\/]{2}/.test(folder) && !folder.includes('\0');
  return isHere && files.every((file) => existsSync(join(folder, file))) ? folder : undefined;
}

/** A runtime without an SDK has no such folder next to it. */
function sdkOf(dotnet: string): string | undefined {
  const sdk = join(dirname(realpathSync(dotnet)), 'sdk');
  return namesIn(sdk).length > 0 ? sdk : undefined;
}
