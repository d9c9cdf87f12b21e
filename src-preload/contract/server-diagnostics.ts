import { z } from 'zod';
import { request } from './route.ts';
import type { DoctorReport } from './server-doctor.ts';

/** A protocol message. */
export interface LoggedMessage {
  /** The request's method, also for its response. Absent for a response without a request. */
  readonly method?: string;
  /** Absent for notifications. */
  readonly id?: string | number;
  readonly kind: 'request' | 'notification' | 'result' | 'error';
  /** Approximate. */
  readonly bytes: number;
  /** For a response, the time since its request. */
  readonly afterMs?: number;
}

/** An entry of a server's log. Secrets are replaced before it is kept. */
export interface ServerLogEntry {
  /** Entries are numbered from 1, without gaps. */
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /**
   * `stderr` is output of the process, and `stray` a line on stdout that is not a message. `skipped` is an unusable
   * part of what the server sent. A `message` was logged by the server (`notifications/message`). A protocol message
   * was `sent` or `received`, and `state` is a change of the connection's state.
   */
  readonly kind: 'stderr' | 'stray' | 'skipped' | 'message' | 'sent' | 'received' | 'state';
  /** The text of a message is its beginning. */
  readonly text: string;
  readonly message?: LoggedMessage;
}

const ServerName = z.string().min(1).max(200);

export const serverDiagnostics = {
  /**
   * A server's log so far. Further entries are sent as `serverLog` events until `unfollowLog` or the next `followLog`.
   */
  followLog: request(z.object({ server: ServerName })).returns<{ readonly entries: readonly ServerLogEntry[] }>(),
  unfollowLog: request(z.object({})).returns<null>(),
  /**
   * Examines why a server does not work, with a `doctorStep` event for each step. Nothing of an unconfirmed entry is
   * started or connected to. A new examination cancels the previous one, which is rejected with `superseded`.
   */
  examine: request(z.object({ server: ServerName })).returns<DoctorReport>(),
};
