import { homedir } from 'node:os';
import type { AuthProvider, FetchLike, Transport } from '@modelcontextprotocol/client';
import type { HttpClient } from '../../network/http.ts';
import { findExecutable } from '../../processes/find-executable.ts';
import type { ProcessRunner } from '../../processes/process-runner.ts';
import type { McpServerConfig } from '../../settings/config-schema.ts';
import { MessageLog } from '../messages/message-log.ts';
import type { MessageMending } from '../messages/message-mending.ts';
import type { LogEntry } from '../status/server-log.ts';
import { ServerFailure } from '../status/server-problem.ts';
import { type BundledProcess, bundledServerPath } from './bundled-process.ts';
import {
  inheritedEnvironment,
  type SecretOf,
  serverArguments,
  serverEnvironment,
  withSecrets,
} from './server-environment.ts';
import { serverFetch } from './server-fetch.ts';
import type { ServerProcess } from './server-process.ts';
import { StdioTransport, type StdioTransportOptions } from './stdio-transport.ts';
import { UtilityTransport } from './utility-transport.ts';
import { WatchedStdioTransport, WatchedTransport } from './watched-transport.ts';

export type TransportKind = McpServerConfig['transport'];

export interface EndpointPorts {
  readonly processes: Pick<ProcessRunner, 'start'>;
  readonly http: Pick<HttpClient, 'access' | 'open'>;
  /** Our own environment with the user's PATH; a server only gets the listed variables. */
  readonly env: () => Readonly<NodeJS.ProcessEnv> | Promise<Readonly<NodeJS.ProcessEnv>>;
  readonly secretOf: SecretOf;
  /**
   * The unreviewed files that a program with these arguments and variables could run: what text from outside may have
   * put there must not run because a configured server starts.
   */
  readonly unreviewedFor: (program: readonly string[]) => Promise<readonly string[]>;
  /** Set only for the server that ships with the app. */
  readonly bundled?: BundledProcess | undefined;
  /** The account at a remote server; `undefined` if there is none. */
  readonly account?: () => Account | undefined;
  readonly log: (entry: LogEntry) => void;
  /** Removes secrets from the server's texts. */
  readonly redact: (text: string) => string;
  /** How long a program may take to end after its stdin was closed. Without this, it is five seconds. */
  readonly endByItselfMs?: number;
}

/** Provides the token for each request and renews it. */
export interface Account extends AuthProvider {
  /** Matches each response with the token that was sent. */
  watched(fetchFn: FetchLike): FetchLike;
}

/** A transport that is not connected yet. */
export interface OpenTransport {
  readonly kind: TransportKind;
  readonly transport: Transport;
  /** Set if the server runs as a process that we start. */
  readonly process?: ServerProcess;
  /** Ends a remote server's session and closes. */
  readonly close: () => Promise<void>;
}

/** Rejects with `ServerFailure`. */
export async function openTransport(
  config: McpServerConfig,
  kind: TransportKind,
  mending: MessageMending,
  ports: EndpointPorts,
): Promise<OpenTransport> {
  const { env, secretOf, log, redact } = ports;
  const messages = new MessageLog(log, redact);
  if (kind === 'bundled') return openBundled(mending, messages, ports);
  if (kind === 'stdio') {
    if (config.command === undefined) throw new ServerFailure({ code: 'not_configured' });
    const [environment, args] = await Promise.all([
      serverEnvironment(config, await env(), secretOf),
      serverArguments(config, secretOf),
    ]);
    const found = (await findExecutable(config.command, homedir(), environment)) ?? '';
    const paths = await ports.unreviewedFor([config.command, found, ...args, ...Object.values(config.env)]);
    if (paths.length > 0) throw new ServerFailure({ code: 'unreviewed_files', paths });
    return openChild(kind, { command: config.command, args, environment }, mending, messages, ports);
  }
  if (config.url === undefined) throw new ServerFailure({ code: 'not_configured' });
  const { StreamableHTTPClientTransport, SSEClientTransport } = await import('@modelcontextprotocol/client');
  const url = new URL(config.url);
  const account = ports.account?.();
  const opened: { close?: () => Promise<void> } = {};
  const fetchFn = serverFetch({
    url: config.url,
    http: ports.http,
    answersPosts: kind === 'http',
    skipped: (text) => log({ kind: 'skipped', text }),
    onUnread: () => {
      log({ kind: 'state', text: 'ended: it does not read what it asks for' });
      void opened.close?.();
    },
  });
  const options = {
    requestInit: { headers: await withSecrets(config.headers, secretOf) },
    ...(account === undefined ? { fetch: fetchFn } : { fetch: account.watched(fetchFn), authProvider: account }),
    onInsufficientScope: 'throw',
  } as const;
  if (kind === 'sse') {
    const inner = new SSEClientTransport(url, options);
    opened.close = () => inner.close();
    const transport = new WatchedTransport(inner, mending, messages);
    return { kind, transport, close: () => transport.close() };
  }
  const inner = new StreamableHTTPClientTransport(url, options);
  opened.close = () => inner.close();
  const transport = new WatchedTransport(inner, mending, messages);
  const close = async () => {
    await transport.end();
    // Optional; a server that does not respond is abandoned.
    await Promise.race([inner.terminateSession().catch(() => undefined), aMoment()]);
    await transport.close();
  };
  return { kind, transport, close };
}

async function openBundled(
  mending: MessageMending,
  messages: MessageLog,
  ports: EndpointPorts,
): Promise<OpenTransport> {
  const { bundled, env, log, redact } = ports;
  if (bundled === undefined) throw new ServerFailure({ code: 'not_configured' });
  const { startUtility } = bundled;
  const path = bundledServerPath();
  const [command, ...args] = bundled.command ?? [process.execPath, path];
  const environment = inheritedEnvironment(await env());
  if (startUtility === undefined) return openChild('bundled', { command, args, environment }, mending, messages, ports);
  const request = { program: path, name: 'Steward system-info', environment };
  const utility = new UtilityTransport(() => startUtility(request), { log, redact });
  const transport = new WatchedTransport(utility, mending, messages);
  return { kind: 'bundled', transport, process: utility, close: () => transport.close() };
}

function openChild(
  kind: TransportKind,
  program: Pick<StdioTransportOptions, 'command' | 'args' | 'environment'>,
  mending: MessageMending,
  messages: MessageLog,
  { processes, log, redact, endByItselfMs }: EndpointPorts,
): OpenTransport {
  const ending = endByItselfMs === undefined ? {} : { endByItselfMs };
  const child = new StdioTransport({ ...program, ...ending, processes, log, redact });
  const transport = new WatchedStdioTransport(child, mending, messages);
  return { kind, transport, process: child, close: () => transport.close() };
}

const GOODBYE_MS = 1_000;

function aMoment(): Promise<void> {
  return new Promise((done) => void setTimeout(done, GOODBYE_MS).unref());
}
