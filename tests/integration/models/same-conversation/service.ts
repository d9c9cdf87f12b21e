import type { ModelProvider } from '../../../../src-main/models/provider.ts';
import type { ScriptedTurn } from '../../../fixtures/messages-api/script.ts';

/**
 * One provider in front of its strict fixture server. A provider of another vendor joins by a file like those beside
 * this one.
 */
export interface ServiceUnderTest {
  /** The name of the provider. */
  readonly name: string;
  readonly model: string;
  readonly provider: ModelProvider;
  /** Bodies of all requests so far, refused ones too. */
  readonly bodies: () => readonly unknown[];
  /** The wire format has no refusal: a model that won't answer says so in words. */
  readonly neverRefuses?: true;
}

/** `answer` gives the next answer, in the words of the Messages API fixture. The service ends with the test. */
export type StartService = (answer: () => ScriptedTurn) => Promise<ServiceUnderTest>;

/** What repeats a failed request does so at once. */
export const AT_ONCE = { random: () => 0.5, sleep: async () => undefined };
