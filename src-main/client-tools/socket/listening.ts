import { chmodSync, unlinkSync } from 'node:fs';
import { connect, type Server } from 'node:net';
import { systemCode } from '../../base/errors.ts';
import { isSocket, prepareFolder } from './socket-place.ts';

/** Another process answers at the socket. */
export class SocketInUse extends Error {
  override readonly name = 'SocketInUse';
}

/** Something else has the name of the socket, perhaps a link. */
export class NotASocket extends Error {
  override readonly name = 'NotASocket';
}

/**
 * Listens at a path. A socket file that a crashed process left is replaced; one at which a process answers is not.
 * Rejects with `SocketInUse`, `NotASocket`, `UnsafeFolder`, or a system error.
 */
export async function listenAt(server: Server, path: string): Promise<void> {
  if (process.platform === 'win32') return listen(server, path);
  prepareFolder(path);
  try {
    await listen(server, path);
  } catch (error) {
    if (systemCode(error) !== 'EADDRINUSE') throw error;
    if (!isSocket(path)) throw new NotASocket(`${path} exists and is not a socket. Remove it, then try again.`);
    if (await isAnswered(path)) throw new SocketInUse(`Another program uses ${path}.`);
    unlinkSync(path);
    await listen(server, path);
  }
  chmodSync(path, OWNER_ONLY);
}

const OWNER_ONLY = 0o600;

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error) => {
      server.off('listening', done);
      reject(error);
    };
    const done = () => {
      server.off('error', failed);
      resolve();
    };
    server.once('error', failed).once('listening', done);
    // The file exists as soon as `listen` returns: at no moment may others connect.
    const mask = process.platform === 'win32' ? undefined : process.umask(0o177);
    try {
      server.listen(path);
    } finally {
      if (mask !== undefined) process.umask(mask);
    }
  });
}

/** A crashed process leaves the file, but nothing that answers. */
function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path);
    const settle = (answered: boolean) => {
      probe.destroy();
      resolve(answered);
    };
    probe.once('connect', () => settle(true));
    probe.once('error', (error) => settle(systemCode(error) === 'EAGAIN'));
  });
}
