import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { EventOf, StoredEvent } from '../../src-preload/contract/events.ts';
import { errorMessage } from '../base/errors.ts';
import type { ConsentPort } from '../policy/consent.ts';
import type { QuestionQueues } from '../policy/question-queues.ts';
import { externalAmong } from '../policy/recipients.ts';
import type { OutboxMail } from '../storage/records/outbox.ts';
import type { Storage } from '../storage/storage.ts';
import { type GoogleAccounts, MailNotSent, type Outbox, type SendingCall } from '../tools/contract.ts';
import type { IdentifiedMail, OutgoingGmail, SendOutcome } from '../tools/google/gmail-outgoing.ts';
import { mailAddressText } from '../tools/google/mail-addresses.ts';
import type { OutgoingMail } from '../tools/google/outgoing-mail.ts';
import { OutboxClock } from './outbox-clock.ts';

export interface OutboxPorts {
  readonly storage: Pick<Storage, 'outbox' | 'events' | 'conversations' | 'leases'>;
  readonly gmail: Pick<OutgoingGmail, 'signIn' | 'send' | 'findSent'>;
  readonly google: Pick<GoogleAccounts, 'address'>;
  readonly consent: ConsentPort;
  readonly questions: QuestionQueues;
  /** How long a mail waits. */
  readonly waitSeconds: () => number;
  /** When to look for a mail after an answer of Gmail was lost. Default: after 1, 4 and 10 seconds. */
  readonly lookAfterMs?: readonly number[];
}

/** What ends the wait. */
type Step = 'send' | 'undone' | 'stopped' | 'kept';

interface Waiting {
  readonly mail: OutboxMail;
  readonly clock: OutboxClock;
  end(step: Step): void;
}

type MailNews = Pick<EventOf<'mail'>, 'state' | 'why' | 'dueAt'>;

/** `not_found`: it is not among the sent mail. `not_checked`: Gmail could not be asked. */
type Check = { readonly found: string } | { readonly found: null; readonly check: 'not_found' | 'not_checked' };

/**
 * Approved mail on its way out. A row is committed before the wait, and marked before the request that sends it, so a mail whose process died is
 * neither lost nor sent twice: it is looked for among the sent mail, and if it is not there, the user decides. A lease per mail keeps other
 * processes on this profile away from it. Source: docs/decisions/036-outbox.md.
 */
export class MailOutbox implements Outbox {
  readonly #ports: OutboxPorts;
  readonly #waiting = new Map<string, Waiting>();
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #listeners = new Set<(event: StoredEvent) => void>();
  readonly #closing = new AbortController();
  #isHeld = false;

  constructor(ports: OutboxPorts) {
    this.#ports = ports;
  }

  /** How many mails wait in this process. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Called with each committed event. Returns a function that unsubscribes. */
  onEvent(listener: (event: StoredEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  send(mail: OutgoingMail, call: SendingCall): Promise<string> {
    return this.#tracked(async () => {
      // A question about the sign-in belongs right after the approval, not after the wait.
      await this.#ports.gmail.signIn(call);
      const id = randomUUID();
      const lease = this.#ports.storage.leases.acquire(leaseOf(id));
      if (!('release' in lease)) throw new TypeError(`The new mail ${id} is held by another process`);
      try {
        return await this.#sendApproved(mail, id, call);
      } finally {
        lease.release();
      }
    });
  }

  /** Sends a waiting mail at once. False: it no longer waits here. */
  sendNow(id: string): boolean {
    return this.#end(id, 'send');
  }

  /** The mail is not sent. False: it no longer waits here. */
  undo(id: string): boolean {
    return this.#end(id, 'undone');
  }

  /** Stops the clocks of waiting mail while the user decides about it. The returned function lets them go on. */
  hold(): () => void {
    this.#isHeld = true;
    for (const { clock } of this.#waiting.values()) clock.stop();
    return () => {
      this.#isHeld = false;
      for (const { mail, clock } of this.#waiting.values())
        this.#tell(mail, { state: 'waiting', dueAt: new Date(Date.now() + clock.run()).toISOString() });
    };
  }

  /** Sends all waiting mail at once, or none of it. Resolves when nothing is being sent any more. */
  async endWait(sends: boolean): Promise<void> {
    for (const id of [...this.#waiting.keys()]) this.#end(id, sends ? 'send' : 'undone');
    await this.#settled();
  }

  /** Keeps waiting mail for the next start: nothing more is sent from here. */
  keep(): void {
    this.#closing.abort(new Error('Steward is closing'));
    for (const id of [...this.#waiting.keys()]) this.#end(id, 'kept');
  }

  /** The same. Resolves when nothing here uses the network or the database. */
  async close(): Promise<void> {
    this.keep();
    await this.#settled();
  }

  /**
   * Settles mail of processes that ended before its fate was known: looks for it among the sent mail, else asks the user. Mail that a running
   * process handles is left alone. `conversationId`: only mail of this conversation. Never opens a browser on its own. Rejects only with
   * `StorageError`.
   */
  async recover(signal: AbortSignal, conversationId?: string): Promise<void> {
    const stop = AbortSignal.any([signal, this.#closing.signal]);
    const mails = this.#ports.storage.outbox.list();
    const chosen = mails.filter((mail) => conversationId === undefined || mail.conversationId === conversationId);
    await Promise.all(chosen.map((mail) => this.#tracked(() => this.#recoverOne(mail.id, stop))));
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
    outbox.add({ id, conversationId, callId, recipients, subject, body, dueAt });
    const kept = outbox.get(id);
    if (kept === undefined) throw new TypeError(`The new mail ${id} is not in the outbox`);
    this.#tell(kept, { state: 'waiting', dueAt });
    const step = await this.#wait(kept, waitMs, signal);
    if (step === 'kept') throw new MailNotSent('kept');
    if (step !== 'send') {
      this.#drop(kept, step);
      throw new MailNotSent(step);
    }
    return this.#deliver(kept, signal);
  }

  /** The first attempt of a call. */
  async #deliver(mail: OutboxMail, signal: AbortSignal): Promise<string> {
    const outcome = await this.#attempt(mail, signal);
    if (outcome.kind === 'sent') return outcome.messageId;
    if (outcome.kind === 'not_sent') {
      this.#drop(mail, 'refused');
      throw new MailNotSent('refused', outcome.message);
    }
    const stop = AbortSignal.any([signal, this.#closing.signal]);
    const settled = await this.#settle(mail, stop, { isQuiet: false, problem: outcome.message });
    if (typeof settled === 'string') return settled;
    throw settled;
  }

  /** One request, on the user's word. There has to be a token before the mail is marked: without one, nothing is sent. */
  async #attempt(mail: OutboxMail, signal: AbortSignal): Promise<SendOutcome> {
    const { storage, gmail } = this.#ports;
    try {
      await gmail.signIn({ signal });
    } catch (error) {
      return { kind: 'not_sent', message: errorMessage(error) };
    }
    if (!storage.outbox.markSending(mail.id)) return { kind: 'not_sent', message: 'it is no longer there' };
    this.#tell(mail, { state: 'sending' });
    // Not stopped halfway: no one would know whether it was sent.
    const outcome = await gmail.send(identified(mail), { signal: new AbortController().signal, isQuiet: true });
    if (outcome.kind === 'sent') this.#markSent(mail);
    else if (outcome.kind === 'not_sent') storage.outbox.markWaiting(mail.id);
    return outcome;
  }

  /** Of a mail that may have been sent: Gmail's id once it is known or sent again, or why it is not sent. */
  async #settle(
    mail: OutboxMail,
    signal: AbortSignal,
    { isQuiet, problem }: { readonly isQuiet: boolean; readonly problem?: string },
  ): Promise<string | MailNotSent> {
    let message = problem ?? '';
    for (;;) {
      const now = this.#ports.storage.outbox.get(mail.id);
      if (now === undefined) return new MailNotSent('dropped');
      const check = await this.#look(mail, signal, isQuiet);
      if (check.found !== null) {
        this.#markSent(mail);
        return check.found;
      }
      // Then no request has left.
      const isBegun = now.state === 'sending';
      if (isBegun) this.#tell(mail, { state: 'unsure' });
      const answer = await this.#ask(mail, isBegun ? check.check : 'not_begun', message, signal);
      if (answer === 'unanswered') return new MailNotSent('unknown', message);
      if (answer === 'drop') {
        this.#drop(mail, 'dropped');
        return new MailNotSent('dropped');
      }
      const outcome = await this.#attempt(mail, signal);
      if (outcome.kind === 'sent') return outcome.messageId;
      message = outcome.message;
    }
  }

  async #recoverOne(id: string, signal: AbortSignal): Promise<void> {
    const { storage } = this.#ports;
    const lease = storage.leases.acquire(leaseOf(id));
    if (!('release' in lease)) return;
    try {
      const mail = storage.outbox.get(id);
      if (mail !== undefined) await this.#settle(mail, signal, { isQuiet: true });
    } finally {
      lease.release();
    }
  }

  /** Sent mail may take a moment to appear. */
  async #look(mail: OutboxMail, signal: AbortSignal, isQuiet: boolean): Promise<Check> {
    const { gmail, lookAfterMs = [1_000, 3_000, 6_000] } = this.#ports;
    let check: 'not_found' | 'not_checked' = 'not_checked';
    for (const delayMs of isQuiet ? [0] : lookAfterMs) {
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

  async #ask(
    { conversationId, recipients, subject, body }: OutboxMail,
    check: 'not_begun' | 'not_found' | 'not_checked',
    problem: string,
    signal: AbortSignal,
  ): Promise<'send' | 'drop' | 'unanswered'> {
    const { consent, questions, google } = this.#ports;
    const reason = { code: 'mail_unsettled', check, problem } as const;
    const own = await google.address('gmail').catch(() => undefined);
    const outside = new Set(
      await externalAmong(
        recipients.map(({ address }) => address),
        own,
      ),
    );
    const to = recipients.map(mailAddressText);
    const external = recipients.filter(({ address }) => outside.has(address)).map(mailAddressText);
    const request = { kind: 'mail', id: randomUUID(), reason, to, external, subject, body, conversationId } as const;
    try {
      const { answer, by } = await questions.run({ conversationId, askedFor: 'call' }, signal, () =>
        consent.ask(request, signal),
      );
      // A flag can't know whether it was sent.
      if (by !== 'user') return 'unanswered';
      return answer === 'allow' ? 'send' : 'drop';
    } catch (error) {
      if (signal.aborted) return 'unanswered';
      throw error;
    }
  }

  async #wait(mail: OutboxMail, waitMs: number, signal: AbortSignal): Promise<Step> {
    if (this.#closing.signal.aborted) return 'kept';
    if (waitMs === 0) return signal.aborted ? 'stopped' : 'send';
    return new Promise<Step>((resolve) => {
      const end = (step: Step) => {
        clock.stop();
        signal.removeEventListener('abort', onStop);
        this.#waiting.delete(mail.id);
        resolve(step);
      };
      const onStop = () => end(this.#closing.signal.aborted ? 'kept' : 'stopped');
      const clock = new OutboxClock(waitMs, () => end('send'));
      this.#waiting.set(mail.id, { mail, clock, end });
      if (!this.#isHeld) clock.run();
      signal.addEventListener('abort', onStop, { once: true });
      if (signal.aborted) onStop();
    });
  }

  #end(id: string, step: Step): boolean {
    const waiting = this.#waiting.get(id);
    waiting?.end(step);
    return waiting !== undefined;
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
    // It may have been deleted permanently since.
    if (conversations.get(conversationId) === undefined) return;
    const event = { type: 'mail', id: callId, mail: id, recipients: recipients.length, ...news } as const;
    for (const stored of events.appendAll(conversationId, id, [event]))
      for (const listener of this.#listeners) listener(stored);
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

function identified({ id, recipients, subject, body }: OutboxMail): IdentifiedMail {
  return { id, to: recipients, subject, body };
}
