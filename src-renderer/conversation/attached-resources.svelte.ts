import type { Attachment } from '../../src-preload/contract/conversations.ts';
import type { AttachedResource } from '../../src-preload/contract/server-content.ts';
import type { Bridge } from '../ui/bridge.ts';
import { reported } from '../ui/reported.ts';

type ResourceAttachment = Extract<Attachment, { kind: 'resource' }>;

/** What main reports about the resources of the message that is being written. */
export class AttachedResources {
  #known: readonly AttachedResource[] = $state.raw([]);
  readonly #bridge: Bridge;
  #conversationId: string | null = null;
  #followed = '[]';

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
  }

  /** Called with all attachments of the composer of this conversation, or with none when it was left. */
  follow(conversationId: string | null, attachments: readonly Attachment[]): void {
    const resources = attachments.flatMap((each) =>
      each.kind === 'resource' ? [{ server: each.server, uri: each.uri }] : [],
    );
    const isSameConversation = conversationId === this.#conversationId;
    const followed = JSON.stringify(resources);
    if (followed === this.#followed && (isSameConversation || resources.length === 0)) return;
    this.#conversationId = conversationId;
    this.#followed = followed;
    this.#known = this.#known.filter((each) => isSameConversation && resources.some((other) => isSame(each, other)));
    void reported(this.#bridge.request('content.attached', { id: conversationId, resources }));
  }

  told(resource: AttachedResource): void {
    if (resource.conversationId !== this.#conversationId) return;
    this.#known = [...this.#known.filter((each) => !isSame(each, resource)), resource];
  }

  of(attachment: ResourceAttachment): AttachedResource | undefined {
    return this.#known.find((each) => isSame(each, attachment));
  }

  /** What is sent is what the chips show. */
  withVersions(attachments: readonly Attachment[]): Attachment[] {
    return attachments.map((each) => {
      const version = each.kind === 'resource' ? this.of(each)?.version : undefined;
      return version === null || version === undefined ? each : { ...each, version };
    });
  }

  readAgain({ server, uri }: ResourceAttachment): void {
    void reported(this.#bridge.request('content.readAgain', { server, uri }));
  }
}

function isSame(
  one: Pick<AttachedResource, 'server' | 'uri'>,
  other: Pick<AttachedResource, 'server' | 'uri'>,
): boolean {
  return one.server === other.server && one.uri === other.uri;
}
