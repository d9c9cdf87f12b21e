import type { DecisionReason } from '../../src-preload/contract/decision-reason.ts';
import type { Mark } from '../../src-preload/contract/events.ts';
import type { CallEffects } from './access.ts';
import { kindOf } from './accesses/access-kinds.ts';

interface AnsweredCall {
  readonly conversationId: string | null;
  readonly asksModel: boolean;
  readonly marks: readonly Mark[];
}

/**
 * What earlier answers allow for the rest of their conversation. It is kept in memory only, so that a restored backup
 * can't bring a permission back.
 */
export class RememberedAnswers {
  /** The services that were allowed in each conversation. Hosts that are allowed for longer are rules. */
  readonly #services = new Map<string, Set<string>>();
  /** The real paths of files with secrets that were allowed in each conversation. One answer covers one file. */
  readonly #secretFiles = new Map<string, Set<string>>();

  services(conversationId: string | null): ReadonlySet<string> {
    return this.#services.get(conversationId ?? '') ?? new Set();
  }

  secretFiles(conversationId: string | null): ReadonlySet<string> {
    return this.#secretFiles.get(conversationId ?? '') ?? new Set();
  }

  /**
   * `reason` is what the question gave as its reason, because a yes covers nothing that it did not ask about. Allowing
   * a change of a file that holds secrets is no permission to read it later.
   */
  remember(call: AnsweredCall, { access }: CallEffects, reason: DecisionReason): void {
    const { conversationId } = call;
    if (conversationId === null) return;
    const services = new Set(this.services(conversationId));
    const files = new Set(this.secretFiles(conversationId));
    const isChange = access.some((each) => each.kind === 'file' && each.class === 'write');
    for (const each of access) {
      const { services: allowed = [], secretFile } = kindOf(each).remembered(each, call, reason);
      for (const service of allowed) services.add(service);
      if (secretFile !== undefined && !isChange) files.add(secretFile);
    }
    this.#services.set(conversationId, services);
    this.#secretFiles.set(conversationId, files);
  }
}
