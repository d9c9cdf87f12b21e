import { randomUUID } from 'node:crypto';
import { decidesWhatRuns } from '../../../src-preload/contract/program-variables.ts';
import type { PastedSetup, PasteResult, ShownServer, ShownValue } from '../../../src-preload/contract/servers.ts';
import type { FoundServer } from '../../mcp/setup/found-server.ts';
import type { PastedServers } from '../../mcp/setup/pasted-servers.ts';
import type { KeptValues } from '../../mcp/setup/server-plan.ts';
import type { FilledTemplate } from '../../mcp/setup/template-entry.ts';

/** No real import has more values. The oldest are dropped. */
const MAX_KEPT = 500;

/** Values from other programs' configurations: secrets among them stay in main until the form they fill is saved. */
export class FoundValues {
  readonly #kept = new Map<string, KeptValues>();
  readonly #templates = new Map<string, FilledTemplate>();

  of(id: string | null): KeptValues | undefined {
    return id === null ? undefined : this.#kept.get(id);
  }

  templateOf(id: string | null): FilledTemplate | undefined {
    return id === null ? undefined : this.#templates.get(id);
  }

  /** A template's form has no secrets yet. */
  shownTemplate(template: FilledTemplate): ShownServer {
    const foundId = randomUUID();
    this.#templates.set(foundId, template);
    for (const oldest of this.#templates.keys()) if (this.#templates.size > MAX_KEPT) this.#templates.delete(oldest);
    return { ...template.server, foundId };
  }

  shown(result: PastedServers): PasteResult {
    if ('problem' in result) return result;
    const setups = result.setups.map((setup) => ({
      ...setup,
      servers: setup.servers.map((server) => this.#shown(server)),
    }));
    return resultOf(setups, result.chosen);
  }

  #shown(server: FoundServer): ShownServer {
    const foundId = randomUUID();
    const { registration } = server;
    this.#kept.set(foundId, {
      env: texts(server.env),
      headers: texts(server.headers),
      keys: texts(server.parts),
      clientSecret: registration?.clientSecret ?? undefined,
    });
    for (const oldest of this.#kept.keys()) if (this.#kept.size > MAX_KEPT) this.#kept.delete(oldest);
    const env = server.env.map((each) => (decidesWhatRuns(each.name) ? each : withoutSecret(each)));
    const headers = server.headers.map(withoutSecret);
    const shown = { ...server, env, headers, parts: server.parts.map(withoutSecret), foundId };
    if (registration === undefined || registration.clientSecret === '') return shown;
    return { ...shown, registration: { ...registration, clientSecret: null } };
  }
}

/** Text pasted by the user may be shown to them in full. */
export function shownWhole(result: PastedServers): PasteResult {
  if ('problem' in result) return result;
  const setups = result.setups.map((setup) => ({
    ...setup,
    servers: setup.servers.map((server) => ({ ...server, foundId: null })),
  }));
  return resultOf(setups, result.chosen);
}

function resultOf(setups: readonly PastedSetup<ShownServer>[], chosen: number): PasteResult {
  const { servers = [], unread = [] } = setups[chosen] ?? {};
  return { servers, unread, setups, chosen };
}

/** Leaves out what surrounds the values, because the form gives it back. */
function texts(values: FoundServer['env']): Readonly<Record<string, string>> {
  return Object.fromEntries(values.map(({ name, value }) => [name, value]));
}

/** What a secret's placeholder may look like. Anything else may be a secret that merely looks like one. */
const PLACEHOLDER = /^(?:[<[{$%(]|your[-_ ])/i;

function withoutSecret<Value extends ShownValue>(given: Value): Omit<Value, 'value'> & Pick<ShownValue, 'value'> {
  const { value, ...rest } = given;
  const shown = { ...rest, value: given.isSecret && value !== '' ? null : value };
  const isTold = given.blank === undefined || !given.isSecret || PLACEHOLDER.test(given.blank.hint);
  return isTold ? shown : { ...shown, blank: { ...given.blank, hint: '' } };
}
