import type {
  Client,
  ClientCapabilities,
  DiscoverResult,
  PriorDiscovery,
  ProtocolEra,
  specTypeSchemas,
} from '@modelcontextprotocol/client';
import { errorMessage } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import type { McpServerConfig } from '../../settings/config-schema.ts';
import { type MendingPorts, MessageMending, type SchemaIssue } from '../messages/message-mending.ts';
import { ServerFailure, type ServerProblem } from '../status/server-problem.ts';
import { statusOf } from './sdk-errors.ts';
import { type EndpointPorts, type OpenTransport, openTransport, type TransportKind } from './server-endpoint.ts';
import type { ServerExit, ServerProcess } from './server-process.ts';

/**
 * A child process of the older era may not respond to the probe at all. For a remote server, silence proves nothing.
 */
const STDIO_PROBE_TIMEOUT_MS = 3_000;
/** The SDK's own timers never fire: ours can be paused (see `CallClock`). */
export const NO_SDK_TIMEOUT_MS = 2 ** 31 - 1;
/** Pages of a tool list; a list with more is endless. */
const MAX_PAGES = 1_000;
/**
 * Statuses with which servers of the older transport answer Streamable HTTP. Source: MCP specification, "Backwards
 * Compatibility".
 */
const MAYBE_SSE = [400, 404, 405];

export type Era = PriorDiscovery;

/** The features of a client besides tool calls: elicitation, sampling, roots. */
export interface ClientFeatures {
  readonly capabilities: ClientCapabilities;
  /** Registers the handlers of those capabilities. */
  readonly register: (client: Client) => void;
  /** Whether a call that failed with this error should be retried; may ask the user. Never rejects. */
  readonly mayCallAgain?: (error: unknown, signal: AbortSignal) => Promise<boolean>;
}

export interface HandshakeOptions {
  readonly config: McpServerConfig;
  readonly version: string;
  readonly features?: ClientFeatures;
  /** The result of the last detection. */
  readonly prior?: Era;
  readonly signal: AbortSignal;
  /** Called with each transport before it is started. */
  readonly onTransport?: (transport: OpenTransport) => void;
}

/** An established connection. */
export interface Handshake {
  readonly client: Client;
  readonly link: OpenTransport;
  readonly mending: MessageMending;
  readonly era: Era;
}

/**
 * Connects and detects the server's protocol era by probing on the connection itself. A child process that dies on the
 * probe is started again without it; a URL that does not accept Streamable HTTP is retried with the older transport.
 * Rejects with `ServerFailure`, or with the SDK's errors if the server requires a sign-in.
 */
export async function shakeHands(options: HandshakeOptions, ports: EndpointPorts): Promise<Handshake> {
  const kind = options.config.transport;
  // Only servers of the older era use the older transport.
  if (kind === 'sse') return attempt({ ...options, prior: { kind: 'legacy' } }, kind, ports);
  const tried: OpenTransport[] = [];
  const watching = {
    ...options,
    onTransport: (link: OpenTransport) => {
      tried.push(link);
      options.onTransport?.(link);
    },
  };
  try {
    return await attempt(watching, kind, ports);
  } catch (error) {
    options.signal.throwIfAborted();
    const diedOfProbe = options.prior === undefined && tried.at(-1)?.process?.exit !== undefined;
    const isModernNoMore = options.prior?.kind === 'modern';
    if (kind === 'stdio' && diedOfProbe) return attempt({ ...options, prior: { kind: 'legacy' } }, kind, ports);
    if (isModernNoMore) return shakeHands({ ...options, prior: undefined }, ports);
    if (kind === 'http' && MAYBE_SSE.includes(statusOf(error) ?? 0)) {
      return attempt({ ...options, prior: { kind: 'legacy' } }, 'sse', ports).catch((sseError: unknown) => {
        options.signal.throwIfAborted();
        // The response to the configured transport is more informative.
        throw sseError instanceof ServerFailure && sseError.problem.code === 'address_not_allowed' ? sseError : error;
      });
    }
    throw error;
  }
}

async function attempt(
  { config, version, features, prior, signal, onTransport }: HandshakeOptions,
  kind: TransportKind,
  ports: EndpointPorts,
): Promise<Handshake> {
  const { Client, specTypeSchemas } = await import('@modelcontextprotocol/client');
  const mending = new MessageMending({
    issuesOfTool: issuesWith((value) => specTypeSchemas.Tool['~standard'].validate(value)),
    skipped: (text) => ports.log({ kind: 'skipped', text }),
  });
  const client = new Client(
    { name: 'steward', title: 'Steward', version },
    {
      capabilities: features?.capabilities ?? {},
      versionNegotiation: {
        mode: 'auto',
        probe: { timeoutMs: kind === 'stdio' ? STDIO_PROBE_TIMEOUT_MS : NO_SDK_TIMEOUT_MS },
      },
      listMaxPages: MAX_PAGES,
    },
  );
  features?.register(client);
  client.onerror = (error) => ports.log({ kind: 'state', text: errorMessage(error) });
  const link = await openTransport(config, kind, mending, ports);
  onTransport?.(link);
  // The SDK ignores the signal while it probes.
  const onAbort = () => void link.close();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    signal.throwIfAborted();
    await client.connect(link.transport, {
      signal,
      timeout: NO_SDK_TIMEOUT_MS,
      ...(prior === undefined ? {} : { prior }),
    });
    signal.throwIfAborted();
    return { client, link, mending, era: eraOf(client.getProtocolEra(), client.getDiscoverResult()) };
  } catch (error) {
    await link.close();
    throw link.process?.exit !== undefined ? exited(link, error) : error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

type Checked = ReturnType<(typeof specTypeSchemas)['Tool']['~standard']['validate']>;

/** The SDK's schema leaves `outputSchema` open, but the older era demands of it what it does of `inputSchema`. */
function issuesWith(check: (value: unknown) => Checked): MendingPorts['issuesOfTool'] {
  const issuesOf = (value: unknown): readonly SchemaIssue[] => {
    const checked = check(value);
    if ('then' in checked) return [];
    return (checked.issues ?? []).map(({ path = [], message }) => ({ path: path.map(keyOf), message }));
  };
  return (tool) => {
    const issues = issuesOf(tool);
    if (!isRecord(tool) || tool.outputSchema === undefined) return issues;
    const ofOutput = issuesOf({ name: 'output', inputSchema: tool.outputSchema });
    return [...issues, ...ofOutput.map(({ path, message }) => ({ path: ['outputSchema', ...path.slice(1)], message }))];
  };
}

/** A step of a path, of which Standard Schema allows two forms. */
function keyOf(step: PropertyKey | { readonly key: PropertyKey }): PropertyKey {
  return typeof step === 'object' ? step.key : step;
}

function exited({ process }: OpenTransport, cause: unknown): unknown {
  if (process?.exit === undefined || cause instanceof ServerFailure) return cause;
  return new ServerFailure(exitOf(process, process.exit), { cause });
}

function exitOf({ output }: ServerProcess, { exitCode, exitSignal: signal }: ServerExit): ServerProblem {
  return { code: 'exited', exitCode, signal, output };
}

/** Why a connection was lost. */
export function problemOfLoss({ process }: OpenTransport): ServerProblem {
  if (process?.exit !== undefined) return exitOf(process, process.exit);
  return { code: 'unreachable', reason: 'the connection was closed' };
}

function eraOf(era: ProtocolEra | undefined, discover: DiscoverResult | undefined): Era {
  return era === 'modern' && discover !== undefined ? { kind: 'modern', discover } : { kind: 'legacy' };
}
