import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { showNotification } from '../../../src-main/desktop/system-notification.ts';

/** A notification on a system that answers with these events. */
function notification(...answer: [] | ['show'] | ['failed', object, string]) {
  const events = new EventEmitter();
  return Object.assign(events, {
    show: () => {
      const [name, ...details] = answer;
      if (name !== undefined) setImmediate(() => events.emit(name, ...details));
    },
  });
}

test('it counts as shown when the system says so, or says nothing', async () => {
  await expect(showNotification(notification('show'))).resolves.toBe(undefined);
  await expect(showNotification(notification(), 10)).resolves.toBe(undefined);
});

test('a failure says what the system said, as for an app that is not signed on macOS', async () => {
  const failed = notification('failed', {}, 'Notifications are not allowed for this application');
  await expect(showNotification(failed)).rejects.toThrow(
    'The system did not show the notification: Notifications are not allowed for this application',
  );
});
