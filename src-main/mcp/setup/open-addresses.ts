import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';

/** A local address either responds at once or has no listener. */
const WITHIN_MS = 500;

/** This machine's addresses with a listener on the port. */
export async function openAddresses(port: number): Promise<readonly string[]> {
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  // Link-local addresses need a zone and add nothing to the others.
  const candidates = [...new Set(own.map(({ address }) => address))].filter((address) => !/^fe80:/i.test(address));
  const answers = await Promise.all(candidates.map(async (host) => ((await isOpen(host, port)) ? [host] : [])));
  return answers.flat();
}

function isOpen(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: WITHIN_MS });
    const end = (hasAnswered: boolean) => {
      socket.destroy();
      resolve(hasAnswered);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });
}
