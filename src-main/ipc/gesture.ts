import type { Desktop } from './desktop-port.ts';
import type { Circumstances } from './handlers.ts';
import { IpcError } from './ipc-error.ts';

/**
 * Anything that opens outside the window (a dialog, a browser, a file manager) requires a click or a key, never script
 * alone: a compromised page could leak data in an address, or flood the user with dialogs. Throws `IpcError`.
 */
export function needGesture(desktop: Pick<Desktop, 'takeGesture'>, { receivedAt }: Circumstances): void {
  if (!desktop.takeGesture(receivedAt))
    throw new IpcError('no_gesture', 'This works only when you click or press Enter yourself.');
}
