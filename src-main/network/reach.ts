import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { errorMessage, systemCode } from '../base/errors.ts';
import type { Lookup } from './destination.ts';
import { lookUp, parseHttpUrl, systemLookup, writtenDestination } from './destination.ts';
import { HttpFailure } from './http.ts';
import { type OwnNetworks, systemNetworks } from './own-networks.ts';

/**
 * How far a connection to a URL gets, step by step. What was not reached is absent. `error` is the system's code, or
 * that of TLS.
 */
export interface Reach {
  readonly written:
    | { readonly ok: true; readonly host: string; readonly port: number; readonly isPrivate: boolean }
    | { readonly ok: false; readonly reason: string };
  /** `becamePrivate` says that a public name has a private address, to which nothing connects. */
  readonly lookup?:
    | { readonly ok: true; readonly addresses: readonly string[] }
    | { readonly ok: false; readonly becamePrivate: readonly string[] }
    | { readonly ok: false; readonly error: string };
  readonly port?:
    | { readonly ok: true; readonly address: string; readonly ms: number }
    | { readonly ok: false; readonly error: string };
  /** Present for https only. */
  readonly tls?:
    | { readonly ok: true; readonly issuer: string; readonly validTo: string; readonly protocol: string }
    | { readonly ok: false; readonly error: string };
}

export interface ReachOptions {
  readonly signal: AbortSignal;
  /** With false, only what is written is judged, and nothing is looked up. */
  readonly mayConnect: boolean;
  readonly lookup?: Lookup;
  readonly ownNetworks?: OwnNetworks;
  /** The limit of lookup, connection and handshake, each. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 5_000;

/**
 * Opens a connection as the HTTP client would, says how far it got, and closes it. Sends no request. Rejects only with
 * the signal's reason.
 */
export async function reachOf(url: string, options: ReachOptions): Promise<Reach> {
  const { signal, mayConnect, lookup = systemLookup, ownNetworks = systemNetworks, timeoutMs = TIMEOUT_MS } = options;
  let parsed: URL;
  try {
    parsed = parseHttpUrl(url);
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error;
    return { written: { ok: false, reason: error.message } };
  }
  const destination = writtenDestination(parsed, { ownNetworks });
  const isTls = parsed.protocol === 'https:';
  const port = Number(parsed.port) || (isTls ? 443 : 80);
  const isPrivate = destination.class === 'network-private';
  const written = { ok: true, host: destination.host, port, isPrivate } as const;
  if (!mayConnect) return { written };
  const within = () => AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const found = await lookUp(destination, { lookup, ownNetworks }, within()).catch((problem: unknown) => {
    signal.throwIfAborted();
    return { ...destination, problem };
  });
  const addresses = found.addresses.map(({ address }) => address);
  const [address] = addresses;
  if (address === undefined) return { written, lookup: { ok: false, error: codeOf(found.problem) } };
  if (!isPrivate && found.class === 'network-private')
    return { written, lookup: { ok: false, becamePrivate: addresses } };
  const looked = { written, lookup: { ok: true, addresses } } as const;
  const startedAt = performance.now();
  const connected = await firstConnection(addresses, port, within);
  signal.throwIfAborted();
  if ('error' in connected) return { ...looked, port: { ok: false, error: connected.error } };
  const { socket } = connected;
  const reached = {
    ...looked,
    port: { ok: true, address: connected.address, ms: Math.round(performance.now() - startedAt) },
  } as const;
  try {
    return isTls ? { ...reached, tls: await handshake(socket, parsed.hostname, within()) } : reached;
  } finally {
    socket.destroy();
    signal.throwIfAborted();
  }
}

type Connected = { readonly socket: Socket; readonly address: string } | { readonly error: string };

async function firstConnection(
  addresses: readonly string[],
  port: number,
  within: () => AbortSignal,
): Promise<Connected> {
  let error = '';
  for (const address of addresses) {
    const socket = connectTcp({ host: address, port });
    const outcome = await happens(socket, 'connect', within());
    if (outcome === undefined) return { socket, address };
    error = outcome;
    socket.destroy();
  }
  return { error };
}

async function handshake(socket: Socket, hostname: string, signal: AbortSignal): Promise<Reach['tls']> {
  const secured = connectTls({
    socket,
    // An address is no server name: RFC 6066.
    ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
    host: hostname,
  });
  const error = await happens(secured, 'secureConnect', signal);
  if (error !== undefined) return { ok: false, error };
  const { issuer, valid_to: validTo } = secured.getPeerCertificate();
  const named = issuer.O ?? issuer.CN ?? '';
  secured.destroy();
  return { ok: true, issuer: String(named), validTo, protocol: secured.getProtocol() ?? '' };
}

/** Resolves with nothing when it happens, else with a code. */
function happens(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    socket.once(event, () => resolve(undefined));
    // The listener stays, because a later error concerns nobody.
    socket.on('error', (error) => resolve(codeOf(error)));
    socket.once('close', () => resolve('ECONNRESET'));
    signal.addEventListener('abort', () => resolve('ETIMEDOUT'), { once: true });
  });
}

function codeOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'ETIMEDOUT';
  return systemCode(error) || errorMessage(error);
}
