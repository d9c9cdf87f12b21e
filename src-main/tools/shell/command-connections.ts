import type { Duplex } from 'node:stream';
import type { Connections, RefusedConnection } from '../../../src-preload/contract/tool-card.ts';
import { errorMessage, systemCode } from '../../base/errors.ts';
import type { PeerReach } from '../../network/http.ts';
import { type Peer, peerName } from '../../network/peer.ts';
import { type ConnectionAccess, connectedHost } from '../../policy/accesses/connection.ts';
import { type ToolContext, ToolFailure } from '../contract.ts';

/** Hosts that are wanted so shortly after each other share a question, which waits no longer than the second. */
const TOGETHER_WITHIN_MS = 500;
const TOGETHER_AT_MOST_MS = 2_000;
/** After this, nobody seems to be there. */
const ANSWER_WITHIN_MS = 60_000;
/** Programs that want more hosts than this at once are not asked about. */
const MAX_WAITING = 20;
const MAX_TOLD = 50;

export interface CommandConnectionsPorts extends Pick<ToolContext, 'isAccessAllowed' | 'allowAccesses' | 'signal'> {
  readonly http: Pick<ToolContext['http'], 'connect'>;
  /** The real path of the root that the command can write. */
  readonly folder: string;
  readonly line: string;
  /** Runs this while the time of the command stands still. */
  readonly whileAsking: (ask: () => Promise<void>) => Promise<void>;
  /** Called with each connection that is there. */
  readonly onReached: () => void;
}

interface Waiting {
  readonly access: ConnectionAccess;
  readonly answered: (isAllowed: boolean) => void;
}

/** The connections of one command. Each host is decided once, and asked about together with those wanted with it. */
export class CommandConnections {
  readonly #ports: CommandConnectionsPorts;
  readonly #answers = new Map<string, Promise<boolean>>();
  readonly #ended = new AbortController();
  readonly #reached = new Set<string>();
  readonly #refused = new Map<string, RefusedConnection>();
  #waiting: Waiting[] = [];
  #asking: Promise<void> = Promise.resolve();
  #isGathering = false;
  #failure: unknown;

  constructor(ports: CommandConnectionsPorts) {
    this.#ports = ports;
  }

  /** A connection to it, if it is allowed and there. Never rejects: the command only sees that there is none. */
  async connect(peer: Peer, signal: AbortSignal): Promise<Duplex | undefined> {
    const within = AbortSignal.any([signal, this.#ended.signal, this.#ports.signal]);
    let host = peerName(peer);
    const isAllowed = (found: PeerReach) => {
      host = peerName(peer, found.class);
      return this.#allows(peer, found);
    };
    try {
      const socket = await this.#ports.http.connect(peer, { signal: within, isAllowed });
      if (socket !== undefined) this.#connected(host);
      return socket;
    } catch (error) {
      const why = { why: 'unreached', error: systemCode(error) || errorMessage(error) } as const;
      if (!within.aborted) this.#refuse({ host, ...why });
      return undefined;
    }
  }

  /** Withdraws the questions, since the command has ended. Nothing is connected any more. */
  end(): void {
    this.#ended.abort();
  }

  /** What came of its connections. Throws if one could not be decided. */
  outcome(): Connections {
    if (this.#failure !== undefined) throw this.#failure;
    const reached = [...this.#reached].slice(0, MAX_TOLD);
    const refused = [...this.#refused.values()].slice(0, MAX_TOLD);
    const more = this.#reached.size + this.#refused.size - reached.length - refused.length;
    return { reached, refused, ...(more === 0 ? {} : { more }) };
  }

  #connected(host: string): void {
    this.#reached.add(host);
    this.#refused.delete(host);
    this.#ports.onReached();
  }

  #allows(peer: Peer, { class: own, isMetadata }: PeerReach): Promise<boolean> {
    const key = `${own} ${isMetadata} ${peerName(peer, own)}`;
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const { folder, line } = this.#ports;
    const access = { kind: 'connection', class: own, peer, folder, line } as const;
    const answer = this.#decide(isMetadata ? { ...access, isMetadata } : access);
    this.#answers.set(key, answer);
    return answer;
  }

  async #decide(access: ConnectionAccess): Promise<boolean> {
    if (await this.#ports.isAccessAllowed(access)) return true;
    if (this.#waiting.length >= MAX_WAITING) {
      this.#refuse({ host: connectedHost(access), why: 'too_many' });
      return false;
    }
    return new Promise((answered) => {
      this.#waiting.push({ access, answered });
      if (!this.#isGathering) this.#gather();
    });
  }

  /** One question at a time; what is wanted meanwhile is in the next one. */
  #gather(): void {
    this.#isGathering = true;
    this.#asking = this.#asking.then(async () => {
      await this.#untilQuiet();
      this.#isGathering = false;
      await this.#ask(this.#waiting.splice(0));
    });
  }

  async #untilQuiet(): Promise<void> {
    const until = performance.now() + TOGETHER_AT_MOST_MS;
    for (let before = 0; before < this.#waiting.length && performance.now() < until; ) {
      before = this.#waiting.length;
      await new Promise((resolve) => setTimeout(resolve, TOGETHER_WITHIN_MS));
    }
  }

  async #ask(wanted: readonly Waiting[]): Promise<void> {
    const timeout = AbortSignal.timeout(ANSWER_WITHIN_MS);
    const until = AbortSignal.any([timeout, this.#ended.signal]);
    const accesses = wanted.map(({ access }) => access);
    let why: 'declined' | 'unanswered' | undefined;
    try {
      await this.#ports.whileAsking(() => this.#ports.allowAccesses(accesses, until));
    } catch (error) {
      why = timeout.aborted ? 'unanswered' : 'declined';
      // The command has ended, or the user has stopped it: that is no failure.
      const isKnown = until.aborted || this.#ports.signal.aborted || error instanceof ToolFailure;
      if (!isKnown) this.#failure ??= error;
    }
    for (const { access, answered } of wanted) {
      if (why !== undefined) this.#refuse({ host: connectedHost(access), why });
      answered(why === undefined);
    }
  }

  #refuse(refused: RefusedConnection): void {
    if (!this.#reached.has(refused.host)) this.#refused.set(refused.host, refused);
  }
}
