import { untilAborted } from '../base/until-aborted.ts';
import { readToolList, type ToolList } from './calls/tool-list.ts';
import { ServerFailure, type ServerProblem } from './status/server-problem.ts';
import { type Handshake, type HandshakeOptions, problemOfLoss, shakeHands } from './transport/handshake.ts';
import { isSignIn, problemOf } from './transport/sdk-errors.ts';
import type { EndpointPorts, OpenTransport } from './transport/server-endpoint.ts';

/** A connected server, with its tools or the reason why they could not be listed. */
export type Connected = { readonly handshake: Handshake } & (
  | { readonly list: ToolList; readonly problem?: never }
  | { readonly list?: never; readonly problem: ServerProblem }
);

/**
 * Connects and lists the tools. `letGo` closes a connection that was of no use. Rejects if there is no connection, if
 * it needs a sign-in, and when `signal` is aborted. If it is aborted because the time is over, and only the list is
 * missing, that is a problem of the list.
 */
export async function connectAndList(
  options: HandshakeOptions,
  endpoint: EndpointPorts,
  letGo: (link: OpenTransport) => Promise<void>,
): Promise<Connected> {
  const { prior, signal } = options;
  // If the later era is cached, nothing was exchanged before the list, and the server may have been replaced.
  if (prior?.kind !== 'modern') return connected(options, endpoint);
  try {
    const known = await connected(options, endpoint);
    if (known.problem === undefined || signal.aborted) return known;
    await letGo(known.handshake.link);
  } catch (error) {
    signal.throwIfAborted();
    if (isSignIn(error)) throw error;
  }
  return connected({ ...options, prior: undefined }, endpoint);
}

async function connected(options: HandshakeOptions, endpoint: EndpointPorts): Promise<Connected> {
  const { signal } = options;
  const handshake = await untilAborted(shakeHands(options, endpoint), signal);
  try {
    return { handshake, list: await untilAborted(readToolList(handshake, signal), signal) };
  } catch (error) {
    return { handshake, problem: await problemOfList(error, handshake, signal, endpoint.redact) };
  }
}

/** Rejects if the connection is the problem, or the server is being stopped. */
async function problemOfList(
  error: unknown,
  { client, link }: Handshake,
  signal: AbortSignal,
  redact: (text: string) => string,
): Promise<ServerProblem> {
  if (signal.aborted && !(signal.reason instanceof ServerFailure)) throw error;
  if (link.process?.exit !== undefined) throw new ServerFailure(problemOfLoss(link), { cause: error });
  if (isSignIn(error) || client.transport === undefined) throw error;
  return problemOf(error, redact);
}
