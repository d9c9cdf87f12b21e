import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { EventOf, StoredEvent } from '../../../src-preload/contract/events.ts';
import { Listeners } from '../../base/listeners.ts';
import type { OutboxMail } from '../../storage/records/outbox.ts';
import type { Storage } from '../../storage/storage.ts';
import {
  type IdentifiedMail,
  notSentBecause,
  type OutgoingGmail,
  type SendOutcome,
} from '../../tools/google/gmail-outgoing.ts';
import type { GoogleAccounts } from '../../tools/google/google-accounts.ts';
import { MailNotSent } from '../../tools/google/mail-not-sent.ts';
import type { Outbox, SendingCall } from '../../tools/google/outbox.ts';
import type { OutgoingMail } from '../../tools/google/outgoing-mail.ts';
import { askAboutMail, type OutboxQuestionPorts } from './outbox-question.ts';
import { OutboxWaits } from './outbox-waits.ts';

export interface OutboxPorts extends OutboxQuestionPorts {
  readonly storage: Pick<Storage, 'outbox' | 'events' | 'conversations' | 'leases'>;
  readonly gmail: Pick<OutgoingGmail, 'signIn' | 'send' | 'findSent'>;
  readonly google: Pick<GoogleAccounts, 'address'>;
  /** How long a mail waits. */
  readonly waitSeconds: () => number;
  /** When to look for a mail after an answer of Gmail was lost: after 1, 4 and 10 seconds by default. */
  readonly lookAfterMs?: readonly number[];
  /** Something failed that no one waits for; the mail is asked about at the next start. */
  readonly onFault: (error: unknown) => void;
}

type MailNews = Pick<EventOf<'mail'>, 'state' | 'why' | 'dueAt'>;

/**
 * What is known of a mail whose sending ended without an outcome. `isFresh` says that the request left just now. For
 * `problem`, see `AccountReason`.
 */
interface Unsettled {
  readonly isFresh: boolean;
  readonly problem: string;
}

/** With `not_found`, it is not among the sent mail. With `not_checked`, Gmail could not be asked. */
type Check = { readonly found: string } | { readonly found: null; readonly check: 'not_found' | 'not_checked' };

/**
 * Approved mail on its way out. A row is committed before the wait, and marked before the request that sends it, so a
 * mail whose process died is neither lost nor sent twice: it is looked for among the sent mail, and if it is not there,
 * the user decides. A lease per mail keeps other processes on this profile away from it. Source:
 * docs/decisions/036-outbox.md.
 */
export class MailOutbox implements Outbox {
  readonly #ports: OutboxPorts;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #listeners = new Listeners<[event: StoredEvent]>();
  readonly #closing = new AbortController();
  readonly #waits = new OutboxWaits(this.#closing.signal);

  constructor(ports: OutboxPorts) {
    this.#ports = ports;
  }

  /** The conversation of each mail that waits in this process. */
  get waiting(): readonly string[] {
    return this.#waits.conversations;
  }

  /** The listener is called with each committed event. Returns a function that unsubscribes. */
  onEvent(listener: (event: StoredEvent) => void): () => void {
    return this.#listeners.add(listener);
  }

  get waitSeconds(): number {
    return this.#ports.waitSeconds();
  }

  send(mail: OutgoingMail, call: SendingCall): Promise<string> {
    return this.#tracked(async () => {
      // A question about the sign-in belongs right after the approval, not after the wait.
      await this.#ports.gmail.signIn(call);
      const id = randomUUID();
      const lease = this.#ports.storage.leases.acquire(leaseOf(id));
      if (!('release' in lease)) throw new TypeError(`The new mail ${id} is held by another process`);
      let problem: string | undefined;
      try {
        return await this.#sendApproved(mail, id, call);
      } catch (error) {
        if (error instanceof MailNotSent && error.reason === 'unknown') problem = error.message;
        throw error;
      } finally {
        lease.release();
        if (problem !== undefined) this.#recoverSoon(id, problem);
      }
    });
  }

  /** Sends a waiting mail at once. Returns false if it no longer waits here. */
  sendNow(id: string): boolean {
    return this.#waits.end(id, 'send');
  }

  /** Keeps a waiting mail from being sent. Returns false if it no longer waits here. */
  undo(id: string): boolean {
    return this.#waits.end(id, 'undone');
  }

  /** Stops the clocks of waiting mail while the user decides about it. The returned function lets them go on. */
  hold(): () => void {
    this.#waits.hold();
    return () => {
      for (const { mail, leftMs } of this.#waits.goOn())
        this.#tell(mail, { state: 'waiting', dueAt: new Date(Date.now() + leftMs).toISOString() });
    };
  }

  /** Sends all waiting mail at once, or none of it. Resolves when nothing is being sent any more. */
  async endWait(sends: boolean): Promise<void> {
    this.#waits.endAll(sends ? 'send' : 'undone');
    await this.#settled();
  }

  /** Keeps waiting mail for the next start: nothing more is sent from here. */
  keep(): void {
    this.#closing.abort(new Error('Steward is closing'));
    this.#waits.endAll('kept');
  }

  /** Keeps waiting mail like `keep`, and resolves when nothing here uses the network or the database any more. */
  async close(): Promise<void> {
    this.keep();
    await this.#settled();
  }

  /**
   * Settles mail of processes that ended before its fate was known: looks for it among the sent mail, else asks the
   * user. Mail that a running process handles is left alone. `conversationId`: only mail of this conversation. Never
   * opens a browser on its own. Rejects only with `StorageError`.
   */
  async recover(signal: AbortSignal, conversationId?: string): Promise<void> {
    const stop = AbortSignal.any([signal, this.#closing.signal]);
    const mails = this.#ports.storage.outbox.list();
    const chosen = mails.filter((mail) => conversationId === undefined || mail.conversationId === conversationId);
    await Promise.all(
      chosen.map((mail) => this.#tracked(() => this.#recoverOne(mail.id, { isFresh: false, problem: '' }, stop))),
    );
  }

  /** Mail that may have been sent or not, and that no running process handles. Throws `StorageError`. */
  unsettled(): readonly OutboxMail[] {
    const { outbox, leases } = this.#ports.storage;
    return outbox.list().filter(({ id }) => {
      const lease = leases.acquire(leaseOf(id));
      if ('release' in lease) lease.release();
      return 'release' in lease;
    });
  }

  /** Stop and a page that ends cut off the question, but it still has to be answered. */
  #recoverSoon(id: string, problem: string): void {
    const { signal } = this.#closing;
    if (signal.aborted) return;
    this.#tracked(() => this.#recoverOne(id, { isFresh: true, problem }, signal)).catch(this.#ports.onFault);
  }

  async #settled(): Promise<void> {
    await Promise.allSettled([...this.#underWay]);
  }

  async #sendApproved(
    mail: OutgoingMail,
    id: string,
    { conversationId, callId, signal }: SendingCall,
  ): Promise<string> {
    const { outbox } = this.#ports.storage;
    const waitMs = this.#ports.waitSeconds() * 1000;
    const dueAt = new Date(Date.now() + waitMs).toISOString();
    const { to: recipients, subject, body } = mail;
    const account = mail.from ?? (await this.#account()) ?? null;
    outbox.add({ id, conversationId, callId, account, recipients, subject, body, dueAt });
    const kept = outbox.get(id);
    if (kept === undefined) throw new TypeError(`The new mail ${id} is not in the outbox`);
    this.#tell(kept, { state: 'waiting', dueAt });
    const end = await this.#waits.wait(kept, waitMs, signal);
    if (end === 'kept') throw new MailNotSent('kept');
    if (end !== 'send') {
      this.#drop(kept, end);
      throw new MailNotSent(end);
    }
    return this.#deliver(kept, signal);
  }

  /** The first attempt of a call. */
  async #deliver(mail: OutboxMail, signal: AbortSignal): Promise<string> {
    const outcome = await this.#attempt(mail, mail.account, signal);
    if (outcome.kind === 'sent') return outcome.messageId;
    if (outcome.kind === 'not_sent') {
      this.#drop(mail, 'refused');
      throw new MailNotSent('refused', outcome.message, outcome.remedies);
    }
    const stop = AbortSignal.any([signal, this.#closing.signal]);
    const settled = await this.#settle(mail, { isFresh: true, problem: outcome.message }, stop);
    if (typeof settled === 'string') return settled;
    throw settled;
  }

  /**
   * One request, on the user's word for this account (`null`: not known). There has to be a token before the mail is
   * marked: without one, nothing is sent.
   */
  async #attempt(mail: OutboxMail, approvedFor: string | null, signal: AbortSignal): Promise<SendOutcome> {
    const { storage, gmail } = this.#ports;
    try {
      await gmail.signIn({ signal });
    } catch (error) {
      return notSentBecause(error);
    }
    const account = (await this.#account()) ?? approvedFor;
    if (approvedFor !== null && account !== approvedFor)
      return notSentBecause(new Error(`it was approved for ${approvedFor}, but ${account} is connected now`));
    if (!storage.outbox.markSending(mail.id, account)) return notSentBecause(new Error('it is no longer there'));
    this.#tell(mail, { state: 'sending' });
    // A request is not stopped halfway, because nobody would know whether the mail was sent.
    const outcome = await gmail.send(identified(mail), { signal: new AbortController().signal, isQuiet: true });
    if (outcome.kind === 'sent') this.#markSent(mail);
    else if (outcome.kind === 'not_sent') storage.outbox.markWaiting(mail.id);
    return outcome;
  }

  /**
   * Finds out about a mail that may have been sent: Gmail's id once it is known or sent again, or why it is not sent.
   */
  async #settle({ id }: OutboxMail, unsettled: Unsettled, signal: AbortSignal): Promise<string | MailNotSent> {
    const { storage, lookAfterMs = [1_000, 3_000, 6_000] } = this.#ports;
    // Sent mail may take a moment to appear, so in all it is looked for long enough before it is sent again.
    const [first, again] = unsettled.isFresh ? [lookAfterMs, [0]] : [[0], lookAfterMs];
    let { problem } = unsettled;
    for (;;) {
      const mail = storage.outbox.get(id);
      if (mail === undefined) return new MailNotSent('dropped');
      const check = await this.#look(mail, first, signal);
      if (check.found !== null) return this.#found(mail, check.found);
      // If it had not begun, no request has left.
      const isBegun = mail.state === 'sending';
      if (isBegun) this.#tell(mail, { state: 'unsure' });
      const connected = await this.#account();
      const from = connected ?? mail.account;
      const answer = await askAboutMail(
        mail,
        {
          check: isBegun ? check.check : 'not_begun',
          problem,
          ...(from === null ? {} : { from }),
          ...(isOtherAccount(mail, connected) ? { approvedFor: mail.account } : {}),
        },
        this.#ports,
        signal,
      );
      if (answer === 'nobody') return new MailNotSent('unasked', problem);
      if (answer === 'cut_off') return new MailNotSent('unknown', problem);
      if (answer === 'drop') {
        this.#drop(mail, 'dropped');
        return new MailNotSent('dropped');
      }
      if (isBegun) {
        const late = await this.#look(mail, again, signal);
        if (late.found !== null) return this.#found(mail, late.found);
        if (signal.aborted) return new MailNotSent('unknown', problem);
        // The user was told something else.
        if (late.check !== check.check && late.check === 'not_checked') continue;
      }
      const outcome = await this.#attempt(mail, from, signal);
      if (outcome.kind === 'sent') return outcome.messageId;
      problem = outcome.message;
    }
  }

  async #recoverOne(id: string, unsettled: Unsettled, signal: AbortSignal): Promise<void> {
    const { storage } = this.#ports;
    const lease = storage.leases.acquire(leaseOf(id));
    if (!('release' in lease)) return;
    try {
      const mail = storage.outbox.get(id);
      if (mail !== undefined) await this.#settle(mail, unsettled, signal);
    } finally {
      lease.release();
    }
  }

  /** `delaysMs` are the waits before each attempt. */
  async #look(mail: OutboxMail, delaysMs: readonly number[], signal: AbortSignal): Promise<Check> {
    const { gmail } = this.#ports;
    let check: 'not_found' | 'not_checked' = 'not_checked';
    // The account that is connected now is another one, whose sent mail can't contain this mail.
    if (isOtherAccount(mail, await this.#account())) return { found: null, check };
    for (const delayMs of delaysMs) {
      try {
        await wait(delayMs, undefined, { signal });
        const found = await gmail.findSent(identified(mail), Date.parse(mail.createdAt), { signal, isQuiet: true });
        if (found !== undefined) return { found };
        check = 'not_found';
      } catch {
        if (signal.aborted) break;
      }
    }
    return { found: null, check };
  }

  /** The address of the connected account, if known. */
  #account(): Promise<string | undefined> {
    return this.#ports.google.address('gmail').catch(() => undefined);
  }

  #found(mail: OutboxMail, messageId: string): string {
    this.#markSent(mail);
    return messageId;
  }

  /** The event comes first: if the process dies in between, the mail is found again. */
  #markSent(mail: OutboxMail): void {
    this.#tell(mail, { state: 'sent' });
    this.#ports.storage.outbox.remove(mail.id);
  }

  #drop(mail: OutboxMail, why: Exclude<EventOf<'mail'>['why'], undefined>): void {
    this.#ports.storage.outbox.remove(mail.id);
    this.#tell(mail, { state: 'not_sent', why });
  }

  #tell({ id, callId, conversationId, recipients }: OutboxMail, news: MailNews): void {
    const { conversations, events } = this.#ports.storage;
    // The conversation may have been deleted permanently since.
    if (conversations.get(conversationId) === undefined) return;
    const event = { type: 'mail', id: callId, mail: id, recipients: recipients.length, ...news } as const;
    for (const stored of events.appendAll(conversationId, id, [event])) this.#listeners.tell(stored);
  }

  #tracked<T>(work: () => Promise<T>): Promise<T> {
    const done = work().finally(() => this.#underWay.delete(done));
    this.#underWay.add(done);
    return done;
  }
}

function leaseOf(id: string): string {
  return `outbox ${id}`;
}

function isOtherAccount<M extends Pick<OutboxMail, 'account'>>(
  mail: M,
  connected: string | undefined,
): mail is M & { readonly account: string } {
  return mail.account !== null && connected !== undefined && connected !== mail.account;
}

function identified({ id, recipients, subject, body }: OutboxMail): IdentifiedMail {
  return { id, to: recipients, subject, body };
}
