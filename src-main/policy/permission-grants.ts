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
  /** A stable key of the item: `mcpServers.files`, `endpoints.anthropic`, `folders./home/ada/notes`. */
  readonly key: string;
  /** JSON-like; exactly what would take effect. */
  readonly value: unknown;
  /** The current value, if any. */
  readonly previous?: unknown;
  /** Secrets that go to the keychain with it, as they may be shown. They are asked about even if the value was confirmed. */
  readonly secrets?: readonly GivenSecret[];
}

export interface GrantPorts {
  readonly consent: ConsentPort;
  readonly confirmations: Confirmations;
  /** Shared with everything else that asks this user. */
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

/** Set once a whole config.json was accepted; from then on, anything it names is a change. */
const TAKEN_OVER_KEY = 'config.json';

export function grantHash({ subject, key, value }: PermissionGrant): string {
  return canonicalHash({ subject, key, value: value ?? null });
}

/**
 * The one gate for permission grants outside a tool call. Revoking needs no question. Source: design section 4 ("One gate"),
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
   * Asks the user about one permission grant unless exactly this value was confirmed before. Returns the value that was shown,
   * even if the given object was changed meanwhile. Rejects with the signal's reason when aborted.
   */
  async confirm(item: PermissionGrant, signal: AbortSignal): Promise<GrantOutcome> {
    return this.#confirm(item, false, signal);
  }

  /**
   * Sorts the grants in a config.json, at start or after a change, into those in effect and inert ones; asks where someone can
   * answer.
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
    // The profile counts as accepted only when nothing is waiting for its first answer.
    if (atFirstSight && inert.length === 0) this.#takeOver();
    return { confirmed, inert };
  }

  /** Like `review`, without asking: what was not confirmed before stays inert. */
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

  /** A removed grant has to be confirmed again if it comes back. */
  forget(key: string): void {
    this.#confirmations.remove(key);
  }

  /** Counts as confirmed without a question: it grants less than before, or was chosen in the consent surface. */
  adopt(item: PermissionGrant): void {
    this.#confirmations.set(item.key, grantHash(item));
  }

  /** Whether exactly this was confirmed, so that `confirm` would not ask. */
  isConfirmed(item: PermissionGrant): boolean {
    return this.#confirmations.get(item.key) === grantHash(item);
  }

  /** Forgets everything that a complete and valid config.json no longer names. */
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
