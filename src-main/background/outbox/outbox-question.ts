import { randomUUID } from 'node:crypto';
import type { AccountReason } from '../../../src-preload/contract/account-reason.ts';
import type { ConsentPort } from '../../policy/consent.ts';
import type { QuestionQueues } from '../../policy/question-queues.ts';
import { externalAmong } from '../../policy/recipients.ts';
import type { OutboxMail } from '../../storage/records/outbox.ts';
import { mailAddressText } from '../../tools/google/mail-addresses.ts';

export interface OutboxQuestionPorts {
  readonly consent: ConsentPort;
  readonly questions: QuestionQueues;
}

/** What the user is told about a mail. */
export interface OutboxQuestion extends Omit<Extract<AccountReason, { code: 'mail_unsettled' }>, 'code'> {
  /** The address of the account that would send it, if known. */
  readonly from?: string;
}

/** The question was `cut_off` if it ended before the user answered. With `nobody`, nobody can be asked. */
export type OutboxAnswer = 'send' | 'drop' | 'cut_off' | 'nobody';

/** Asks whether a mail is sent that may have been sent already. */
export async function askAboutMail(
  { conversationId, recipients, subject, body }: OutboxMail,
  { from, ...details }: OutboxQuestion,
  { consent, questions }: OutboxQuestionPorts,
  signal: AbortSignal,
): Promise<OutboxAnswer> {
  const outside = new Set(
    await externalAmong(
      recipients.map(({ address }) => address),
      from,
    ),
  );
  const request = {
    ...({ kind: 'mail', id: randomUUID(), conversationId, subject, body } as const),
    ...(from === undefined ? {} : { from }),
    reason: { code: 'mail_unsettled', ...details } as const,
    to: recipients.map(mailAddressText),
    external: recipients.filter(({ address }) => outside.has(address)).map(mailAddressText),
  };
  try {
    const given = await questions.run({ conversationId, askedFor: 'call' }, signal, () => consent.ask(request, signal));
    if (given.by === 'user') return given.answer === 'allow' ? 'send' : 'drop';
    // A flag can't know whether it was sent.
    return given.answer === 'deny' && given.reason?.code === 'consent_page_ended' ? 'cut_off' : 'nobody';
  } catch (error) {
    if (signal.aborted) return 'cut_off';
    throw error;
  }
}
