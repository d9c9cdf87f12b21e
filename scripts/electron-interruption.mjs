// @ts-check
const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * Runs work that must clean up when it is interrupted. When this process gets a signal, the work's signal is aborted,
 * and the process ends by that signal after the cleanup.
 * @template T
 * @param {(signal: AbortSignal) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function interruptible(work) {
  const controller = new AbortController();
  /** @type {NodeJS.Signals | undefined} */
  let received;
  /** @param {NodeJS.Signals} signal */
  const onSignal = (signal) => {
    received = signal;
    controller.abort();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    return await work(controller.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal);
    if (received !== undefined) process.kill(process.pid, received);
  }
}
