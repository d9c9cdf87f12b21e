import { contextBridge, ipcRenderer } from 'electron';
import { EVENT_CHANNEL, REQUEST_CHANNEL } from './contract/channels.ts';

/**
 * Gives a page `window.steward`, the one way to the main process: `request(route, input)` and `on(event, listener)`. It
 * checks nothing, because main treats everything that arrives as untrusted, whatever a preload does.
 */
export function exposeBridge(): void {
  const listeners = new Map<string, Set<(data: unknown) => void>>();

  ipcRenderer.on(EVENT_CHANNEL, (_event, message: { readonly name: string; readonly data: unknown }) => {
    for (const listener of [...(listeners.get(message.name) ?? [])]) listener(message.data);
  });

  contextBridge.exposeInMainWorld('steward', {
    request: (route: unknown, input: unknown): Promise<unknown> =>
      ipcRenderer.invoke(REQUEST_CHANNEL, { route, input }),
    /** Returns the way to stop listening. */
    on: (name: string, listener: (data: unknown) => void): (() => void) => {
      const heard = listeners.get(name) ?? new Set();
      listeners.set(name, heard.add(listener));
      return () => void heard.delete(listener);
    },
  });
}
