import { delimiter } from 'node:path';
import type { DoctorFact, DoctorReport, DoctorStep } from '../../src-preload/contract/server-doctor.ts';
import { canonicalText } from '../base/canonical-json.ts';
import { ownValue } from '../base/json.ts';
import type { McpConnection } from '../mcp/connection.ts';
import type { ServerSurroundings } from '../mcp/server-surroundings.ts';
import { serverRedaction } from '../mcp/status/server-redaction.ts';
import { reachOf } from '../network/reach.ts';
import type { ServersPart, SettingsPart } from '../services.ts';
import type { McpServerConfig } from '../settings/config-schema.ts';
import { entryStep, programSteps, runtimeStep, secretsStep } from './entry-steps.ts';
import { startSteps } from './start-steps.ts';
import { urlSteps } from './url-steps.ts';

export interface ServerDoctorOptions {
  readonly signal: AbortSignal;
  /** It is called with each finished step. */
  readonly onStep?: (step: DoctorStep) => void;
}

/**
 * Examines why an MCP server does not work, or that it does. If an entry is unconfirmed or switched off, nothing is
 * started, looked up or connected to. Rejects only with the signal's reason.
 */
export async function examineServer(
  server: string,
  { settings, config, mcp, mcpSurroundings }: SettingsPart & ServersPart,
  { signal, onStep = () => undefined }: ServerDoctorOptions,
): Promise<DoctorReport> {
  const steps: DoctorStep[] = [];
  const add = (...more: readonly (DoctorStep | undefined)[]) => {
    signal.throwIfAborted();
    for (const found of more) {
      if (found === undefined) continue;
      // Advice is not repeated.
      const given = new Set(steps.flatMap(({ advice }) => advice.map(canonicalText)));
      const step = { ...found, advice: found.advice.filter((each) => !given.has(canonicalText(each))) };
      steps.push(step);
      onStep(step);
    }
  };
  const entry = ownValue(settings.current.mcpServers, server);
  if (entry === undefined) {
    add({ id: 'entry', outcome: 'problem', facts: [{ code: 'no_entry' }], advice: [] });
    return { server, steps };
  }
  const isConfirmed = ownValue(config.mcpServers, server) !== undefined;
  const redact = serverRedaction(() => entry, mcpSurroundings.knownSecrets);
  const examination = { server, entry, surroundings: mcpSurroundings, connection: mcp.get(server), signal, add };
  add(entryStep(entry, isConfirmed, redact));
  add(await secretsStep(server, entry, mcpSurroundings));
  const held = heldBack(entry, isConfirmed);
  const nodeVersion =
    entry.transport === 'stdio' ? await examineProgram(examination, held) : await examineUrl(examination, held);
  const failed = steps.find(({ id, outcome }) => outcome === 'problem' && id !== 'runtime');
  const reason: DoctorFact | undefined = failed === undefined ? held : { code: 'came_before', step: failed.id };
  const { connection } = examination;
  if (reason !== undefined || connection === undefined) add(skipped('start', reason ?? { code: 'not_confirmed' }));
  else add(...(await startSteps(connection, entry, nodeVersion, signal)));
  return { server, steps };
}

interface Examination {
  readonly server: string;
  readonly entry: McpServerConfig;
  readonly surroundings: ServerSurroundings;
  readonly connection: McpConnection | undefined;
  readonly signal: AbortSignal;
  readonly add: (...steps: readonly (DoctorStep | undefined)[]) => void;
}

/** Why the entry must not be started or connected to; `undefined` if it may be. */
function heldBack({ enabled }: McpServerConfig, isConfirmed: boolean): DoctorFact | undefined {
  if (!isConfirmed) return { code: 'not_confirmed' };
  return enabled === false ? { code: 'disabled' } : undefined;
}

/** Returns the version of Node, if the program runs on it. */
async function examineProgram(
  { entry, surroundings, signal, add }: Examination,
  held: DoctorFact | undefined,
): Promise<string | undefined> {
  if (entry.command === undefined) return undefined;
  if (held?.code === 'not_confirmed' && namesShare(entry)) {
    add(skipped('program', held));
    return undefined;
  }
  const { steps, path, environment } = await programSteps(entry, surroundings);
  add(...steps);
  if (path === undefined) return undefined;
  if (held !== undefined) {
    add(skipped('runtime', held));
    return undefined;
  }
  const step = await runtimeStep(entry, path, environment, { ...surroundings, signal });
  add(step);
  const node = step?.facts.find((fact) => fact.code === 'runtime' && fact.runtime === 'node');
  return node?.code === 'runtime' ? node.version : undefined;
}

/** Looking for a file on a network share of Windows contacts that machine, and tells it who the user is. */
function namesShare({ command = '', env }: McpServerConfig): boolean {
  const folders = (env.PATH ?? env.Path ?? '').split(delimiter);
  return [command, ...folders].some((path) => /^[\\/]{2}/.test(path));
}

async function examineUrl({ entry, signal, add }: Examination, held: DoctorFact | undefined): Promise<undefined> {
  if (entry.url === undefined) return undefined;
  add(...urlSteps(await reachOf(entry.url, { signal, mayConnect: held === undefined })));
  if (held !== undefined) add(skipped('lookup', held));
  return undefined;
}

function skipped(id: DoctorStep['id'], reason: DoctorFact): DoctorStep {
  return { id, outcome: 'skipped', facts: [reason], advice: [] };
}
