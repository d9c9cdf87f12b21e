import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { ConversationLog } from '../../src-main/assistant/conversation-log.ts';
import { ToolCalls } from '../../src-main/assistant/tool-calls.ts';
import { flagConsent } from '../../src-main/headless/flag-consent.ts';
import { McpManager } from '../../src-main/mcp/manager.ts';
import { createHttpClient } from '../../src-main/network/http-client.ts';
import { ProcessRunner } from '../../src-main/processes/process-runner.ts';
import { ProcessWatcher } from '../../src-main/processes/process-watcher.ts';
import type { McpServerConfig } from '../../src-main/settings/config-schema.ts';
import type { KnownServerRecord } from '../../src-main/storage/records/known-servers.ts';
import { knownServersIn, serverNotesIn } from '../fixtures/mcp/known-servers.ts';
import { type RunningAssistant, startAssistant } from '../fixtures/running-assistant.ts';
import type { Bench } from './bench.ts';
import { computed } from './event-loop-watch.ts';
import { comparison, figure, type Row } from './report.ts';
import { elapsedMs, interleaved, quantile } from './sampling.ts';

const SERVER = join(import.meta.dirname, 'mcp-server.mjs');
const CALLS = 20;
const SERVERS = 20;
const START_MS = 500;
const TOOLS = 2_000;
const TOOLS_A_PAGE = 100;

/** Against the SDK's own client and transport, which speak to the same server. */
export const mcp: Bench = {
  name: 'mcp',
  meaning: 'What Steward adds to a call of a tool on an MCP server, and to the start of ten servers.',
  run: async ({ isQuick }) => [...(await calls(isQuick)), await starts(isQuick), ...(await lists(isQuick))],
};

/** Calls one after the other, each through registry, policy and log; and what the connection alone makes of them. */
async function calls(isQuick: boolean): Promise<readonly Row[]> {
  const { command, args } = serverConfig([]);
  const config = { mcpServers: { bench: { command, args, classes: { wait: 'read', none: 'read' } } } };
  const assistant = await startAssistant({ config, consent: flagConsent('all') });
  const { services, signal } = assistant;
  await services.mcp.listed(signal);
  await services.reviewServers(signal);
  const connection = services.mcp.get('bench');
  if (connection === undefined) throw new Error('The server is not there');
  const bare = await bareClient([]);

  const each = (work: () => Promise<unknown>) => async () => ({ ms: await middleOf(work) });
  const measure = (tool: string, options: { warmUps: number; rounds: number }) =>
    interleaved(
      {
        ours: async () => ({ ms: await runCalls(assistant, `bench__${tool}`) }),
        connection: each(() => connection.call(tool, {}, { signal })),
        bare: each(() => bare.callTool({ name: tool, arguments: {} })),
      },
      options,
    );
  const of = (samples: readonly { readonly ms: number }[]) => samples.map(({ ms }) => ms);
  try {
    const waiting = await measure('wait', { warmUps: 2, rounds: isQuick ? 3 : 15 });
    const instant = await measure('none', { warmUps: 5, rounds: isQuick ? 3 : 15 });
    const own = instant.ours.map(({ ms }, round) => ms - (instant.bare[round]?.ms ?? 0));
    return [
      comparison(
        { what: 'a call of a tool that takes 20 ms', unit: 'ms', ours: of(waiting.ours) },
        { name: 'SDK client', theirs: of(waiting.bare) },
        { ratioAtMost: 1.2 },
      ),
      comparison(
        { what: '- the connection alone', unit: 'ms', ours: of(waiting.connection) },
        { name: 'SDK client', theirs: of(waiting.bare) },
      ),
      figure(
        { what: 'own time of a call, beside what the SDK client takes', unit: 'ms', ours: own },
        { meanAtMost: 2 },
      ),
      comparison(
        { what: 'a call of a tool that takes no time, the connection alone', unit: 'ms', ours: of(instant.connection) },
        { name: 'SDK client', theirs: of(instant.bare) },
      ),
    ];
  } finally {
    await bare.close();
    await assistant.stop();
  }
}

/** Milliseconds of the middle one of several calls: on a busy machine some wait for their turn, here and there. */
async function middleOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let call = 0; call < CALLS; call++) times.push(await elapsedMs(work));
  return quantile(times, 0.5);
}

async function runCalls({ services, signal, newConversation }: RunningAssistant, name: string): Promise<number> {
  let results = 0;
  const id = newConversation();
  const log = new ConversationLog(services.storage.events, id, randomUUID(), (event) => {
    if (event.type === 'tool_result' && !event.isError) results++;
  });
  const ms = await middleOf(() =>
    new ToolCalls(services.toolServicesOf(id), log, 'model', signal).run([
      { id: `call_${randomUUID()}`, name, input: {} },
    ]),
  );
  if (results !== CALLS) throw new Error(`${results} of ${CALLS} calls of ${name} succeeded`);
  return ms;
}

/**
 * Starts all servers from nothing until their tools are listed. What is stored from earlier spares the question about
 * the era, because the bare clients are told theirs.
 */
async function starts(isQuick: boolean): Promise<Row> {
  const records = new Map<string, KnownServerRecord>();
  const servers = Object.fromEntries(
    Array.from({ length: SERVERS }, (_, index) => [`server${index}`, serverConfig([START_MS])]),
  );
  const ours = async () => {
    const watcher = new ProcessWatcher({ log: () => undefined });
    const processes = new ProcessRunner({ environment: () => process.env, watcher });
    const http = createHttpClient();
    const manager = new McpManager({
      looksBuiltIn: () => false,
      processes,
      http,
      version: '0.0.0',
      log: () => undefined,
      env: () => process.env,
      now: () => new Date(),
      secretOf: async () => undefined,
      unreviewedFor: async () => [],
      knownSecrets: () => [],
      knownServers: knownServersIn(records),
      notes: serverNotesIn(),
    });
    const ms = await elapsedMs(async () => {
      manager.apply(servers);
      await Promise.all(manager.servers.map((server) => server.start()));
    });
    const notReady = manager.servers.filter(({ state }) => state.name !== 'ready');
    await manager.close();
    await watcher.close();
    await http.close();
    if (notReady.length > 0) throw new Error(`${notReady.length} servers did not get ready`);
    return { ms };
  };
  const bare = async () => {
    let clients: readonly Client[] = [];
    const ms = await elapsedMs(async () => {
      clients = await Promise.all(Array.from({ length: SERVERS }, () => bareClient([START_MS])));
      await Promise.all(clients.map((client) => client.listTools()));
    });
    await Promise.all(clients.map((client) => client.close()));
    return { ms };
  };
  // The warm-up stores the eras.
  const samples = await interleaved({ ours, bare }, { warmUps: 1, rounds: isQuick ? 2 : 7 });
  return comparison(
    {
      what: `${SERVERS} servers that need ${START_MS} ms each, ready`,
      unit: 'ms',
      ours: samples.ours.map(({ ms }) => ms),
    },
    { name: 'SDK clients, era given', theirs: samples.bare.map(({ ms }) => ms) },
    { ratioAtMost: 1.3 },
  );
}

/** What this thread itself computes until many tools are in a request, step by step. */
async function lists(isQuick: boolean): Promise<readonly Row[]> {
  const { command, args } = serverConfig([0, TOOLS, TOOLS_A_PAGE]);
  const ours = async () => {
    const assistant = await startAssistant({
      config: { mcpServers: { many: { command, args } } },
      consent: flagConsent('all'),
    });
    const { services, signal } = assistant;
    const listing = await computed(() => services.mcp.listed(signal));
    const reviewing = await computed(() => services.reviewServers(signal));
    const offering = await computed(async () =>
      services.toolServicesOf('none').tools.offer({ uses: [], canDefer: false }),
    );
    const listed = services.registry.list().filter(({ name }) => name.startsWith('many__')).length;
    await assistant.stop();
    if (listed !== TOOLS) throw new Error(`${listed} of ${TOOLS} tools are in the registry`);
    return { listing: listing.cpuMs, reviewing: reviewing.cpuMs, offering: offering.cpuMs };
  };
  const bare = async () => {
    const client = await bareClient([0, TOOLS, TOOLS_A_PAGE]);
    const listing = await computed(() => client.listTools());
    await client.close();
    return { listing: listing.cpuMs, reviewing: 0, offering: 0 };
  };
  const samples = await interleaved({ ours, bare }, { warmUps: 1, rounds: isQuick ? 2 : 7 });
  const of = (name: 'listing' | 'reviewing' | 'offering') => samples.ours.map((sample) => sample[name]);
  return [
    comparison(
      { what: `${TOOLS.toLocaleString('en')} tools listed, own computing`, unit: 'ms', ours: of('listing') },
      { name: 'SDK client', theirs: samples.bare.map(({ listing }) => listing) },
    ),
    figure({ what: '- compared with what was accepted, and registered', unit: 'ms', ours: of('reviewing') }),
    figure({ what: '- offered to a model', unit: 'ms', ours: of('offering') }),
  ];
}

function serverConfig(args: readonly number[]): McpServerConfig & { readonly command: string } {
  const given = [SERVER, ...args.map(String)];
  return { transport: 'stdio', command: process.execPath, args: given, env: {}, headers: {} };
}

/** Told the older era, so that it does not ask. */
async function bareClient(args: readonly number[]): Promise<Client> {
  const { command, args: given } = serverConfig(args);
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command, args: [...given] }));
  return client;
}
