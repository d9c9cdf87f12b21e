import { randomUUID } from 'node:crypto';
import type { ConsentPort, PairingConsentRequest } from './consent.ts';
import type { QuestionQueues } from './question-queues.ts';

export interface PairingConsentPorts {
  readonly consent: ConsentPort;
  /** The queues are shared with everything else that asks this user. */
  readonly questions: QuestionQueues;
}

/**
 * Asks whether a program may bring tools. It asks each time, since a name proves nothing: any program can call itself
 * `editor`. The caller limits how often a program may ask. Rejects with the signal's reason when aborted. Source:
 * design section 4 ("One gate").
 */
export async function confirmPairing(
  program: Pick<PairingConsentRequest, 'name' | 'version' | 'replaces' | 'running'>,
  { consent, questions }: PairingConsentPorts,
  signal: AbortSignal,
): Promise<boolean> {
  const request = { ...program, kind: 'pairing', id: randomUUID(), reason: { code: 'pairing' } } as const;
  // The user didn't request this, so it must not keep their own questions waiting.
  const origin = { conversationId: null, askedFor: 'call' } as const;
  const { answer } = await questions.run(origin, signal, () => consent.ask(request, signal));
  return answer === 'allow';
}
