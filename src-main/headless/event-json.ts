import { type DecisionReason, decisionReasonText } from '../../src-preload/contract/decision-reason.ts';
import type {
  CalledBy,
  CallOutcome,
  CallProgress,
  EventOf,
  LiveEvent,
  StoredEvent,
} from '../../src-preload/contract/events.ts';
import { type FileChanges, notKeptText } from '../../src-preload/contract/file-changes.ts';
import { serverRequestText } from '../../src-preload/contract/server-request.ts';
import { grouped, shortened } from '../base/text.ts';
import type { ToClient } from '../client-tools/protocol/messages.ts';

/** Limit for a server's message about its progress. */
const MAX_MESSAGE_LENGTH = 1_000;

/**
 * The events of `ask --json`, one per line. An interface that scripts rely on: shapes are fixed, fields may only be
 * added. Source: design section 7.
 */
export type AskEvent =
  | { readonly type: 'start'; readonly conversationId: string; readonly model: string }
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'tool_call';
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
      /** Id of the call of `ask_{provider}` whose model made this one. */
      readonly inside?: string;
    }
  | {
      readonly type: 'decision';
      readonly id: string;
      readonly answer: 'allow' | 'deny';
      readonly by: 'default' | 'rule' | 'grant' | 'flag' | 'user';
      readonly reason: string;
      /** What `reason` says, for scripts: see `DecisionReason`. */
      readonly reasonCode: DecisionReason['code'];
    }
  /** What a server says about a call that is still running; not kept. */
  | ({ readonly type: 'progress'; readonly id: string } & CallProgress)
  | {
      readonly type: 'tool_result';
      readonly id: string;
      readonly text: string;
      readonly isError: boolean;
      readonly outcome: CallOutcome;
      readonly exitCode?: number;
      readonly calledBy: CalledBy;
    }
  /** What changed on the disk while a call ran. A later one of the same call replaces it. */
  | ({
      readonly type: 'changes';
      readonly notKept: readonly { readonly path: string; readonly reason: string }[];
    } & Omit<FileChanges, 'notKept'>)
  | {
      readonly type: 'usage';
      readonly model: string;
      readonly input: number;
      readonly output: number;
      readonly cacheRead: number;
      readonly cacheWrite: number;
      readonly costUsd?: number;
      /** Name in config.json. */
      readonly provider?: string;
      /** Id of the call of `ask_{provider}` that it is for. */
      readonly inside?: string;
    }
  /** These occur only with `--client`. */
  | ToClient
  | { readonly type: 'notice'; readonly code: string; readonly message: string }
  | { readonly type: 'error'; readonly code: string; readonly message: string }
  | { readonly type: 'done'; readonly stopReason: string };

/** `undefined` for events that `ask` does not print. `done` is printed by the caller, after everything else. */
export function toAskEvent(event: StoredEvent): AskEvent | undefined {
  switch (event.type) {
    case 'text_delta':
      return { type: 'text', text: event.text };
    case 'tool_call':
      return {
        type: 'tool_call',
        id: event.id,
        name: event.name,
        input: event.input,
        ...defined({ inside: event.inside }),
      };
    case 'decision': {
      const { id, answer, by, ruleId, grantableFolder } = event;
      const reason = decisionReasonText(event.reason);
      const reasonCode = event.reason.code;
      return { type: 'decision', id, answer, by, reason, reasonCode, ...defined({ ruleId, grantableFolder }) };
    }
    case 'tool_result': {
      const { id, text, isError, outcome, exitCode, calledBy } = event;
      return { type: 'tool_result', id, text, isError, outcome, ...defined({ exitCode }), calledBy };
    }
    case 'changes': {
      const { id, files, notKept, counts, massDeleted, isRunning, isFoundLater } = event;
      const reasons = notKept.map(({ path, why }) => ({ path, reason: notKeptText(why) }));
      return {
        type: 'changes',
        id,
        files,
        notKept: reasons,
        counts,
        ...defined({ massDeleted, isRunning, isFoundLater }),
      };
    }
    case 'usage': {
      const { model, input, output, cacheRead, cacheWrite, costUsd, provider, inside } = event;
      const more = defined({ costUsd, provider, inside });
      return { type: 'usage', model, input, output, cacheRead, cacheWrite, ...more };
    }
    case 'server_request':
      return { type: 'notice', code: 'server_request', message: serverRequestText(event) };
    case 'notice':
      return { type: 'notice', code: event.code, message: event.message };
    case 'retry': {
      const message = changesKeptText(event);
      return message === undefined ? undefined : { type: 'notice', code: 'changes_kept', message };
    }
    case 'error':
      return { type: 'error', code: event.code, message: event.message };
    default:
      return undefined;
  }
}

/** Undefined if `ask` prints nothing for the event. */
export function toProgressEvent(event: LiveEvent): AskEvent | undefined {
  if (event.type !== 'tool_output' || event.progress === undefined) return undefined;
  const { progress, total, message } = event.progress;
  const said = message === undefined ? undefined : shortened(message, MAX_MESSAGE_LENGTH);
  return { type: 'progress', id: event.id, progress, ...defined({ total, message: said }) };
}

/**
 * What an answer that is tried again leaves changed, and how each change is taken back. Undefined if it leaves nothing.
 */
export function changesKeptText({ kept = [] }: EventOf<'retry'>): string | undefined {
  if (kept.length === 0) return undefined;
  const calls = kept.map(({ id, paths, count = paths.length }) => {
    const more = count > paths.length ? ` and ${grouped(count - paths.length)} more` : '';
    return `${paths.join(', ')}${more} (/undo ${id})`;
  });
  return `Kept from the earlier answer: ${calls.join('; ')}.`;
}

function defined<T extends Record<string, unknown>>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
