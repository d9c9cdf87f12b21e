import type { AppEvents } from '../../../src-preload/contract/index.ts';
import type { serverDiagnostics } from '../../../src-preload/contract/server-diagnostics.ts';
import { examineServer } from '../../diagnostics/server-doctor.ts';
import type { Services } from '../../services.ts';
import type { Handlers } from '../handlers.ts';
import { IpcError } from '../ipc-error.ts';
import type { LogFollower } from './log-follower.ts';

export interface ServerDiagnosticsPorts {
  readonly services: Services;
  readonly logs: LogFollower;
  readonly onStep: (step: AppEvents['doctorStep']) => void;
  /** Cancels an examination when the window closes. */
  readonly signal: AbortSignal;
}

export function serverDiagnosticsHandlers({
  services,
  logs,
  onStep,
  signal,
}: ServerDiagnosticsPorts): Handlers<typeof serverDiagnostics> {
  let last = new AbortController();
  return {
    followLog: ({ server }) => ({ entries: logs.follow(services.mcp, server) }),
    unfollowLog: () => {
      logs.stop();
      return null;
    },
    examine: ({ server }) => {
      last.abort(new IpcError('superseded', 'Another examination was started.'));
      last = new AbortController();
      return examineServer(server, services, {
        signal: AbortSignal.any([signal, last.signal]),
        onStep: (step) => onStep({ server, step }),
      });
    },
  };
}
