import { createHttpClient } from '../../../src-main/network/http-client.ts';
import type { ConsentAnswer, ConsentPort, ConsentRequest } from '../../../src-main/policy/consent.ts';
import { QuestionQueues } from '../../../src-main/policy/question-queues.ts';
import { MailOutbox } from '../../../src-main/services/outbox.ts';
import { openStorage } from '../../../src-main/storage/storage.ts';
import { OutgoingGmail } from '../../../src-main/tools/google/gmail-outgoing.ts';
import type { EventOf } from '../../../src-preload/contract/events.ts';

export interface OutboxRigOptions {
  readonly profile: string;
  /** Of googleapis. */
  readonly url: string;
  /** In order: the first is used, and given again with `rejected` gets the next one. */
  readonly tokens?: readonly string[];
  /** After these, the sign-in is gone. */
  readonly tokenRequests?: number;
  /** Why there is no token. */
  readonly signInFailure?: Error;
  readonly waitSeconds?: number;
  readonly answer?: (request: ConsentRequest, signal: AbortSignal) => Promise<ConsentAnswer>;
}

export const MAIL = {
  to: [{ name: 'Ada', address: 'ada@example.org' }],
  subject: 'Grüße',
  body: 'Does ten o’clock suit you?\n\n– B.',
};

export const SEND_AGAIN: ConsentAnswer = { answer: 'allow', scope: 'once', by: 'user' };
export const DROP: ConsentAnswer = { answer: 'deny', by: 'user' };

/** A real outbox on a real profile, with a sign-in that is just there. Runs in tests and in processes that tests kill. */
export async function outboxRig({
  profile,
  url,
  tokens = ['ya29.fixture'],
  tokenRequests = Number.POSITIVE_INFINITY,
  signInFailure = new Error('There is no sign-in to Google'),
  waitSeconds = 0,
  answer,
}: OutboxRigOptions) {
  const storage = await openStorage({ directory: profile });
  const [first] = storage.conversations.list();
  const conversationId = (first ?? storage.conversations.create({ workspace: '/tmp', model: 'guide' })).id;
  const http = createHttpClient();
  const asked: ConsentRequest[] = [];
  const askedForToken: { readonly isQuiet: boolean }[] = [];
  const consent: ConsentPort = {
    ask: async (request, signal) => {
      asked.push(request);
      return answer?.(request, signal) ?? { answer: 'deny', by: 'default' };
    },
  };
  const account = { address: 'me@example.com' };
  const faults: unknown[] = [];
  const google = {
    token: async (_: 'gmail' | 'calendar', { rejected, isQuiet = false }: { rejected?: string; isQuiet?: boolean }) => {
      askedForToken.push({ isQuiet });
      const token = tokens[rejected === undefined ? 0 : tokens.indexOf(rejected) + 1];
      if (token === undefined || askedForToken.length > tokenRequests) throw signInFailure;
      return token;
    },
  };
  const outbox = new MailOutbox({
    ...{ storage, consent, questions: new QuestionQueues(), waitSeconds: () => waitSeconds, lookAfterMs: [0, 20, 40] },
    google: { address: async () => account.address },
    onFault: (error) => void faults.push(error),
    gmail: new OutgoingGmail({ http, google, baseUrl: () => url }),
  });
  const news = () =>
    storage.events
      .read(conversationId)
      .filter((event): event is typeof event & EventOf<'mail'> => event.type === 'mail');
  return {
    ...{ conversationId, storage, outbox, asked, askedForToken, news, faults },
    /** The connected one, which a test may change. */
    account,
    /** Of the mail, in order. */
    states: () => news().map(({ state, why }) => (why === undefined ? state : `${state}: ${why}`)),
    send: (signal = new AbortController().signal) => outbox.send(MAIL, { conversationId, callId: 'call-1', signal }),
    close: async () => {
      outbox.keep();
      await http.close();
      await outbox.close();
      await storage.close();
    },
  };
}
