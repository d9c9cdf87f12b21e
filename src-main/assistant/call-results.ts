import type { DecisionReason } from '../../src-preload/contract/decision-reason.ts';
import type { CalledBy, CallOutcome, Mark } from '../../src-preload/contract/events.ts';
import type { Tool, ToolResult } from '../tools/contract.ts';
import { type ResultDetails, resultEvent } from './call-result.ts';
import type { ToolCallServices } from './call-services.ts';
import type { ConversationLog } from './conversation-log.ts';

/** Why a call without a decision of the policy has none. */
export interface Refusal {
  readonly reason: DecisionReason;
  readonly text: string;
  readonly outcome: CallOutcome;
  readonly marks?: readonly Mark[];
  /** The folder that would have to be granted for it. */
  readonly grantableFolder?: string | undefined;
}

/** Commits how the calls of one message ended. */
export class CallResults {
  readonly #log: ConversationLog;
  readonly #calledBy: CalledBy;
  readonly #services: Pick<ToolCallServices, 'knownSecrets' | 'maxResultChars'>;

  constructor(
    log: ConversationLog,
    calledBy: CalledBy,
    services: Pick<ToolCallServices, 'knownSecrets' | 'maxResultChars'>,
  ) {
    this.#log = log;
    this.#calledBy = calledBy;
    this.#services = services;
  }

  commit(id: string, tool: Tool | undefined, result: ToolResult, details: ResultDetails): void {
    this.#log.append(resultEvent({ id, tool, calledBy: this.#calledBy }, result, details, this.#services));
  }

  refuse(id: string, tool: Tool | undefined, { reason, text, grantableFolder, ...details }: Refusal): void {
    const grantable = grantableFolder === undefined ? {} : { grantableFolder };
    this.#log.append({ type: 'decision', id, answer: 'deny', by: 'default', reason, ...grantable });
    this.commit(id, tool, { text, isError: true }, details);
  }
}
