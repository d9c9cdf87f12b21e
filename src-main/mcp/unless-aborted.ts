/** Who is being left has nothing more to say. */
export async function ignored(work: Promise<unknown> | undefined): Promise<void> {
  await work?.catch(() => undefined);
}

/** Waits for work that does not hear of a signal itself. Rejects with the signal's reason when aborted. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
