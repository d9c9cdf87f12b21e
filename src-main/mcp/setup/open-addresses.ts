import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';

/** On this machine an address answers at once, or nobody listens. */
const WITHIN_MS = 500;

/** Addresses of this machine at which something listens on a port; none: nothing does. */
export async function openAddresses(port: number): Promise<readonly string[]> {
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  // Those of a link alone need a zone, and say nothing that the others do not.
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
