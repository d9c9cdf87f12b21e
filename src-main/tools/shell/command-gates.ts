import type { Duplex } from 'node:stream';
import type { Peer } from '../../network/peer.ts';
import type { NetworkGate, SandboxNetwork } from '../../sandbox/gate/network-gate.ts';

/** A gate that nobody uses for so long is closed. */
const IDLE_MS = 60_000;

type Connect = (peer: Peer, signal: AbortSignal) => Promise<Duplex | undefined>;

interface KeptGate {
  readonly opening: Promise<NetworkGate>;
  /** What decides for the command that runs now. Without one, nothing is reached. */
  connect: Connect | undefined;
  idle: NodeJS.Timeout | undefined;
}

/** The networks of held commands, one for each conversation and root: commands of others share nothing with them. */
export class CommandGates {
  readonly #kept = new Map<string, KeptGate>();

  /**
   * Runs a command with the network of its conversation and root; one at a time may use it. Without a network, if there
   * can be none here.
   */
  async use<T>(
    place: { readonly conversationId: string; readonly root: string },
    connect: Connect,
    run: (network: SandboxNetwork | undefined) => Promise<T>,
  ): Promise<T> {
    const key = JSON.stringify([place.conversationId, place.root]);
    const kept = await this.#gateOf(key);
    if (kept === undefined) return run(undefined);
    clearTimeout(kept.idle);
    kept.connect = connect;
    try {
      return await run((await kept.opening).network);
    } finally {
      kept.connect = undefined;
      kept.idle = setTimeout(() => void this.#close(key), IDLE_MS).unref();
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#kept.keys()].map((key) => this.#close(key)));
  }

  async #gateOf(key: string): Promise<KeptGate | undefined> {
    const { gateLack } = await import('../../sandbox/installed.ts');
    if (gateLack() !== undefined) return undefined;
    const kept = this.#kept.get(key);
    if (kept !== undefined && !(await kept.opening).isClosed) return kept;
    const made = this.#open();
    this.#kept.set(key, made);
    try {
      await made.opening;
      return made;
    } catch {
      // The command fails as it would without a network, and its result says that there is none.
      this.#kept.delete(key);
      return undefined;
    }
  }

  #open(): KeptGate {
    const connect: Connect = async (peer, signal) => kept.connect?.(peer, signal);
    const open = async () => {
      const { NetworkGate } = await import('../../sandbox/gate/network-gate.ts');
      return NetworkGate.open({ connect });
    };
    const kept: KeptGate = { opening: open(), connect: undefined, idle: undefined };
    return kept;
  }

  async #close(key: string): Promise<void> {
    const kept = this.#kept.get(key);
    this.#kept.delete(key);
    clearTimeout(kept?.idle);
    await (await kept?.opening)?.close();
  }
}
