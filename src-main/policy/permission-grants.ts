import { randomUUID } from 'node:crypto';
import type { DecisionReason, GrantSubject } from '../../src-preload/contract/decision-reason.ts';
import { canonicalHash } from '../base/canonical-json.ts';
import type { ConsentPort, GivenSecret } from './consent.ts';
import type { QuestionQueues } from './question-queues.ts';

/** Hashes of confirmed values, by key. Stored in the database. */
export interface Confirmations {
  get(key: string): string | undefined;
  set(key: string, hash: string): void;
  remove(key: string): void;
  keys(): readonly string[];
}

/** A value that would let the assistant do more: a server, a folder, an endpoint, a rule. */
export interface PermissionGrant {
  readonly subject: GrantSubject;
  /** Names the item permanently: `mcpServers.files`, `endpoints.anthropic`, `folders./home/ada/notes`. */
  readonly key: string;
  /** JSON-like; exactly what would take effect. */
  readonly value: unknown;
  /** What stands now, if anything. */
  readonly previous?: unknown;
  /** Secrets that go to the keychain with it, as a person may see them. They are asked about although the value was confirmed. */
  readonly secrets?: readonly GivenSecret[];
}

export interface GrantPorts {
  readonly consent: ConsentPort;
  readonly confirmations: Confirmations;
  /** Shared with everything else that asks the same person. */
  readonly questions: QuestionQueues;
}

export type GrantOutcome =
  | { readonly confirmed: true; readonly item: PermissionGrant }
  | { readonly confirmed: false; readonly item: PermissionGrant; readonly reason: DecisionReason };

export interface ConfiguredReview {
  /** These take effect, with exactly these values. */
  readonly confirmed: readonly PermissionGrant[];
  /** These do nothing until a person confirms them. */
  readonly inert: readonly InertGrant[];
}

export interface InertGrant {
  readonly item: PermissionGrant;
  readonly reason: DecisionReason;
}

/** Set when a config.json was taken over whole; from then on what it names is a change. */
const TAKEN_OVER_KEY = 'config.json';

export function grantHash({ subject, key, value }: PermissionGrant): string {
  return canonicalHash({ subject, key, value: value ?? null });
}

/**
 * The one gate for permission grants outside a tool call. Narrowing asks nobody. Source: design section 4 ("One gate"),
 * section 7 ("Profile").
 */
export class PermissionGrants {
  readonly #consent: ConsentPort;
  readonly #confirmations: Confirmations;
  readonly #questions: QuestionQueues;

  constructor({ consent, confirmations, questions }: GrantPorts) {
    this.#consent = consent;
    this.#confirmations = confirmations;
    this.#questions = questions;
  }

  /**
   * Asks a person about one permission grant unless exactly this value was confirmed before. The value that comes back is the one
   * that was shown, whatever became of the given object meanwhile. Rejects with the signal's reason when aborted.
   */
  async confirm(item: PermissionGrant, signal: AbortSignal): Promise<GrantOutcome> {
    return this.#confirm(item, false, signal);
  }

  /**
   * Sorts what a config.json names, at start or when it changed, into what takes effect and what stays inert, asking where
   * somebody can answer.
   */
  async review(items: readonly PermissionGrant[], signal: AbortSignal): Promise<ConfiguredReview> {
    const atFirstSight = !this.#knows(TAKEN_OVER_KEY);
    const confirmed: PermissionGrant[] = [];
    const inert: InertGrant[] = [];
    for (const item of items) {
      const outcome = await this.#confirm(item, atFirstSight, signal);
      if (outcome.confirmed) confirmed.push(outcome.item);
      else inert.push({ item: outcome.item, reason: outcome.reason });
    }
    // As long as something waits for its first answer, the profile has not been taken over.
    if (atFirstSight && inert.length === 0) this.#takeOver();
    return { confirmed, inert };
  }

  /** As `review`, without asking anybody: what was not confirmed before stays inert. */
  sort(items: readonly PermissionGrant[]): ConfiguredReview {
    const confirmed: PermissionGrant[] = [];
    const inert: InertGrant[] = [];
    for (const given of items) {
      const item = structuredClone(given);
      if (this.isConfirmed(item)) confirmed.push(item);
      else inert.push({ item, reason: reasonFor(item, this.#knows(item.key)) });
    }
    if (inert.length === 0 && !this.#knows(TAKEN_OVER_KEY)) this.#takeOver();
    return { confirmed, inert };
  }

  /** What was removed must be confirmed anew if it comes back. */
  forget(key: string): void {
    this.#confirmations.remove(key);
  }

  /** Counts as confirmed without a question: it is narrower than what was, or was chosen in the consent surface. */
  adopt(item: PermissionGrant): void {
    this.#confirmations.set(item.key, grantHash(item));
  }

  /** Whether exactly this was confirmed, so that `confirm` would ask nobody. */
  isConfirmed(item: PermissionGrant): boolean {
    return this.#confirmations.get(item.key) === grantHash(item);
  }

  /** Forgets all that a whole and valid config.json no longer names. */
  forgetRemoved(items: readonly Pick<PermissionGrant, 'key'>[]): void {
    const named = new Set([TAKEN_OVER_KEY, ...items.map(({ key }) => key)]);
    for (const key of this.#confirmations.keys()) if (!named.has(key)) this.#confirmations.remove(key);
  }

  async #confirm(given: PermissionGrant, atFirstSight: boolean, signal: AbortSignal): Promise<GrantOutcome> {
    const item = structuredClone(given);
    const { subject, key, value, previous, secrets = [] } = item;
    if (this.isConfirmed(item) && secrets.length === 0) return { confirmed: true, item };
    const reason = reasonFor(item, this.#knows(key));
    const answer = await this.#questions.run({ conversationId: null, askedFor: 'person' }, signal, () =>
      this.#consent.ask(
        { kind: 'grant', id: randomUUID(), reason, subject, key, value, previous, secrets, atFirstSight },
        signal,
      ),
    );
    signal.throwIfAborted();
    if (answer.answer !== 'allow')
      return { confirmed: false, item, reason: answer.reason ?? { code: 'not_confirmed' } };
    this.#confirmations.set(key, grantHash(item));
    return { confirmed: true, item };
  }

  #takeOver(): void {
    this.#confirmations.set(TAKEN_OVER_KEY, canonicalHash('taken over'));
  }

  #knows(key: string): boolean {
    return this.#confirmations.get(key) !== undefined;
  }
}

function reasonFor({ subject, key, previous }: PermissionGrant, isKnown: boolean): DecisionReason {
  const first = previous === undefined ? 'new' : 'replaced';
  return { code: 'permission_grant', key, subject, state: isKnown ? 'changed' : first };
}
