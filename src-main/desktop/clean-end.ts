import { errorMessage } from '../base/errors.ts';

/**
 * Quitting takes less than two seconds even if something hangs: everything shown is already committed. Only MCP servers
 * may take longer, after the window has gone. The rest of the time is for Chromium's shutdown.
 */
const CLOSE_WITHIN_MS = 1_200;
/** The time that is left, after slow MCP servers, for what waited for them. */
const CLOSE_AFTER_SERVERS_MS = 300;

export interface Closing {
  /** Ends child processes and closes the database. */
  readonly close: () => Promise<void>;
  /** Resolves when every MCP server has ended. Servers get their own time for that. */
  readonly serversEnded: () => Promise<void>;
  /**
   * The last step, when nothing runs any more, puts a new version in place of this one. `obstacle` says that something
   * still runs. Resolves with false if it was not installed.
   */
  readonly installUpdate: (obstacle?: string) => Promise<boolean>;
  /** Starts this version again, because the user wanted a restart. */
  readonly relaunch: () => void;
}

/** Resolves when the process can exit. */
export async function endCleanly({ close, serversEnded, installUpdate, relaunch }: Closing): Promise<void> {
  const closed = close().then(
    () => true,
    (error: unknown) => {
      report('Not everything could be closed', error);
      return false;
    },
  );
  let isClosed = await within(CLOSE_WITHIN_MS, closed);
  if (isClosed === undefined) {
    await serversEnded().catch((error: unknown) => report('Not every MCP server has ended', error));
    isClosed = await within(CLOSE_AFTER_SERVERS_MS, closed);
  }
  const obstacle = isClosed === true ? undefined : 'something in Steward was still running';
  const isDone = await installUpdate(obstacle).catch((error: unknown) => {
    report('The update was not installed', error);
    return false;
  });
  if (!isDone) relaunch();
}

/** Undefined if it took too long. */
async function within<T>(ms: number, result: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  return Promise.race([result, late]).finally(() => clearTimeout(timer));
}

function report(what: string, error: unknown): void {
  process.stderr.write(`${what}: ${errorMessage(error)}\n`);
}
