import { LockedRenewal } from '../locked-renewal.ts';
import { asSignInFailure } from '../sign-in-failure.ts';
import { SignInFailure } from '../sign-in-problem.ts';
import type { GoogleClient } from './google-client.ts';
import type { GoogleRecord, GoogleRecords } from './google-record.ts';
import type { GoogleService } from './google-service.ts';
import type { GoogleSignInRequests, IssuedTokens } from './google-sign-in-requests.ts';

/** A token that expires within this time is renewed before it is used; clocks may differ by as much. */
const RENEW_BEFORE_MS = 60_000;
const HOUR_MS = 3_600_000;
/**
 * How long a sign-in lasts while the client's consent screen is in Testing. Source:
 * developers.google.com/identity/protocols/oauth2.
 */
const TESTING_MS = 7 * 24 * HOUR_MS;

/**
 * Why a sign-in ended. With `testing`, the seven days are over that a client has whose consent screen is in Testing.
 */
export type SignInEnding = 'testing' | 'refused';

export interface GoogleAccountPorts {
  readonly requests: GoogleSignInRequests;
  readonly records: GoogleRecords;
  /** The client that is set now. */
  readonly client: () => Promise<GoogleClient | undefined>;
  /** Locked while the record changes, across processes. Its folder exists. */
  readonly lockFile: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Google no longer accepts the sign-in, and its record was deleted. */
  readonly onEnded: (why: SignInEnding) => void;
  readonly onRenewed: () => void;
}

/**
 * The user's account at one service of Google: the tokens of the last sign-in, renewed when they expire. It never opens
 * a browser.
 */
export class GoogleAccount {
  readonly service: GoogleService;
  readonly ports: GoogleAccountPorts;
  readonly #renewal: LockedRenewal<string | undefined>;
  readonly #closing = new AbortController();

  constructor(service: GoogleService, ports: GoogleAccountPorts) {
    this.service = service;
    this.ports = ports;
    this.#renewal = new LockedRenewal(ports.lockFile);
  }

  /** The record of the last sign-in, if it was with the client that is set now. */
  async record(options: { readonly isFresh?: boolean } = {}): Promise<GoogleRecord | undefined> {
    const { client, records } = this.ports;
    const [set, record] = [await client(), await records.get(this.service, options)];
    return record !== undefined && record.clientId === set?.id ? record : undefined;
  }

  /**
   * An access token, renewed if needed, or undefined if there is no sign-in. `rejected` is a token that the service did
   * not accept. Rejects with `SignInFailure` if it can't be renewed now.
   */
  async token(rejected?: string): Promise<string | undefined> {
    const record = await this.record();
    if (record === undefined) return undefined;
    const { accessToken, expiresAt } = record;
    const isUsable = accessToken !== rejected;
    if (isUsable && this.#isFresh(record)) return accessToken;
    try {
      return await this.#renewal.run(accessToken, () => this.#renewLocked(accessToken));
    } catch (error) {
      if (isUsable && this.ports.now() < expiresAt && !this.#closing.signal.aborted) return accessToken;
      throw asSignInFailure(error);
    }
  }

  /**
   * Keeps the result of a sign-in, unless it was cancelled meanwhile. Rejects with `SecretsError`, or with the signal's
   * reason.
   */
  async keep(record: GoogleRecord, signal: AbortSignal): Promise<void> {
    await this.#renewal.locked(async () => {
      signal.throwIfAborted();
      await this.ports.records.keep(this.service, record);
    });
  }

  /** The user's address, if the sign-in did not get to know it. Rejects with `SecretsError`. */
  async keepAddress(address: string): Promise<void> {
    if ((await this.record())?.address === address) return;
    await this.#renewal.locked(async () => {
      const record = await this.record({ isFresh: true });
      if (record !== undefined) await this.ports.records.keep(this.service, { ...record, address });
    });
  }

  /** Deletes the record and returns it, whatever client it is of. Rejects with `SecretsError`. */
  remove(): Promise<GoogleRecord | undefined> {
    return this.#renewal.locked(async () => {
      const record = await this.ports.records.get(this.service, { isFresh: true });
      await this.ports.records.remove(this.service);
      return record;
    });
  }

  /** Aborts requests in progress. */
  close(): void {
    this.#closing.abort(new SignInFailure({ code: 'cancelled' }));
  }

  /** False too if the clock was set back since: then it is not known when the token expires. */
  #isFresh({ issuedAt, expiresAt }: GoogleRecord): boolean {
    const now = this.ports.now();
    return now > issuedAt - RENEW_BEFORE_MS && now < expiresAt - RENEW_BEFORE_MS;
  }

  async #renewLocked(old: string): Promise<string | undefined> {
    const { requests, records, client, now, onEnded, onRenewed } = this.ports;
    // Another process may have renewed it while we waited.
    const [record, set] = [await this.record({ isFresh: true }), await client()];
    if (record === undefined || set === undefined || record.accessToken !== old) return record?.accessToken;
    try {
      const tokens = await requests.refresh(set, record.refreshToken, this.#closing.signal);
      const renewed = { ...record, ...issued(tokens, record.scopes, now()) };
      await records.keep(this.service, renewed);
      onRenewed();
      return renewed.accessToken;
    } catch (error) {
      const { problem } = asSignInFailure(error);
      if (problem.code !== 'google_refused' || problem.error !== 'invalid_grant') throw error;
      await records.remove(this.service);
      onEnded(whyEnded(record, now()));
      return undefined;
    }
  }
}

/** The part of a record that changes with each token. */
export function issued(
  { accessToken, refreshToken, scopes, expiresInSeconds, signInEndsInSeconds }: IssuedTokens,
  asked: readonly string[],
  now: number,
): Pick<GoogleRecord, 'accessToken' | 'scopes' | 'issuedAt' | 'expiresAt' | 'endsAt'> & {
  readonly refreshToken?: string;
} {
  return {
    accessToken,
    // The scope is omitted if it is the requested one (RFC 6749 section 5.1).
    scopes: scopes ?? asked,
    issuedAt: now,
    expiresAt: now + expiresInSeconds * 1_000,
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(signInEndsInSeconds === undefined ? {} : { endsAt: now + signInEndsInSeconds * 1_000 }),
  };
}

/** Google does not say why. It was accepted at the last renewal, so it ended between that and now. */
function whyEnded({ connectedAt, issuedAt, endsAt }: GoogleRecord, now: number): SignInEnding {
  const end = endsAt ?? connectedAt + TESTING_MS;
  return issuedAt <= end + HOUR_MS && now >= end - HOUR_MS ? 'testing' : 'refused';
}
