import { rmSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { errorMessage } from '../../../src-main/base/errors.ts';
import { isRecord } from '../../../src-main/base/json.ts';
import { toolsFor } from '../../../src-main/models/schema-transforms/tools-for.ts';
import { wireNameOf } from '../../../src-main/tools/registry/wire-names.ts';
import { FAMILY, REFUSALS, SERVICES } from '../../fixtures/tool-refusals.ts';
import { type Call, type ChangedCall, changedCalls } from './compared.ts';
import { generatedArguments } from './generated-arguments.ts';
import { type Listing, linesIn, linesTo, logged, officialCalls, officialListing, type Program } from './official.ts';
import { type InstalledServer, installed, programOf } from './packages.ts';
import { type AskedCall, askWith, asParsed, receivedCalls, type StewardRun } from './steward.ts';
import type { TriedServer } from './table.ts';

/** What came of a server. */
export interface ServerReport {
  readonly server: TriedServer;
  /** It could not be tried, and why. */
  readonly problem?: string;
  /** The official client refuses what it says; the comparison is with what it wrote. */
  readonly refusedByClient: boolean;
  readonly listed: number;
  readonly offered: number;
  /** Tools that models are not offered. */
  readonly missing: readonly string[];
  /** What services say against its tools, as they are sent. */
  readonly refusedSchemas: readonly string[];
  readonly generated: number;
  readonly changed: readonly ChangedCall[];
  /** Calls whose event shows something else than what was written. */
  readonly shownChanged: readonly ChangedCall[];
  /** Calls of both clients to the real server. */
  readonly harmless: number;
  readonly different: readonly string[];
  /** The tools for the trial of `find_tools`. */
  readonly tools: StewardRun['offered'];
}

const MAX_HARMLESS = 3;
const READS =
  /^(?:get|list|search|read|find|describe|query|fetch|show|count|ping|resolve|lookup|status|help)|[_-](?:get|list|search|read|find)(?:[_A-Z-]|$)/;

/** Installs a server and compares what reaches it. Never rejects: what goes wrong is the result. */
export async function tried(server: TriedServer): Promise<ServerReport> {
  const none = { refusedByClient: false, listed: 0, offered: 0, missing: [], refusedSchemas: [], generated: 0 };
  const nothing = { ...none, changed: [], shownChanged: [], harmless: 0, different: [], tools: [] };
  try {
    return { server, ...nothing, ...(await compared(server, await installed(server))) };
  } catch (error) {
    return { server, ...nothing, problem: errorMessage(error).split('\n')[0] ?? '' };
  }
}

async function compared(server: TriedServer, at: InstalledServer): Promise<Partial<ServerReport>> {
  const { folder, ...program } = programOf(server, at);
  const files = { list: `${at.folder}/list.json`, mirror: `${at.folder}/mirror.log`, real: `${at.folder}/real.log` };
  const listing = await officialListing(program, `${at.folder}/official.log`);
  writeFileSync(files.list, listing.verbatim);
  for (const log of [files.mirror, files.real]) rmSync(log, { force: true });

  const harmless =
    server.calls?.map(([tool, input]) => ({ tool, input: inFolder(input, folder) })) ?? harmlessCalls(listing);
  const generated = listing.tools.flatMap(({ name, inputSchema }) =>
    generatedArguments(recordOf(inputSchema)).map((input) => ({ tool: name, input: asParsed(input) })),
  );
  const run = await askWith({ real: logged(program, files.real), mirror: mirrorOf(files.list, files.mirror) }, [
    ...to('mirror', generated),
    ...to('real', harmless),
  ]);
  const sent = receivedCalls(linesIn(files.mirror));
  const changed = changedCalls(generated, sent);
  const shownChanged = generated.flatMap(({ tool, input }, index): ChangedCall[] => {
    const { shown } = run.answers[index] ?? {};
    return isDeepStrictEqual(shown, input) ? [] : [{ tool, written: input, received: shown }];
  });
  const offered = run.offered.filter(({ name }) => name.startsWith('real__'));
  const names = new Set(offered.map(({ name }) => name));
  return {
    refusedByClient: listing.isRefused,
    listed: listing.tools.length,
    offered: offered.length,
    missing: listing.tools.map(({ name }) => name).filter((name) => !names.has(wireNameOf(`real__${name}`))),
    refusedSchemas: refusedSchemas(listing),
    generated: generated.length,
    changed: withAnswers(changed, generated, run),
    shownChanged,
    harmless: harmless.length,
    different: await differences(program, {
      harmless,
      run,
      log: files.real,
      folder: at.folder,
      callsBefore: generated.length,
    }),
    tools: offered,
  };
}

/** What the model was told of a call that never arrived. */
function withAnswers(changed: readonly ChangedCall[], generated: readonly Call[], run: StewardRun) {
  return changed.map((each) => {
    if ('received' in each) return each;
    const index = generated.findIndex(({ tool, input }) => tool === each.tool && input === each.written);
    return { ...each, answer: run.answers[index]?.text ?? '' };
  });
}

interface HarmlessRun {
  readonly harmless: readonly { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }[];
  readonly run: StewardRun;
  /** The log of what Steward sent to the real server. */
  readonly log: string;
  readonly folder: string;
  /** Calls of the run before these. */
  readonly callsBefore: number;
}

/** The harmless calls that differ between both clients: by what was sent, or by whether it failed. */
async function differences(program: Program, { harmless, run, log, folder, callsBefore }: HarmlessRun) {
  const ownLog = `${folder}/official-calls.log`;
  rmSync(ownLog, { force: true });
  const failures = await officialCalls(logged(program, ownLog), harmless);
  const bySteward = receivedCalls(linesTo('server', log));
  const byOfficial = receivedCalls(linesTo('server', ownLog));
  const changed = changedCalls(byOfficial, bySteward).map(({ tool }) => `${tool}: other arguments`);
  const others = harmless.flatMap(({ tool }, index) => {
    const isError = run.answers[callsBefore + index]?.isError;
    return isError === failures[index] ? [] : [`${tool}: ${isError ? 'fails here only' : 'fails there only'}`];
  });
  return [...changed, ...others];
}

function inFolder(input: Readonly<Record<string, unknown>>, folder: string): Readonly<Record<string, unknown>> {
  return JSON.parse(JSON.stringify(input).replaceAll('{folder}', folder));
}

/** The first of those that only read, by what they claim and are called; with what they require. */
function harmlessCalls({ tools }: Listing): HarmlessRun['harmless'] {
  return tools
    .filter(({ name, annotations }) => annotations?.readOnlyHint !== false && READS.test(name))
    .slice(0, MAX_HARMLESS)
    .map(({ name, inputSchema }) => ({ tool: name, input: generatedArguments(recordOf(inputSchema))[0] ?? {} }));
}

function refusedSchemas({ tools }: Listing): readonly string[] {
  return SERVICES.flatMap((service) =>
    tools.flatMap(({ name, description = '', inputSchema }) => {
      const source = { name: wireNameOf(name), description, inputSchema: recordOf(inputSchema) };
      const refusals = REFUSALS[service](JSON.parse(JSON.stringify(toolsFor(FAMILY[service], [source]))));
      return refusals.map((refusal) => `${service}, ${name}: ${JSON.stringify(refusal)}`);
    }),
  );
}

function mirrorOf(list: string, log: string): Program {
  return { command: process.execPath, args: [MIRROR, list, log], env: {} };
}

const MIRROR = `${import.meta.dirname}/mirror.mjs`;

const to = (server: string, calls: readonly Call[]): readonly AskedCall[] => calls.map((call) => ({ server, ...call }));

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}
