import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorMessage } from '../../base/errors.ts';
import { joined, type Reach, refusalPage } from './joined.ts';

/**
 * The way for programs that know a proxy: to all ports, and with a text where it was refused. Each request is judged on
 * its own, also of one connection.
 */

/** They concern one connection (RFC 9110, 7.6.1), or the proxy. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const AUTHORITY = /^(\[[^\]]+\]|[^:]+):(\d{1,5})$/;

export function httpProxy(reach: Reach): Server {
  // A large file may take longer than the five minutes that Node gives a request.
  const server = createServer({ requestTimeout: 0 });
  server.on('connect', (asked: IncomingMessage, client: Duplex, head: Buffer) => {
    void tunnelled(asked.url ?? '', client, head, reach);
  });
  server.on('request', (asked, answer) => void forwarded(asked, answer, reach));
  return server;
}

async function tunnelled(authority: string, client: Duplex, head: Buffer, reach: Reach): Promise<void> {
  const [, host = '', port = ''] = AUTHORITY.exec(authority) ?? [];
  const given = new AbortController();
  const giveUp = () => given.abort();
  // Until it has an answer, a client has no reason to close its half.
  client.on('error', giveUp).on('close', giveUp).on('end', giveUp);
  if (head.length > 0) client.unshift(head);
  client.once('readable', () => client.readableLength === 0 && client.read());
  const remote = await reach(host, Number(port), given.signal);
  client.off('end', giveUp);
  if (remote === undefined) {
    client.end(refusalPage(authority), () => client.destroy());
    return;
  }
  client.write('HTTP/1.1 200 Connection established\r\n\r\n');
  await joined(client, remote);
}

async function forwarded(asked: IncomingMessage, answer: ServerResponse, reach: Reach): Promise<void> {
  const url = URL.canParse(asked.url ?? '') ? new URL(asked.url ?? '') : undefined;
  if (url?.protocol !== 'http:') return refused(answer, 400, 'This proxy needs an address that begins with http://.');
  const given = new AbortController();
  answer.once('close', () => given.abort());
  const port = Number(url.port || 80);
  const remote = await reach(url.hostname, port, given.signal);
  if (remote === undefined) return refused(answer, 403, `Steward refused ${url.hostname}:${port}.`);
  try {
    await exchanged(url, asked, answer, remote, given.signal);
  } catch (error) {
    if (answer.headersSent) answer.destroy();
    else refused(answer, 502, `${url.host} could not be asked: ${errorMessage(error)}`);
  } finally {
    remote.destroy();
  }
}

async function exchanged(
  url: URL,
  asked: IncomingMessage,
  answer: ServerResponse,
  remote: Duplex,
  signal: AbortSignal,
): Promise<void> {
  const { method } = asked;
  const headers = [...passedOn(asked.rawHeaders, ['host']), 'Host', url.host, 'Connection', 'close'];
  // Without a length, Node sends the body in chunks, as it came.
  if (asked.headers['transfer-encoding'] !== undefined) headers.push('Transfer-Encoding', 'chunked');
  // As it was written: a server may tell spellings apart.
  const path = (asked.url ?? '').replace(/^http:\/\/[^/?#]*\/?/i, '/');
  const sent = request({ createConnection: () => remote, method, path, headers, signal });
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).on('error', reject);
  });
  // Servers may answer before they have read everything.
  const body = pipeline(asked, sent);
  body.catch(() => undefined);
  const got = await response;
  answer.sendDate = false;
  answer.writeHead(got.statusCode ?? 502, got.statusMessage, passedOn(got.rawHeaders, []));
  await pipeline(got, answer);
}

function passedOn(raw: readonly string[], left: readonly string[]): string[] {
  const pairs = raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : []));
  const named = pairs
    .filter(([name]) => name?.toLowerCase() === 'connection')
    .flatMap(([, value = '']) => value.toLowerCase().split(/[\s,]+/));
  const isLeft = (name: string) => OF_CONNECTION.has(name) || named.includes(name) || left.includes(name);
  return pairs.filter(([name = '']) => !isLeft(name.toLowerCase())).flat();
}

function refused(answer: ServerResponse, status: number, text: string): void {
  if (answer.destroyed) return;
  answer.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' }).end(`${text}\n`);
}
