import type { Mark } from '../../src-preload/contract/events.ts';
import type { CallEffects } from './access.ts';
import { hostOf } from './effective-access.ts';
import { serviceOfClient } from './judges/client.ts';
import { besideOutsideText, claimToRead, serviceOfServer } from './judges/mcp.ts';
import { has, isMarkedBoth } from './judges/verdict.ts';

interface AnsweredCall {
  readonly conversationId: string | null;
  readonly asksModel: boolean;
  readonly marks: readonly Mark[];
}

/** What earlier answers allow for the rest of their conversation. In memory only: restoring data must never restore a permission. */
export class RememberedAnswers {
  /** By conversation. Allowing a service covers the conversation; hosts allowed for longer are rules. */
  readonly #services = new Map<string, Set<string>>();
  /** By conversation, real paths. One answer per file. */
  readonly #secretFiles = new Map<string, Set<string>>();

  services(conversationId: string | null): ReadonlySet<string> {
    return this.#services.get(conversationId ?? '') ?? new Set();
  }

  secretFiles(conversationId: string | null): ReadonlySet<string> {
    return this.#secretFiles.get(conversationId ?? '') ?? new Set();
  }

  remember({ conversationId, asksModel, marks }: AnsweredCall, { access }: CallEffects): void {
    if (conversationId === null) return;
    const services = new Set(this.services(conversationId));
    const files = new Set(this.secretFiles(conversationId));
    for (const each of access) {
      if ('path' in each && each.isSecret === true) files.add(each.path);
      if ('kind' in each && each.kind === 'mcp' && isMarkedBoth({ marks })) services.add(serviceOfServer(each));
      const claim = 'kind' in each && each.kind === 'mcp' ? claimToRead(each) : undefined;
      if (claim !== undefined) services.add(claim);
      if (claim !== undefined && has({ marks }, 'untrusted')) services.add(besideOutsideText(claim));
      if ('kind' in each && each.kind === 'client' && !each.requiresPermission) services.add(serviceOfClient(each));
      if ('host' in each && (asksModel || each.service !== undefined)) services.add(hostOf(each));
    }
    this.#services.set(conversationId, services);
    this.#secretFiles.set(conversationId, files);
  }
}
