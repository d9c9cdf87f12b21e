import type { AuthProvider, FetchLike, Transport } from '@modelcontextprotocol/client';
import type { HttpClient } from '../network/http.ts';
import type { ProcessRunner } from '../processes/process-runner.ts';
import type { McpServerConfig } from '../settings/config-schema.ts';
import type { MessageMending } from './message-mending.ts';
import { type SecretOf, serverEnvironment, withSecrets } from './server-environment.ts';
import { serverFetch } from './server-fetch.ts';
import type { LogEntry } from './server-log.ts';
import { ServerFailure } from './server-problem.ts';
import { StdioTransport } from './stdio-transport.ts';
import { WatchedStdioTransport, WatchedTransport } from './watched-transport.ts';

export type TransportKind = McpServerConfig['transport'];

export interface EndpointPorts {
  readonly processes: Pick<ProcessRunner, 'start'>;
  readonly http: Pick<HttpClient, 'access' | 'open'>;
  /** Our own environment; a server gets only what is listed of it. */
  readonly env: () => Readonly<NodeJS.ProcessEnv>;
  readonly secretOf: SecretOf;
  /** Who Steward is to a remote server; `undefined`: nobody. */
  readonly account?: () => Account | undefined;
  readonly log: (entry: LogEntry) => void;
}

/** Gives the token for each request, and renews it. */
export interface Account extends AuthProvider {
  /** Sees which token each answer belongs to. */
  watched(fetchFn: FetchLike): FetchLike;
}

/** One way to a server, not connected yet. */
export interface OpenTransport {
  readonly kind: TransportKind;
  readonly transport: Transport;
  /** The child, of stdio. */
  readonly process?: StdioTransport;
  /** Says goodbye to a remote server's session, and closes. */
  readonly close: () => Promise<void>;
}

/** Rejects with `ServerFailure`. */
export async function openTransport(
  config: McpServerConfig,
  kind: TransportKind,
  mending: MessageMending,
  ports: EndpointPorts,
): Promise<OpenTransport> {
  const { processes, env, secretOf, log } = ports;
  if (kind === 'stdio') {
    if (config.command === undefined) throw new ServerFailure({ code: 'not_configured' });
    const environment = await serverEnvironment(config, env(), secretOf);
    const process = new StdioTransport({ command: config.command, args: config.args, environment, processes, log });
    const transport = new WatchedStdioTransport(process, mending, log);
    return { kind, transport, process, close: () => process.close() };
  }
  if (config.url === undefined) throw new ServerFailure({ code: 'not_configured' });
  const { StreamableHTTPClientTransport, SSEClientTransport } = await import('@modelcontextprotocol/client');
  const url = new URL(config.url);
  const account = ports.account?.();
  const fetchFn = serverFetch({
    url: config.url,
    http: ports.http,
    skipped: (bytes) => log({ kind: 'skipped', text: `a message of ${bytes} bytes` }),
  });
  const options = {
    requestInit: { headers: await withSecrets(config.headers, secretOf) },
    ...(account === undefined ? { fetch: fetchFn } : { fetch: account.watched(fetchFn), authProvider: account }),
    onInsufficientScope: 'throw',
  } as const;
  if (kind === 'sse') {
    const inner = new SSEClientTransport(url, options);
    return { kind, transport: new WatchedTransport(inner, mending, log), close: () => inner.close() };
  }
  const inner = new StreamableHTTPClientTransport(url, options);
  const close = async () => {
    // A courtesy; a server that does not answer any more is left.
    await Promise.race([inner.terminateSession().catch(() => undefined), aMoment()]);
    await inner.close();
  };
  return { kind, transport: new WatchedTransport(inner, mending, log), close };
}

const GOODBYE_MS = 1_000;

function aMoment(): Promise<void> {
  return new Promise((done) => void setTimeout(done, GOODBYE_MS).unref());
}
