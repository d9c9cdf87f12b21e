import type { Bridge, RouteInput, RouteOutput } from '../ui/bridge.ts';
import { reported } from '../ui/reported.ts';

/** Resources and prompts of MCP servers. A failure is shown, and the request then resolves with `undefined`. */
export class ServerContentRequests {
  readonly #bridge: Bridge;

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
  }

  resources(query: string): Promise<RouteOutput<'app', 'content.resources'> | undefined> {
    return reported(this.#bridge.request('content.resources', { query }));
  }

  prompts(): Promise<RouteOutput<'app', 'content.prompts'> | undefined> {
    return reported(this.#bridge.request('content.prompts', {}));
  }

  /** Suggestions are a help: without them one types. */
  complete(input: RouteInput<'app', 'content.complete'>): Promise<readonly string[]> {
    return this.#bridge.request('content.complete', input).catch(() => []);
  }

  fill(input: RouteInput<'app', 'content.fill'>): Promise<RouteOutput<'app', 'content.fill'> | undefined> {
    return reported(this.#bridge.request('content.fill', input));
  }

  prompt(input: RouteInput<'app', 'content.prompt'>): Promise<RouteOutput<'app', 'content.prompt'> | undefined> {
    return reported(this.#bridge.request('content.prompt', input));
  }
}
