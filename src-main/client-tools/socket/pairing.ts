import { createHash, randomBytes } from 'node:crypto';
import { visible } from '../../base/text.ts';
import type { PairedPrograms } from '../../storage/records/paired-programs.ts';
import { isReservedName, isSameName } from '../client-names.ts';
import type { Hello, RefusalCode } from '../protocol/messages.ts';
import { PairingPause } from './pairing-pause.ts';

/** A program as it was paired. */
export interface Program {
  readonly id: string;
  /** The name that it gave itself when it was paired. */
  readonly name: string;
}

export type Admission =
  | { readonly kind: 'welcome'; readonly program: Program; readonly token: string }
  | {
      readonly kind: 'refused';
      readonly code: RefusalCode;
      readonly message: string;
      readonly retryAfterSeconds?: number;
    };

/** What a program says of itself. Untrusted. */
export interface PairingRequest {
  readonly name: string;
  readonly version: string;
  /** When a program of this name was paired (ISO 8601), or null if none was. Its pairing ends. */
  readonly replaces: string | null;
}

export interface PairingOptions {
  readonly programs: PairedPrograms;
  /** Ends an earlier pairing and its connections. */
  readonly revoke: (id: string) => void;
  /** Asks the user. Rejects with the signal's reason when aborted; then the question vanishes. */
  readonly ask: (request: PairingRequest, signal: AbortSignal) => Promise<boolean>;
  /** Called when `pausedMs` changed. */
  readonly onChange: () => void;
  /** A monotonic time in milliseconds. */
  readonly now?: () => number;
}

/**
 * Decides which program may bring tools: one with a token of an earlier pairing, or one that a user pairs now. Source:
 * tool catalogue D.9.
 */
export class Pairing {
  readonly #options: PairingOptions;
  readonly #pause = new PairingPause();
  readonly #now: () => number;
  #isAsking = false;

  constructor(options: PairingOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Milliseconds for which no question about a new program is asked. */
  get pausedMs(): number {
    return this.#pause.remainingMs(this.#now());
  }

  /** The user wants to be asked again. */
  endPause(): void {
    this.#pause.reset();
    this.#options.onChange();
  }

  /** Rejects with the signal's reason when aborted. */
  async admit({ name: given, version, token }: Hello, signal: AbortSignal): Promise<Admission> {
    const { programs, ask, revoke } = this.#options;
    const known = token === undefined || token === null ? undefined : programs.withToken(hashOf(token));
    // Under the name that the user agreed to, whatever it calls itself today.
    if (known !== undefined && typeof token === 'string') {
      programs.used(known.id, version);
      return { kind: 'welcome', program: known, token };
    }
    const name = given.trim();
    const problem = nameProblem(name);
    if (problem !== undefined) return refused('bad_name', problem);
    // Each of them could open the next card as soon as one is answered.
    if (this.#isAsking) return refused('busy', 'The user is being asked about another program. Try again later.', 5);
    const pausedMs = this.pausedMs;
    if (pausedMs > 0) {
      const message = 'The user did not pair the last program, so no other is asked about for a while.';
      return refused('paused', message, Math.ceil(pausedMs / 1000));
    }
    // Groups belong to a name, so two programs must not have the same one.
    const earlier = programs.list().filter((each) => isSameName(each.name, name));
    this.#isAsking = true;
    let isPaired = false;
    try {
      isPaired = await ask({ name, version: shownVersion(version), replaces: earlier[0]?.pairedAt ?? null }, signal);
      signal.throwIfAborted();
    } finally {
      this.#isAsking = false;
      if (isPaired) this.#pause.reset();
      else this.#pause.notPaired(this.#now());
      this.#options.onChange();
    }
    if (!isPaired) return refused('declined', 'The user did not pair this program.', Math.ceil(this.pausedMs / 1000));
    for (const { id } of earlier) revoke(id);
    const fresh = randomBytes(TOKEN_BYTES).toString('base64url');
    const id = programs.add({ name, version, tokenHash: hashOf(fresh) });
    return { kind: 'welcome', program: { id, name }, token: fresh };
  }
}

const MAX_NAME_LENGTH = 64;
const MAX_VERSION_LENGTH = 40;
const TOKEN_BYTES = 32;

function nameProblem(name: string): string | undefined {
  if (name === '' || name.length > MAX_NAME_LENGTH || visible(name) !== name)
    return `A program's name has 1 to ${MAX_NAME_LENGTH} visible characters on one line.`;
  if (name.split(/\s/).some(mixesAlphabets)) return 'A word of this name mixes letters that look alike.';
  return isReservedName(name) ? 'This name belongs to Steward.' : undefined;
}

/** A name that mixes alphabets may be another program's, with one letter that only looks the same. */
function mixesAlphabets(word: string): boolean {
  return /\p{Script=Latin}/u.test(word) && LIKE_LATIN.test(word);
}

const LIKE_LATIN =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}]/u;

/** A random token needs no salt. */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function shownVersion(version: string): string {
  const trimmed = version.trim();
  return trimmed.length > MAX_VERSION_LENGTH || visible(trimmed) !== trimmed ? '' : trimmed;
}

function refused(code: RefusalCode, message: string, retryAfterSeconds?: number): Admission {
  return { kind: 'refused', code, message, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
}
