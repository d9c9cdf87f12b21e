import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createRequire } from 'node:module';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { isRecord } from '../../../../src-main/base/json.ts';

/** In the place of what a server would reach: keeps what it was asked, and does nothing. */
export interface Recorder {
  readonly address: string;
  readonly received: readonly unknown[];
  close(): Promise<void>;
}

/** A service over HTTP that answers `{}` to everything. */
export async function httpRecorder(): Promise<Recorder> {
  const received: unknown[] = [];
  const server = createHttpServer(async (request, response) => {
    const body = await text(request);
    received.push({ method: request.method, path: request.url, body: body === '' ? undefined : JSON.parse(body) });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  return { address: `http://127.0.0.1:${await listening(server)}`, received, close: () => closed(server) };
}

/** A `kubectl` in a folder of its own, which writes its arguments to `log` as a line of JSON. */
export function kubectlRecorder(folder: string, log: string): { readonly path: string } {
  const own = join(folder, 'stand-in');
  mkdirSync(own, { recursive: true });
  const program = join(own, 'kubectl');
  const lines = [
    `#!${process.execPath}`,
    `require('node:fs').appendFileSync(${JSON.stringify(log)}, JSON.stringify(process.argv.slice(2)) + '\\n');`,
    `console.log('{"items":[]}');`,
  ];
  writeFileSync(program, `${lines.join('\n')}\n`);
  chmodSync(program, 0o755);
  writeFileSync(log, '');
  return { path: `${own}${delimiter}${process.env.PATH ?? ''}` };
}

interface Bson {
  serialize(document: object): Uint8Array;
  deserialize(bytes: Uint8Array): Record<string, unknown>;
}

const HEADER_BYTES = 16;
const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const HELLO = {
  ok: 1,
  ismaster: true,
  isWritablePrimary: true,
  helloOk: true,
  minWireVersion: 0,
  maxWireVersion: 21,
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  n: 0,
};

/**
 * A database that answers every command with success. `beside` is a module that has the package `bson`. Source:
 * https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/
 */
export async function mongoRecorder(beside: string): Promise<Recorder> {
  const bson: Bson = createRequire(beside)('bson');
  const received: unknown[] = [];
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    let rest = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= HEADER_BYTES && rest.length >= rest.readInt32LE(0)) {
        const message = rest.subarray(0, rest.readInt32LE(0));
        rest = rest.subarray(message.length);
        const answer = answerTo(message, bson, received);
        if (answer !== undefined) socket.write(answer);
      }
    });
  });
  return {
    address: `mongodb://127.0.0.1:${await listening(server)}/?directConnection=true`,
    received,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return closed(server);
    },
  };
}

function answerTo(message: Buffer, bson: Bson, received: unknown[]): Buffer | undefined {
  const id = message.readInt32LE(4);
  const opcode = message.readInt32LE(12);
  const reply = bson.serialize(HELLO);
  if (opcode === OP_QUERY) return packed(OP_REPLY, id, Buffer.concat([replyHead(), reply]));
  if (opcode !== OP_MSG) return undefined;
  const command = commandIn(message.subarray(HEADER_BYTES + 4), bson);
  received.push(command);
  return packed(OP_MSG, id, Buffer.concat([Buffer.alloc(5), reply]));
}

/** The body, and what was sent beside it as a sequence of documents. */
function commandIn(sections: Buffer, bson: Bson): Record<string, unknown> {
  let command: Record<string, unknown> = {};
  for (let at = 0; at < sections.length; ) {
    const size = sections.readInt32LE(at + 1);
    const section = sections.subarray(at + 1, at + 1 + size);
    if (sections[at] === 0) command = { ...command, ...bson.deserialize(section) };
    else command = { ...command, ...sequenceIn(section, bson) };
    at += 1 + size;
  }
  return command;
}

function sequenceIn(section: Buffer, bson: Bson): Record<string, unknown> {
  const nameEnd = section.indexOf(0, 4);
  const documents: unknown[] = [];
  for (let at = nameEnd + 1; at < section.length; at += section.readInt32LE(at))
    documents.push(bson.deserialize(section.subarray(at, at + section.readInt32LE(at))));
  return { [section.toString('utf8', 4, nameEnd)]: documents };
}

/** Flags, cursor and position, all 0, and one document. */
function replyHead(): Buffer {
  const head = Buffer.alloc(20);
  head.writeInt32LE(1, 16);
  return head;
}

function packed(opcode: number, answersTo: number, body: Buffer): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeInt32LE(HEADER_BYTES + body.length, 0);
  header.writeInt32LE(answersTo, 8);
  header.writeInt32LE(opcode, 12);
  return Buffer.concat([header, body]);
}

/** The commands of a database recorder that change something. */
export function changesIn(received: readonly unknown[]): readonly unknown[] {
  return received.filter(isRecord).flatMap((command) => ('delete' in command ? [command.deletes] : []));
}

function listening(server: Server | ReturnType<typeof createHttpServer>): Promise<number> {
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    }),
  );
}

function closed(server: Server | ReturnType<typeof createHttpServer>): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
