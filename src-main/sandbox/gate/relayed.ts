import { createServer, type Server, type Socket } from 'node:net';
import { GATE_ADDRESS, plainHost } from './addresses.ts';
import { joined, type Reach, refusalPage } from './joined.ts';
import { NAME_PORT } from './namespace.ts';

/** The way for programs that connect to an address. The relay says first which one, in a line (namespace.ts). */

const MOST_HEADER_BYTES = 100;
const HTTP_PORT = 80;

export interface RelayPorts {
  readonly reach: Reach;
  /** The name that an address stands for, if it does. */
  readonly meantBy: (host: string) => string | undefined;
  /** What the name server answers to a message. */
  readonly answer: (message: Buffer) => Buffer | undefined;
}

export function relayServer({ reach, meantBy, answer }: RelayPorts): Server {
  return createServer({ allowHalfOpen: true }, (client) => {
    client.on('error', () => client.destroy());
    void headerOf(client).then((header) => {
      const isForNames = header?.host === GATE_ADDRESS && header.port === NAME_PORT;
      if (header === undefined) client.destroy();
      else if (isForNames) answerAll(client, answer);
      else return relayed({ ...header, host: meantBy(header.host) ?? header.host }, client, reach);
    });
  });
}

interface Header {
  readonly host: string;
  readonly port: number;
}

async function relayed({ host, port }: Header, client: Socket, reach: Reach): Promise<void> {
  const given = new AbortController();
  // That its end was closed says nothing: the program may still want an answer to what it has sent.
  client.once('close', () => given.abort());
  const remote = await reach(host, port, given.signal);
  if (remote !== undefined) return joined(client, remote);
  const text = port === HTTP_PORT ? refusalPage(`${host}:${port}`) : '';
  client.end(text, () => client.destroy());
}

/** The first line, after which the socket is paused. Undefined if there is none. */
function headerOf(client: Socket): Promise<Header | undefined> {
  return new Promise((resolve) => {
    let got = Buffer.alloc(0);
    const receive = (bytes: Buffer) => {
      got = Buffer.concat([got, bytes]);
      const end = got.indexOf('\n');
      if (end === -1 && got.length < MOST_HEADER_BYTES) return;
      client.off('data', receive).pause();
      client.unshift(got.subarray(end + 1));
      const [, host = '', port = ''] = /^(\S+) (\d{1,5})$/.exec(got.toString('latin1', 0, end)) ?? [];
      resolve(end === -1 ? undefined : { host: plainHost(host) ?? '', port: Number(port) });
    };
    client.on('data', receive).once('close', () => resolve(undefined));
  });
}

/** Messages with their length before each, as over TCP (RFC 1035, 4.2.2). */
function answerAll(client: Socket, answer: RelayPorts['answer']): void {
  const LENGTH_BYTES = 2;
  let got = Buffer.alloc(0);
  client.on('data', (bytes: Buffer) => {
    got = Buffer.concat([got, bytes]);
    while (got.length >= LENGTH_BYTES && got.length >= LENGTH_BYTES + got.readUInt16BE()) {
      const end = LENGTH_BYTES + got.readUInt16BE();
      const answered = answer(got.subarray(LENGTH_BYTES, end));
      got = got.subarray(end);
      if (answered === undefined) {
        client.destroy();
        return;
      }
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt16BE(answered.length);
      if (!client.write(Buffer.concat([length, answered]))) client.pause();
    }
  });
  client
    .on('drain', () => client.resume())
    .once('end', () => client.end())
    .resume();
}

/** One message for each connection, as it came by UDP. */
export function nameSocket(answer: RelayPorts['answer']): Server {
  return createServer({ allowHalfOpen: true }, (client) => {
    client.on('error', () => client.destroy());
    client.once('data', (message: Buffer) => client.end(answer(message) ?? '', () => client.destroy()));
    client.once('end', () => client.end());
  });
}
