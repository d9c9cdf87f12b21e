import type { MailState, WhyNotSent } from './outbox.ts';

const NOT_SENT: Readonly<Record<WhyNotSent, string>> = {
  undone: 'Not sent: you undid it',
  stopped: 'Not sent: you stopped it',
  refused: 'Not sent',
  dropped: 'Not sent: you decided against it',
};

const STATES: Readonly<Record<Exclude<MailState, 'not_sent'>, string>> = {
  waiting: 'Waiting to be sent',
  sending: 'Sending',
  sent: 'Sent',
  unsure: 'Not known whether it was sent',
};

/** The state in words: `Not sent: you undid it`. */
export function mailStateText({ state, why }: { readonly state: MailState; readonly why?: WhyNotSent }): string {
  return state === 'not_sent' ? NOT_SENT[why ?? 'refused'] : STATES[state];
}
