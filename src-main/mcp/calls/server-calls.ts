import type { Client } from '@modelcontextprotocol/client';
import { isSameDefinition } from '../../policy/mcp/definitions.ts';
import type { Handshake } from '../transport/handshake.ts';
import { CALL_TIMEOUT_SECONDS } from './call-clock.ts';
import type { CallResult } from './call-result.ts';
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
  /** Waits for a server that is starting. Rejects with `CallFailure` if it fails. */
  readonly ready: (signal: AbortSignal) => Promise<Handshake>;
  readonly toolNamed: (name: string) => ServerTool | undefined;
  readonly readTools: (handshake: Handshake) => Promise<void>;
  /** The time limit as configured. */
  readonly timeoutSeconds: () => number | undefined;
  /** A request failed; without a sign-in, the connection ends. */
  readonly onFailure: (error: unknown) => void;
  /** Whether the call can be retried: the missing scope was granted, or the user has opened the address. */
  readonly mayBeRepeated: (error: unknown, signal: AbortSignal) => Promise<boolean>;
}

/**
 * Requests to one server over its current connection. Every method rejects with `CallFailure`, or on Stop with the
 * signal's reason.
 */
export class ServerCalls {
  readonly running = new RunningCalls();
  readonly #ports: ServerCallsPorts;

  constructor(ports: ServerCallsPorts) {
    this.#ports = ports;
  }

  get #timeoutSeconds(): number {
    return this.#ports.timeoutSeconds() ?? CALL_TIMEOUT_SECONDS;
  }

  /** Calls a tool, unless its definition differs from `decidedOn`; starts a server that is off. */
  async call(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    { decidedOn, ...options }: Omit<CallOptions, 'timeoutSeconds'> & { readonly decidedOn?: ServerTool },
  ): Promise<CallResult> {
    const { server } = this.#ports;
    const handshake = await this.#ports.ready(options.signal);
    const known = this.#definition(tool, decidedOn);
    const timeoutSeconds = this.#timeoutSeconds;
    return this.running.during(options, async (hooks) => {
      const make = (definition: ServerTool) =>
        callTool(server, handshake, definition, input, { ...options, ...hooks, timeoutSeconds });
      try {
        return await make(known);
      } catch (error) {
        this.#ports.onFailure(error);
        if (isHeaderMismatch(error)) await this.#ports.readTools(handshake);
        else if (!(await this.#ports.mayBeRepeated(error, options.signal))) throw error;
        // The list may have been read again, or the user asked, in the meantime: the tool may have changed.
        return await make(this.#definition(tool, decidedOn));
      }
    });
  }

  /** The tool's current definition. Throws `CallFailure` if it is gone or has changed since the decision. */
  #definition(tool: string, decidedOn: ServerTool | undefined): ServerTool {
    const { server, toolNamed } = this.#ports;
    const known = toolNamed(tool);
    if (known === undefined) throw new CallFailure({ code: 'tool_unknown' }, server);
    if (decidedOn !== undefined && !isSameDefinition(decidedOn, known))
      throw new CallFailure({ code: 'tool_changed' }, server);
    return known;
  }

  /** Makes a request other than a tool call. */
  async request<T>(
    work: (client: Client, options: ServerRequestOptions) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const { client } = await this.#ports.ready(signal);
    const given = { timeoutSeconds: this.#timeoutSeconds, signal };
    try {
      return await this.running.during({ signal }, ({ onClock }) =>
        timedRequest(this.#ports.server, client, { ...given, onClock }, (options) => work(client, options)),
      );
    } catch (error) {
      this.#ports.onFailure(error);
      throw error;
    }
  }
}
