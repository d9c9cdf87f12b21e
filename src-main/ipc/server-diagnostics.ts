import type { serverDiagnostics } from '../../src-preload/contract/server-diagnostics.ts';
import type { Services } from '../services.ts';
import type { Handlers } from './handlers.ts';
import type { LogFollower } from './log-follower.ts';

export interface ServerDiagnosticsPorts {
  readonly mcp: Services['mcp'];
  readonly logs: LogFollower;
}

export function serverDiagnosticsHandlers({ mcp, logs }: ServerDiagnosticsPorts): Handlers<typeof serverDiagnostics> {
  return {
    followLog: ({ server }) => ({ entries: logs.follow(mcp, server) }),
    unfollowLog: () => {
      logs.stop();
      return null;
    },
  };
}
