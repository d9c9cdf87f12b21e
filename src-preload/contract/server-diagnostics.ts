import { z } from 'zod';
import { request } from './route.ts';
import type { DoctorReport } from './server-doctor.ts';

/** Of a protocol message. */
export interface LoggedMessage {
  /** Of the request, also where the message is its answer. Absent: an answer to nothing that was asked. */
  readonly method?: string;
  /** Absent: a notification. */
  readonly id?: string | number;
  readonly kind: 'request' | 'notification' | 'result' | 'error';
  /** Approximate. */
  readonly bytes: number;
  /** Of an answer: since its request. */
  readonly afterMs?: number;
}

/** One line of a server's log. Values that are secret are replaced before it is kept. */
export interface ServerLogEntry {
  /** Counts from 1, without gaps. */
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /**
   * `stderr`: the process wrote it. `stray`: it stood on stdout and is no message. `skipped`: a part of what the server sent that
   * cannot be used. `message`: the server logged it (`notifications/message`). `sent`, `received`: a protocol message. `state`: what became of the connection.
   */
  readonly kind: 'stderr' | 'stray' | 'skipped' | 'message' | 'sent' | 'received' | 'state';
  /** Of a message the beginning. */
  readonly text: string;
  readonly message?: LoggedMessage;
}

const ServerName = z.string().min(1).max(200);

export const serverDiagnostics = {
  /** What is kept of a server's log. From then on the event `serverLog` tells of more, until `unfollowLog` or the next `followLog`. */
  followLog: request(z.object({ server: ServerName })).returns<{ readonly entries: readonly ServerLogEntry[] }>(),
  unfollowLog: request(z.object({})).returns<null>(),
  /**
   * Looks why a server does not work; the event `doctorStep` tells of each step. Of an entry that nobody confirmed nothing is started or
   * connected to. One at a time: a further one ends the one before, which is refused with `superseded`.
   */
  examine: request(z.object({ server: ServerName })).returns<DoctorReport>(),
};
