import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Connects to a host as a program named it, or refuses. */
export type Reach = (host: string, port: number, signal: AbortSignal) => Promise<Duplex | undefined>;

/** Passes on what each of the two sends, at the pace of the other, until both have ended. */
export async function joined(client: Duplex, remote: Duplex): Promise<void> {
  // Both have more listeners than the ten after which Node warns.
  for (const stream of [client, remote]) stream.setMaxListeners(0);
  // Either end may be cut off at any time, which the other end then sees as well.
  await Promise.allSettled([pipeline(client, remote), pipeline(remote, client)]);
  client.destroy();
  remote.destroy();
}

/** What a program that speaks HTTP is told. */
export function refusalPage(authority: string): string {
  const text = `Steward refused ${/^[\w.:[\]-]{1,300}$/.test(authority) ? authority : 'this address'}.\n`;
  const head = ['HTTP/1.1 403 Forbidden', 'Content-Type: text/plain; charset=utf-8', 'Connection: close'];
  return `${head.join('\r\n')}\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
}
