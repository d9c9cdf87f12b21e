import type { Desktop } from './desktop-port.ts';
import type { Circumstances } from './handlers.ts';
import { IpcError } from './ipc-error.ts';

/**
 * What shows up outside the window (a dialogue, a browser, a file manager) follows a click or a key, never script alone: a page
 * that was taken over could send out what it knows in an address, or bury the person in dialogues. Throws `IpcError`.
 */
export function needGesture(desktop: Pick<Desktop, 'takeGesture'>, { receivedAt }: Circumstances): void {
  if (!desktop.takeGesture(receivedAt))
    throw new IpcError('no_gesture', 'This works only when you click or press Enter yourself.');
}
