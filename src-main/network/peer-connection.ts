import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { connect, isIPv6, type Socket } from 'node:net';
import { fixedLookup } from './connections.ts';
import { lookUp, type Surroundings, writtenDestination } from './destination.ts';
import type { PeerContext } from './http.ts';
import type { Peer } from './peer.ts';

const CONNECT_WITHIN_MS = 30_000;

/** See `HttpClient.connect`. */
export async function connectToPeer(
  peer: Peer,
  { signal, isAllowed }: PeerContext,
  surroundings: Surroundings,
): Promise<Socket | undefined> {
  const { host, port } = peer;
  const url = new URL(`http://${isIPv6(host) ? `[${host}]` : host}:${port}/`);
  const written = writtenDestination(url, surroundings);
  // What is asked about is the host as it was given: `a.example@b.example` or `0x7f.1` would lead to another one.
  if (written.host !== host) throw new Error('that is no host');
  if (!(await isAllowed(written))) return undefined;
  signal.throwIfAborted();
  const found = await lookUp(written, surroundings, signal);
  if (found.addresses.length === 0) throw found.problem ?? new Error('the name has no address');
  const isAsBefore = found.class === written.class && found.isMetadata === written.isMetadata;
  if (!isAsBefore && !(await isAllowed(found))) return undefined;
  signal.throwIfAborted();
  return connectTo(peer, found.addresses, signal);
}

async function connectTo(
  { host, port }: Peer,
  addresses: readonly LookupAddress[],
  signal: AbortSignal,
): Promise<Socket> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_WITHIN_MS)]);
  // The other end may close its half first, and still be sent something.
  const socket = connect({ host, port, lookup: fixedLookup(addresses), autoSelectFamily: true, allowHalfOpen: true });
  try {
    await once(socket, 'connect', { signal: within });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
