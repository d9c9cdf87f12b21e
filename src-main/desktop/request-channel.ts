import { ipcMain, type WebContents } from 'electron';
import { REQUEST_CHANNEL } from '../../src-preload/contract/channels.ts';
import type { SurfaceName } from './surface-files.ts';

/** A request as received: its sender is verified, its content is untrusted. */
export interface ArrivedRequest {
  /** Null if it is not one of our views. */
  readonly surface: SurfaceName | null;
  readonly isTopFrame: boolean;
  /** The origin of the sending frame, as Chromium reports it. */
  readonly origin: string;
  readonly route: unknown;
  readonly input: unknown;
  /** Time of arrival, in milliseconds of `performance.now()`; its handler may still have to be loaded. */
  readonly receivedAt: number;
}

export type RequestHandler = (request: ArrivedRequest) => Promise<unknown>;

/** Passes every request to the handler, once there is one. */
export function listenForRequests(
  surfaceOf: (contents: WebContents) => SurfaceName | null,
  handleRequest: Promise<RequestHandler>,
): void {
  ipcMain.handle(REQUEST_CHANNEL, async (event, message: unknown) => {
    // Read immediately: the frame may be gone after the first await.
    const { sender, senderFrame } = event;
    const receivedAt = performance.now();
    const { route, input } = partsOf(message);
    const arrived: ArrivedRequest = {
      surface: surfaceOf(sender),
      isTopFrame: senderFrame !== null && senderFrame === sender.mainFrame,
      origin: senderFrame?.origin ?? '',
      route,
      input,
      receivedAt,
    };
    return (await handleRequest)(arrived);
  });
}

function partsOf(message: unknown): { readonly route?: unknown; readonly input?: unknown } {
  return typeof message === 'object' && message !== null ? message : {};
}
