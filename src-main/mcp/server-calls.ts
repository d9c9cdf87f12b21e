import type { Client } from '@modelcontextprotocol/client';
import { isSameDefinition } from '../policy/mcp/definitions.ts';
import type { CallResult } from './call-result.ts';
import type { Handshake } from './handshake.ts';
import { RunningCalls } from './running-calls.ts';
import {
  CallFailure,
  type CallOptions,
  callTool,
  isHeaderMismatch,
  type ServerRequestOptions,
  timedRequest,
} from './tool-call.ts';
import type { ServerTool } from './tool-list.ts';

export interface ServerCallsPorts {
  readonly server: string;
  /** Waits for a server that is being started. Rejects with `CallFailure` if it does not get ready. */
  readonly ready: (signal: AbortSignal) => Promise<Handshake>;
  readonly toolNamed: (name: string) => ServerTool | undefined;
  readonly readTools: (handshake: Handshake) => Promise<void>;
  readonly timeoutSeconds: () => number;
  /** Whether what a call was refused for, a right or a person's visit to an address, is there now. */
  readonly mayBeRepeated: (error: unknown, signal: AbortSignal) => Promise<boolean>;
}

/** What is asked of one server, over whichever connection there is. Every method rejects with `CallFailure`, on Stop with the signal's reason. */
export class ServerCalls {
  readonly running = new RunningCalls();
  readonly #ports: ServerCallsPorts;

  constructor(ports: ServerCallsPorts) {
    this.#ports = ports;
  }

  /** Calls a tool, unless its definition is no longer `decidedOn`; a server that is off is started for it. */
  async call(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    { decidedOn, ...options }: Omit<CallOptions, 'timeoutSeconds'> & { readonly decidedOn?: ServerTool },
  ): Promise<CallResult> {
    const { server } = this.#ports;
    const handshake = await this.#ports.ready(options.signal);
    const known = this.#definition(tool, decidedOn);
    const timeoutSeconds = this.#ports.timeoutSeconds();
    return this.running.during(options, async (onClock) => {
      const make = (definition: ServerTool) =>
        callTool(server, handshake, definition, input, { ...options, onClock, timeoutSeconds });
      try {
        return await make(known);
      } catch (error) {
        if (isHeaderMismatch(error)) await this.#ports.readTools(handshake);
        else if (!(await this.#ports.mayBeRepeated(error, options.signal))) throw error;
        // Meanwhile the list was read again, or a person was asked: what was decided on may be gone.
        return await make(this.#definition(tool, decidedOn));
      }
    });
  }

  /** As it is listed now. Throws `CallFailure` for a tool that is gone, or is not what was decided on any more. */
  #definition(tool: string, decidedOn: ServerTool | undefined): ServerTool {
    const { server, toolNamed } = this.#ports;
    const known = toolNamed(tool);
    if (known === undefined) throw new CallFailure({ code: 'tool_unknown' }, server);
    if (decidedOn !== undefined && !isSameDefinition(decidedOn, known))
      throw new CallFailure({ code: 'tool_changed' }, server);
    return known;
  }

  /** Asks the server for something other than a tool call. */
  async request<T>(
    work: (client: Client, options: ServerRequestOptions) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const { client } = await this.#ports.ready(signal);
    const given = { timeoutSeconds: this.#ports.timeoutSeconds(), signal };
    return timedRequest(this.#ports.server, client, given, (options) => work(client, options));
  }
}
