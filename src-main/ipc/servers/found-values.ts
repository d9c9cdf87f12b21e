import { randomUUID } from 'node:crypto';
import type { PasteResult, ShownServer } from '../../../src-preload/contract/servers.ts';
import type { FoundServer } from '../../mcp/setup/found-server.ts';
import type { PastedServers } from '../../mcp/setup/pasted-servers.ts';
import type { KeptValues } from '../../mcp/setup/server-plan.ts';

/** No real import has more; the oldest are dropped. */
const MOST_KEPT = 500;

/** Values from other programs' configurations: secrets among them stay in main until the form they fill is saved. */
export class FoundValues {
  readonly #kept = new Map<string, KeptValues>();

  of(id: string | null): KeptValues | undefined {
    return id === null ? undefined : this.#kept.get(id);
  }

  shown(result: PastedServers): PasteResult {
    return 'problem' in result ? result : { servers: result.servers.map((server) => this.#shown(server)) };
  }

  #shown(server: FoundServer): ShownServer {
    const foundId = randomUUID();
    this.#kept.set(foundId, { env: texts(server.env), headers: texts(server.headers) });
    for (const oldest of this.#kept.keys()) if (this.#kept.size > MOST_KEPT) this.#kept.delete(oldest);
    return { ...server, env: server.env.map(withoutSecret), headers: server.headers.map(withoutSecret), foundId };
  }
}

/** Text pasted by the user may be shown to them in full. */
export function shownWhole(result: PastedServers): PasteResult {
  return 'problem' in result ? result : { servers: result.servers.map((server) => ({ ...server, foundId: null })) };
}

function texts(values: FoundServer['env']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    values.map(({ name, value, before, after }) => [name, before === '' && after === '' ? value : '']),
  );
}

function withoutSecret({ value, ...rest }: FoundServer['env'][number]): ShownServer['env'][number] {
  return { ...rest, value: rest.isSecret && value !== '' ? null : value };
}
