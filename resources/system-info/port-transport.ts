import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';

/** The port of a utility process to the app. Source: https://www.electronjs.org/docs/latest/api/parent-port. */
export interface ParentPort {
  on(event: 'message', listener: (event: { readonly data: JSONRPCMessage }) => void): unknown;
  postMessage(message: JSONRPCMessage): void;
}

/** Messages are handed over as they are. The app ends the process; nothing has to be said before. */
export class PortTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #port: ParentPort;

  constructor(port: ParentPort) {
    this.#port = port;
  }

  async start(): Promise<void> {
    // What came before is kept for the first listener.
    this.#port.on('message', ({ data }) => this.onmessage?.(data));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#port.postMessage(message);
  }

  async close(): Promise<void> {
    this.onclose?.();
  }
}
