import type { DecisionReason } from '../../src-preload/contract/decision-reason.ts';
import type { DecisionBy, Mark } from '../../src-preload/contract/events.ts';
import type { AccessClass, CallEffects } from './access.ts';
import type { KnownAddresses } from './known-addresses.ts';

/** `Assessed`: what the call would touch, with whatever else whoever runs it needs of that. */
export interface GateCall<Assessed extends CallEffects> extends KnownAddresses {
  readonly tool: string;
  readonly declaredClass: AccessClass;
  /** It hands text to a model that the user configured (`ask_{provider}`), whatever its name. */
  readonly asksModel: boolean;
  readonly input: Readonly<Record<string, unknown>>;
  /** The tool's own question; see `ToolConsentRequest`. */
  readonly asked?: string | undefined;
  readonly assessed: Assessed;
  /** What the call would touch now. May throw to refuse the call; `authorize` then rejects with that. */
  reassess(): Promise<Assessed>;
  /** `null`: outside any conversation; then no rule can be kept for one. */
  readonly conversationId: string | null;
  /** Read anew at every decision. */
  readonly marks: readonly Mark[];
  /** See `PolicyInput`. */
  readonly isOfSeenLink: boolean;
  /** See `ToolConsentRequest`. Default: none. */
  readonly defaulted?: readonly string[];
  /** See `ToolConsentRequest`. Default: nothing. */
  readonly said?: string;
}

export interface Denied {
  readonly answer: 'deny';
  readonly by: DecisionBy;
  readonly reason: DecisionReason;
  readonly ruleId?: undefined;
  /** The call's result. */
  readonly text: string;
  /** The part of it that is the person's word to the model, for a call that has an answer of its own. */
  readonly said?: string;
}
