import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { MessageAttachment } from '../../../src-preload/contract/events.ts';
import { type AttachedResource, MAX_ATTACHMENTS } from '../../../src-preload/contract/server-content.ts';
import { canonicalHash } from '../../base/canonical-json.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import type { GivenContent, ServerContents } from '../../services.ts';
import { IpcError } from '../ipc-error.ts';

/** Between two readings of one resource that its server reports changes of, however many. */
export const READ_EVERY_MS = 2_000;
const READ_WITHIN_MS = 30_000;
/** Readings of resources that are no longer attached, two of each in a message: it may be on its way. */
const MAX_LEFT = 2 * MAX_ATTACHMENTS;

type Given = GivenContent<readonly MessageAttachment[]>;

export interface ResourceName {
  readonly server: string;
  readonly uri: string;
}

export interface AttachedResourcesPorts {
  readonly source: Pick<ServerContents, 'watch' | 'onChange'>;
  /**
   * Whether the server may learn of it without a question: a subscription tells the server a URI that the page named.
   */
  readonly mayWatch: (resource: ResourceName) => boolean;
  /** With `isUnasked`, it rejects instead of asking. */
  readonly read: (
    resource: ResourceName,
    conversationId: string | null,
    options: { readonly signal: AbortSignal; readonly isUnasked?: boolean },
  ) => Promise<Given>;
  readonly onResource: (resource: AttachedResource) => void;
  /** Aborts when the window closes. */
  readonly signal: AbortSignal;
}

interface Reading {
  readonly version: string;
  readonly resource: ResourceName;
  readonly conversationId: string | null;
  readonly hash: string;
  readonly given: Given;
}

interface Attached extends ResourceName {
  readonly conversationId: string | null;
  readonly ended: AbortController;
  watch: ReturnType<ServerContents['watch']>;
  /** The last two: a message with the one before may be on its way. */
  readings: readonly Reading[];
  state: AttachedResource['state'];
  isStale: boolean;
  isFollowing: boolean;
}

/**
 * The resources in the composer, while their servers report changes of them: each is read when it is attached and again
 * after changes, as long as that needs no question. What is sent is what was read last. Without such reports, a
 * resource is read when its message is sent.
 */
export class AttachedResources {
  readonly #ports: AttachedResourcesPorts;
  #attached: readonly Attached[] = [];
  /** Oldest first. */
  #left: readonly Reading[] = [];
  /** The queues by server, because a server reads one thing at a time for us. */
  readonly #queues = new Map<string, SerialQueue>();

  constructor(ports: AttachedResourcesPorts) {
    this.#ports = ports;
    const unfollow = ports.source.onChange(() => this.#watchAll());
    ports.signal.addEventListener(
      'abort',
      () => {
        unfollow();
        this.set(null, []);
      },
      { once: true },
    );
  }

  /** All that are attached in this conversation's composer now; the others are no longer watched. */
  set(conversationId: string | null, resources: readonly ResourceName[]): void {
    const isKept = (each: Attached) =>
      each.conversationId === conversationId && resources.some((resource) => isSame(each, resource));
    const kept = this.#attached.filter(isKept);
    for (const each of this.#attached) if (!kept.includes(each)) this.#end(each);
    const added = resources.filter((resource) => !kept.some((each) => isSame(each, resource)));
    this.#attached = [
      ...kept,
      ...added.map(({ server, uri }): Attached => {
        const ended = new AbortController();
        const facts = {
          watch: undefined,
          readings: [],
          state: 'attached',
          isStale: false,
          isFollowing: false,
        } as const;
        return { server, uri, conversationId, ended, ...facts };
      }),
    ];
    this.#watchAll();
  }

  /** Reads a resource again because the user asked for it. It may ask. Rejects with `ContentFailure`. */
  async readAgain(resource: ResourceName): Promise<void> {
    const attached = this.#attached.find((each) => isSame(each, resource));
    if (attached === undefined) throw new IpcError('unknown_resource', 'This resource is no longer attached.');
    this.#take(attached, await this.#read(attached, false));
    this.#watchAll();
  }

  /** What that version of a resource said, for a message of this conversation. `undefined` if it is no longer kept. */
  given(version: string, of: ResourceName & { readonly conversationId: string | null }): Given | undefined {
    const readings = [...this.#attached.flatMap((each) => each.readings), ...this.#left];
    const reading = readings.find((each) => each.version === version);
    const isOf = reading !== undefined && isSame(reading.resource, of) && reading.conversationId === of.conversationId;
    return isOf ? reading.given : undefined;
  }

  #watchAll(): void {
    for (const each of this.#attached) {
      if (each.watch?.isOver()) {
        each.watch.stop();
        each.watch = undefined;
      }
      if (each.readings.length === 0 && !this.#ports.mayWatch(each)) continue;
      const changed = () => this.#changed(each);
      each.watch ??= this.#ports.source.watch(each, { changed, begun: changed });
    }
  }

  #end(attached: Attached): void {
    attached.ended.abort(new Error('The resource is no longer attached'));
    attached.watch?.stop();
    this.#left = [...this.#left, ...attached.readings].slice(-MAX_LEFT);
  }

  /** However often it is called, one loop reads, and rests in between. */
  #changed(attached: Attached): void {
    attached.isStale = true;
    if (attached.isFollowing || attached.ended.signal.aborted) return;
    void this.#follow(attached);
  }

  async #follow(attached: Attached): Promise<void> {
    const { signal } = attached.ended;
    attached.isFollowing = true;
    while (attached.isStale && !signal.aborted) {
      attached.isStale = false;
      const given = await this.#read(attached, true).catch(() => undefined);
      if (signal.aborted) return;
      if (given !== undefined) this.#take(attached, given);
      else if (attached.readings.length > 0) this.#tell(attached, 'changed');
      await delay(READ_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
    attached.isFollowing = false;
  }

  #read(attached: Attached, isUnasked: boolean): Promise<Given> {
    const { server, conversationId, ended } = attached;
    // A question may take its time, and nothing else waits for it.
    if (!isUnasked) return this.#ports.read(attached, conversationId, { signal: ended.signal });
    const queue = this.#queues.get(server) ?? new SerialQueue();
    this.#queues.set(server, queue);
    return queue.run(ended.signal, () => {
      const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(READ_WITHIN_MS)]);
      return this.#ports.read(attached, conversationId, { signal, isUnasked });
    });
  }

  #take(attached: Attached, given: Given): void {
    const { server, uri, conversationId, readings } = attached;
    const hash = canonicalHash(given.content);
    const last = readings.at(-1);
    if (last?.hash === hash) {
      if (attached.state === 'changed') this.#tell(attached, readings.length > 1 ? 'updated' : 'attached');
      return;
    }
    const reading = { version: randomUUID(), resource: { server, uri }, conversationId, hash, given };
    attached.readings = [...readings, reading].slice(-2);
    this.#tell(attached, last === undefined ? 'attached' : 'updated');
  }

  #tell(attached: Attached, state: AttachedResource['state']): void {
    const { server, uri, conversationId, readings } = attached;
    attached.state = state;
    this.#ports.onResource({ conversationId, server, uri, version: readings.at(-1)?.version ?? null, state });
  }
}

function isSame(one: ResourceName, other: ResourceName): boolean {
  return one.server === other.server && one.uri === other.uri;
}
