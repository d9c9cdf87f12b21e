import { isNameOfOwnCode, isSameName } from './client-names.ts';
import { ownerOf } from './conversation-record.ts';
import type { ClientHost } from './records.ts';

/** The clients that are connected to a conversation, and the groups that each answers for. */
export class AttachedHosts {
  /** The latest last. */
  readonly #hosts = new Set<ClientHost>();
  /** The groups that each registered in this session. */
  readonly #groups = new Map<ClientHost, Set<string>>();

  /** Nobody else is called as Steward's own code is. */
  mayUseName({ name, ownCode }: ClientHost): boolean {
    if (ownCode !== undefined) return true;
    const own = [...this.#hosts].filter((host) => host.ownCode !== undefined);
    return !isNameOfOwnCode(name) && !own.some((host) => isSameName(host.name, name));
  }

  attach(host: ClientHost, groups: readonly string[]): void {
    this.#hosts.delete(host);
    this.#hosts.add(host);
    for (const [other, theirs] of this.#groups)
      if (ownerOf(other) === ownerOf(host)) for (const group of groups) theirs.delete(group);
    this.#groups.set(host, new Set([...(this.#groups.get(host) ?? []), ...groups]));
  }

  detach(host: ClientHost): void {
    this.#hosts.delete(host);
    this.#groups.delete(host);
  }

  get hasProgram(): boolean {
    return [...this.#hosts].some((host) => host.ownCode === undefined && host.isConnected);
  }

  /** Who answers for a group: the client that registered it, else the latest one of that owner. */
  of(owner: string, group: string): ClientHost | undefined {
    const hosts = this.#of(owner);
    return hosts.find((host) => this.#groups.get(host)?.has(group) === true) ?? hosts.at(-1);
  }

  latest(owner: string): ClientHost | undefined {
    return this.#of(owner).at(-1);
  }

  #of(owner: string): readonly ClientHost[] {
    return [...this.#hosts].filter((host) => host.isConnected && ownerOf(host) === owner);
  }
}
