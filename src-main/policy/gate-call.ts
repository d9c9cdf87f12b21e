import type { DecisionReason } from '../../src-preload/contract/decision-reason.ts';
import type { DecisionBy, Mark } from '../../src-preload/contract/events.ts';
import type { AccessClass, CallEffects } from './access.ts';
import type { JudgeInput } from './accesses/verdict.ts';
import type { KnownAddresses } from './known-addresses.ts';

/** One call as it comes to the gate. `Assessed` is its effects, plus whatever its executor needs. */
export interface GateCall<Assessed extends CallEffects> extends KnownAddresses {
  readonly tool: string;
  readonly declaredClass: AccessClass;
  /**
   * The call sends text to a model that the user configured (`ask_{provider}`). The tool's name alone doesn't decide
   * this.
   */
  readonly asksModel: boolean;
  readonly input: Readonly<Record<string, unknown>>;
  /** The tool's own question; see `ToolConsentRequest`. */
  readonly asked?: string | undefined;
  readonly assessed: Assessed;
  /** Assesses the call again. It may throw to refuse the call, and `authorize` then rejects with that error. */
  reassess(): Promise<Assessed>;
  /** The conversation of the call. Null if it belongs to none, and then no rule for a conversation can be added. */
  readonly conversationId: string | null;
  /** The marks are read again for every decision, because another call of the same message may have set one. */
  readonly marks: readonly Mark[];
  /** The places at which text from outside came in; see `JudgeInput`. Without this, they are unknown. */
  readonly outside?: JudgeInput['outside'];
  /** Whether the call follows a link that was seen; see `JudgeInput`. */
  readonly isOfSeenLink: boolean;
  /** The senders whose mails contain the link that the call follows; see `JudgeInput`. Without this, there are none. */
  readonly linkedBy?: readonly string[];
  /** The arguments with default values; see `ToolConsentRequest`. Without this, there are none. */
  readonly defaulted?: readonly string[];
  /** The model's own reason for the call; see `ToolConsentRequest`. Without this, it gave none. */
  readonly said?: string;
  /** The model that makes the call, if it is not the one of the conversation; see `ToolConsentRequest`. */
  readonly askedBy?: AskedBy | undefined;
}

/** A model other than the conversation's own, which makes a call. */
export interface AskedBy {
  /** The provider's name in config.json. */
  readonly provider: string;
  /** The tool whose call asked that model. */
  readonly tool: string;
}

export interface Denied {
  readonly answer: 'deny';
  readonly by: DecisionBy;
  readonly reason: DecisionReason;
  readonly ruleId?: undefined;
  /** The result of the call, as the model gets it. */
  readonly text: string;
  /** The user's feedback, which `text` contains too. */
  readonly said?: string;
}
