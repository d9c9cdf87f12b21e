import type { DecisionReason } from '../../src-preload/contract/decision-reason.ts';
import type { DecisionBy, Mark } from '../../src-preload/contract/events.ts';
import type { AccessClass, CallEffects } from './access.ts';
import type { JudgeInput } from './accesses/verdict.ts';
import type { KnownAddresses } from './known-addresses.ts';

/** `Assessed`: the call's effects, plus whatever the executor needs. */
export interface GateCall<Assessed extends CallEffects> extends KnownAddresses {
  readonly tool: string;
  readonly declaredClass: AccessClass;
  /** It sends text to a model that the user configured (`ask_{provider}`), whatever its name. */
  readonly asksModel: boolean;
  readonly input: Readonly<Record<string, unknown>>;
  /** The tool's own question; see `ToolConsentRequest`. */
  readonly asked?: string | undefined;
  readonly assessed: Assessed;
  /** Assesses the call again. May throw to refuse the call; `authorize` then rejects with that error. */
  reassess(): Promise<Assessed>;
  /** `null`: outside any conversation, so no conversation rule can be added. */
  readonly conversationId: string | null;
  /** Read again for every decision. */
  readonly marks: readonly Mark[];
  /** See `PolicyInput`. Default: unknown. */
  readonly outside?: JudgeInput['outside'];
  /** See `PolicyInput`. */
  readonly isOfSeenLink: boolean;
  /** See `PolicyInput`. Default: nobody. */
  readonly linkedBy?: readonly string[];
  /** See `ToolConsentRequest`. Default: none. */
  readonly defaulted?: readonly string[];
  /** See `ToolConsentRequest`. Default: nothing. */
  readonly said?: string;
  /** See `ToolConsentRequest`. Default: the model of the conversation, or the user. */
  readonly askedBy?: AskedBy | undefined;
}

/** The model that makes a call, if it is not the conversation's own. */
export interface AskedBy {
  /** Its name in config.json. */
  readonly provider: string;
  /** The tool that asked it. */
  readonly tool: string;
}

export interface Denied {
  readonly answer: 'deny';
  readonly by: DecisionBy;
  readonly reason: DecisionReason;
  readonly ruleId?: undefined;
  /** The call's result. */
  readonly text: string;
  /** What the user wrote with it, which is in `text` too. */
  readonly said?: string;
}
