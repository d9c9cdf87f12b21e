/** The part of Electron's `Notification` that is used here. */
export interface SystemNotification {
  once(event: 'show', listener: () => void): unknown;
  /** Only macOS and Windows report it. On macOS every notification of an unsigned app fails. */
  once(event: 'failed', listener: (event: unknown, error: string) => void): unknown;
  show(): void;
}

/** Linux reports no failure, and where nothing shows notifications, nothing at all. */
const REPORTED_WITHIN_MS = 2_000;

/** Resolves when it is shown, or when nothing speaks against it. Rejects with what the system says. */
export function showNotification(notification: SystemNotification, withinMs = REPORTED_WITHIN_MS): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(resolve, withinMs);
    notification.once('show', () => {
      clearTimeout(late);
      resolve();
    });
    notification.once('failed', (_event, error) => {
      clearTimeout(late);
      reject(new Error(`The system did not show the notification: ${error}`));
    });
    notification.show();
  });
}
