import { randomUUID } from 'node:crypto';
import type { DecisionReason } from '../../src-preload/contract/decision-reason.ts';
import { canonicalHash } from '../base/canonical-json.ts';
import type { ConsentAnswer, ConsentPort } from './consent.ts';
import type { HeldBefore, HeldPermissions } from './mcp/held-permissions.ts';
import type { GivenSecret, PermissionGrant } from './permission-grant.ts';
import type { QuestionQueues } from './question-queues.ts';

/** The hashes of confirmed values, by key. They are stored in the database. */
export interface Confirmations {
  get(key: string): string | undefined;
  set(key: string, hash: string): void;
  remove(key: string): void;
  keys(): readonly string[];
}

export interface GrantPorts {
  readonly consent: ConsentPort;
  readonly confirmations: Confirmations;
  readonly held: HeldPermissions;
  /** The queues are shared with everything else that asks this user. */
  readonly questions: QuestionQueues;
  /** The secrets that were stored before and decide what would run. The question shows them in full. */
  readonly storedSecrets: (item: PermissionGrant) => Promise<readonly GivenSecret[]>;
}

export type GrantOutcome =
  /** `ended` has the keys of the values that this took out of config.json. */
  | { readonly confirmed: true; readonly item: PermissionGrant; readonly ended?: readonly string[] }
  | {
      readonly confirmed: false;
      readonly item: PermissionGrant;
      readonly reason: DecisionReason;
      readonly by: ConsentAnswer['by'];
    };

/** With `new` and `changed`, nobody has answered for the user. */
export type ReviewedGrant = 'confirmed' | 'declined' | 'new' | 'changed';

export interface ConfiguredReview {
  /** These take effect, with exactly these values. */
  readonly confirmed: readonly PermissionGrant[];
  /** These have no effect until a user confirms them. */
  readonly inert: readonly InertGrant[];
}

export interface InertGrant {
  readonly item: PermissionGrant;
  readonly reason: DecisionReason;
}

/** The beginning of the key of a folder's skills, which config.json does not name. */
const SKILLS_KEY = 'skills[';

export function skillsKey(folder: string): string {
  return `${SKILLS_KEY}${folder}]`;
}

/** The key under which it is remembered that the user declined a value. */
function declinedKey(key: string): string {
  return `${key} declined`;
}

/** The key that is set once a whole config.json was accepted. From then on, anything else that it names is a change. */
const TAKEN_OVER_KEY = 'config.json';

export function grantHash({ subject, key, value }: PermissionGrant): string {
  return canonicalHash({ subject, key, value: value ?? null });
}

/**
 * The one gate for permission grants outside a tool call. Taking one back needs no question. Source: design section 4
 * ("One gate"), section 7 ("Profile").
 */
export class PermissionGrants {
  readonly #consent: ConsentPort;
  readonly #confirmations: Confirmations;
  readonly #held: HeldPermissions;
  readonly #questions: QuestionQueues;
  readonly #storedSecrets: GrantPorts['storedSecrets'];

  constructor({ consent, confirmations, held, questions, storedSecrets }: GrantPorts) {
    this.#consent = consent;
    this.#confirmations = confirmations;
    this.#held = held;
    this.#questions = questions;
    this.#storedSecrets = storedSecrets;
  }

  /**
   * Asks the user about one permission grant, unless exactly this value was confirmed before. Returns the value that
   * was shown, even if the given object was changed meanwhile: nobody can show `npx safe` and then start `npx evil`.
   * Rejects with the signal's reason when aborted.
   */
  async confirm(item: PermissionGrant, signal: AbortSignal): Promise<GrantOutcome> {
    return this.#confirm(item, false, signal);
  }

  /**
   * Asks like `confirm`, but not again about a value that the user declined exactly like this, unless `asksAgain`. The
   * value counts as seen for the first time until another one was confirmed or declined.
   */
  async confirmUnlessDeclined(
    given: PermissionGrant,
    { asksAgain, signal }: { readonly asksAgain: boolean; readonly signal: AbortSignal },
  ): Promise<ReviewedGrant> {
    const item = structuredClone(given);
    const hash = grantHash(item);
    const declinedHash = this.#confirmations.get(declinedKey(item.key));
    const isDeclined = declinedHash === hash;
    if (isDeclined && !asksAgain && !this.isConfirmed(item)) return 'declined';
    const atFirstSight = !this.#knows(item.key) && (declinedHash === undefined || isDeclined);
    const outcome = await this.#confirm(item, atFirstSight, signal);
    if (outcome.confirmed) {
      this.#confirmations.remove(declinedKey(item.key));
      return 'confirmed';
    }
    if (outcome.by === 'user') this.#confirmations.set(declinedKey(item.key), hash);
    if (outcome.by === 'user' || isDeclined) return 'declined';
    return atFirstSight ? 'new' : 'changed';
  }

  /**
   * Sorts the grants in a config.json into those in effect and inert ones, at the start or after a change. It asks
   * where someone can answer.
   */
  async review(items: readonly PermissionGrant[], signal: AbortSignal): Promise<ConfiguredReview> {
    const atFirstSight = !this.#knows(TAKEN_OVER_KEY);
    const confirmed: PermissionGrant[] = [];
    const inert: InertGrant[] = [];
    const ended = new Set<string>();
    for (const item of items) {
      if (ended.has(item.key)) continue;
      const outcome = await this.#confirm(item, atFirstSight, signal);
      if (outcome.confirmed) {
        confirmed.push(outcome.item);
        for (const key of outcome.ended ?? []) ended.add(key);
      } else inert.push({ item: outcome.item, reason: outcome.reason });
    }
    // The profile counts as accepted only when nothing is waiting for its first answer.
    if (atFirstSight && inert.length === 0) this.#takeOver();
    return { confirmed, inert };
  }

  /** Sorts like `review`, but without asking. What was not confirmed before stays inert. */
  sort(items: readonly PermissionGrant[]): ConfiguredReview {
    const confirmed: PermissionGrant[] = [];
    const inert: InertGrant[] = [];
    for (const given of items) {
      const item = structuredClone(given);
      if (this.isConfirmed(item)) {
        this.#rememberIdentity(item);
        confirmed.push(item);
      } else inert.push({ item, reason: reasonFor(item, this.#knows(item.key)) });
    }
    if (inert.length === 0 && !this.#knows(TAKEN_OVER_KEY)) this.#takeOver();
    return { confirmed, inert };
  }

  /** Forgets a grant that was removed. It has to be confirmed again if it comes back. */
  forget(key: string): void {
    this.#confirmations.remove(key);
  }

  /**
   * Counts a value as confirmed without a question, because it grants less than before or was chosen in the consent
   * surface.
   */
  adopt(item: PermissionGrant): void {
    this.#confirmations.set(item.key, grantHash(item));
  }

  /** Whether exactly this value was confirmed, so that `confirm` would not ask. */
  isConfirmed(item: PermissionGrant): boolean {
    return this.#confirmations.get(item.key) === grantHash(item);
  }

  /** Forgets everything that a complete and valid config.json no longer names. */
  forgetRemoved(items: readonly Pick<PermissionGrant, 'key' | 'holder'>[]): void {
    const named = new Set([TAKEN_OVER_KEY, ...items.flatMap(({ key, holder }) => (holder ? [key, holder.key] : key))]);
    for (const key of this.#confirmations.keys())
      if (!named.has(key) && !key.startsWith(SKILLS_KEY)) this.#confirmations.remove(key);
  }

  async #confirm(given: PermissionGrant, atFirstSight: boolean, signal: AbortSignal): Promise<GrantOutcome> {
    const item = structuredClone(given);
    const { holder, ...granted } = item;
    const { secrets: entered = [] } = item;
    if (this.isConfirmed(item) && entered.length === 0) {
      this.#rememberIdentity(item);
      return { confirmed: true, item };
    }
    const reason = reasonFor(item, this.#knows(item.key));
    const stored = await this.#storedSecrets(item);
    const secrets = [...entered, ...stored.filter(({ name }) => entered.every((each) => each.name !== name))];
    const answer = await this.#questions.run({ conversationId: null, askedFor: 'user' }, signal, () => {
      const held = this.#heldBefore(item);
      const asked = { kind: 'grant', id: randomUUID(), reason, secrets, atFirstSight } as const;
      return this.#consent.ask({ ...granted, ...asked, ...(held === undefined ? {} : { held }) }, signal);
    });
    signal.throwIfAborted();
    if (answer.answer !== 'allow')
      return { confirmed: false, item, reason: answer.reason ?? { code: 'not_confirmed' }, by: answer.by };
    // What the server held ends before it is confirmed. If that fails, the server stays unconfirmed.
    const ended = holder !== undefined && this.#isAnother(item) ? await this.#held.end(holder.server) : [];
    this.#confirmations.set(item.key, grantHash(item));
    this.#rememberIdentity(item);
    return { confirmed: true, item, ended };
  }

  /** What the server was allowed so far and whether that ends, or undefined if it was allowed nothing. */
  #heldBefore(item: PermissionGrant): HeldBefore | undefined {
    const permissions = item.holder === undefined ? [] : this.#held.of(item.holder.server);
    return permissions.length === 0 ? undefined : { permissions, ends: this.#isAnother(item) };
  }

  /**
   * Whether the name means another server than when it was last confirmed, or it isn't known which one it meant then.
   * What was allowed to `files`, a local program, must not pass to a `files` that is now an address.
   */
  #isAnother({ holder }: PermissionGrant): boolean {
    return holder !== undefined && this.#confirmations.get(holder.key) !== canonicalHash(holder.identity);
  }

  #rememberIdentity({ holder }: PermissionGrant): void {
    if (holder === undefined) return;
    const hash = canonicalHash(holder.identity);
    if (this.#confirmations.get(holder.key) !== hash) this.#confirmations.set(holder.key, hash);
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
