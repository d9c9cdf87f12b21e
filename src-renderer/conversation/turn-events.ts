import type { ShownEvent } from '../../src-preload/contract/conversations.ts';
import type { AppEvents } from '../../src-preload/contract/index.ts';
import type { ToolCard } from '../../src-preload/contract/tool-card.ts';

export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly mediaType: string; readonly data: string };

export interface Mark {
  readonly kind: 'untrusted' | 'private';
  readonly source: string;
}

export interface Decision {
  readonly answer: 'allow' | 'deny';
  readonly by: 'default' | 'rule' | 'flag' | 'user';
  readonly reason: string;
  readonly grantableFolder?: string;
}

export interface Usage {
  readonly model: string;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly costUsd?: number;
}

interface Committed {
  readonly seq: number;
  readonly turnId: string;
  readonly at: string;
}

/** Those fields of the log's events that the chat shows. The contract carries them loosely; main is trusted to send these shapes. */
export type LogEvent = Committed &
  (
    | { readonly type: 'user_message'; readonly content: readonly ContentBlock[]; readonly isCommand?: true }
    | { readonly type: 'round_start'; readonly model: string }
    | { readonly type: 'text_delta'; readonly text: string }
    | {
        readonly type: 'block';
        readonly block:
          | { readonly type: 'text'; readonly text: string }
          | { readonly type: 'thinking'; readonly thinking: string }
          | { readonly type: 'redacted_thinking' }
          | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: ToolInput };
      }
    | { readonly type: 'round_end'; readonly stopReason: string }
    | { readonly type: 'tool_call'; readonly id: string; readonly name: string; readonly input: ToolInput }
    | ({ readonly type: 'decision'; readonly id: string } & Decision)
    | ({ readonly type: 'tool_result'; readonly id: string } & ToolResult)
    | { readonly type: 'undo'; readonly calls: readonly string[]; readonly paths: readonly string[] }
    | ({ readonly type: 'usage' } & Usage)
    | { readonly type: 'notice' | 'error'; readonly code: string; readonly message: string }
    | { readonly type: 'compaction'; readonly summary: string }
    | { readonly type: 'retry'; readonly afterSeq: number }
    | { readonly type: 'turn_end'; readonly stopReason: string }
  );

export type ToolInput = Readonly<Record<string, unknown>>;

export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
  readonly marks?: readonly Mark[];
  readonly elapsedMs?: number;
  /** Characters of the whole result, where `text` is only its beginning. */
  readonly textLength?: number;
  /** What a command printed last, where `text` is only the beginning. */
  readonly textEnd?: string;
  readonly card?: ToolCard;
  /** Paths that it changed and whose state before is kept. */
  readonly changed?: readonly string[];
}

/** What is worth seeing while it happens and is not kept. */
export type LiveEvent = Exclude<AppEvents['turn']['event'], ShownEvent>;

export function isLiveOnly(event: AppEvents['turn']['event']): event is LiveEvent {
  return !('seq' in event);
}

export function asLogEvent(event: ShownEvent): LogEvent {
  return event as unknown as LogEvent;
}
