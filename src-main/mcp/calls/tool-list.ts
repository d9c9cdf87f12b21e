import { setTimeout as delay } from 'node:timers/promises';
import type { Client, Tool } from '@modelcontextprotocol/client';
import type { LeftOutTool } from '../../../src-preload/contract/left-out-tools.ts';
import { canonicalText } from '../../base/canonical-json.ts';
import { errorMessage } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import type { MessageMending } from '../messages/message-mending.ts';
import { shownToolName } from '../messages/unusable-tool.ts';
import type { Handshake } from '../transport/handshake.ts';
import { listen } from '../transport/server-changes.ts';

/** A tool as its server describes it. */
export interface ServerTool {
  readonly name: string;
  /** The title that people are shown instead of the name. */
  readonly title?: string;
  readonly description: string;
  /** JSON Schema; the root's type is "object". */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** The server's claims about the effects of a call: they allow nothing. */
  readonly annotations: ToolClaims;
  /** The tool can only be called as a task. */
  readonly taskSupport?: 'required';
}

/** Source: https://modelcontextprotocol.io/specification/2025-11-25/schema#toolannotations. */
export interface ToolClaims {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** What a server offers. Kept across sessions. */
export interface ToolList {
  readonly tools: readonly ServerTool[];
  /** The server's instructions for the model. */
  readonly instructions?: string;
  /** What the server lists in addition and is not used. Absent if there is nothing. */
  readonly leftOut?: readonly LeftOutTool[];
}

/** Kept with the list; a server may list nothing else. */
const MAX_LEFT_OUT = 100;

/**
 * Reads all pages. A list that the SDK rejects is read again tool by tool, so that a malformed tool hides only itself.
 * Of tools with the same name, the first wins.
 */
export async function readToolList(
  { client, mending }: Pick<Handshake, 'client' | 'mending'>,
  signal: AbortSignal,
): Promise<ToolList> {
  const instructions = client.getInstructions();
  const options = { signal, cacheMode: 'refresh' } as const;
  const read = () => client.listTools(undefined, options);
  // The SDK prints a line when it is asked for the list of a server that has no tools.
  const hasTools = client.getServerCapabilities()?.tools !== undefined;
  const { tools } = hasTools ? await read().catch((error: unknown) => readMended(error, mending, read)) : { tools: [] };
  const byName = new Map<string, ServerTool>();
  const unused: LeftOutTool[] = [];
  for (const tool of tools) {
    const code = isForModels(tool) ? (byName.has(tool.name) ? 'same_name' : undefined) : 'for_app';
    if (code === undefined) byName.set(tool.name, serverTool(tool));
    else unused.push({ tool: shownToolName(tool), reason: { code } });
  }
  const leftOut = firstNamed([...mending.leftOut(tools.map(({ name }) => name)), ...unused]);
  return {
    tools: [...byName.values()],
    ...(instructions === undefined ? {} : { instructions }),
    ...(leftOut.length === 0 ? {} : { leftOut }),
  };
}

/**
 * Leaves out tools whose names look like those of others, as people see them: with the name of the server. A list
 * without such tools stays the same object.
 */
export function withoutLookAlikes(
  list: ToolList,
  server: string,
  looksBuiltIn: (offered: string) => boolean,
): ToolList {
  const alike = list.tools.filter(({ name }) => looksBuiltIn(`${server}__${name}`));
  if (alike.length === 0) return list;
  const unused = alike.map(({ name }) => ({
    tool: shownToolName({ name }),
    reason: { code: 'looks_built_in' } as const,
  }));
  return {
    ...list,
    tools: list.tools.filter((tool) => !alike.includes(tool)),
    leftOut: firstNamed([...(list.leftOut ?? []), ...unused]),
  };
}

/** The first few that were left out, with the number of the others. */
export function firstNamed(leftOut: readonly LeftOutTool[]): readonly LeftOutTool[] {
  const count = leftOut.length - MAX_LEFT_OUT;
  return count <= 0 ? leftOut : [...leftOut.slice(0, MAX_LEFT_OUT), { tool: '', reason: { code: 'more', count } }];
}

async function readMended<T>(error: unknown, mending: MessageMending, read: () => Promise<T>): Promise<T> {
  if (!isRefusedAnswer(error)) throw error;
  mending.leaveOutTools();
  return read();
}

/** Others are for the window of the server's own app. Source: MCP Apps (SEP-1865), `_meta.ui.visibility`. */
function isForModels({ _meta: meta }: Tool): boolean {
  const ui = meta?.ui;
  return !isRecord(ui) || !Array.isArray(ui.visibility) || ui.visibility.includes('model');
}

export function isSameList(a: ToolList, b: ToolList): boolean {
  return canonicalText(a) === canonicalText(b);
}

export interface ToolListReader {
  readonly read: () => Promise<void>;
  readonly log: (text: string) => void;
}

/** Reading again takes at most about a tenth of the time, however often a server reports a change. */
const REST_PER_READING = 10;
/** A slow server is not asked rarely: most of its time is not ours. */
const MAX_REST_MS = 10_000;

/**
 * Reads the tools again whenever the server reports a change, in the way of its era. At most one reading is in progress
 * and one pending.
 */
export function followToolList(client: Client, { read, log }: ToolListReader): void {
  if (client.getServerCapabilities()?.tools?.listChanged !== true) return;
  let reading: Promise<void> = Promise.resolve();
  let isWaiting = false;
  const changed = () => {
    if (isWaiting) return;
    isWaiting = true;
    reading = reading.then(async () => {
      isWaiting = false;
      const begunAt = performance.now();
      await read().catch((error: unknown) => log(errorMessage(error)));
      const restMs = REST_PER_READING * (performance.now() - begunAt);
      await delay(Math.min(restMs, MAX_REST_MS), undefined, { ref: false });
    });
  };
  client.setNotificationHandler('notifications/tools/list_changed', changed);
  // The later era only notifies subscribers.
  if (client.getProtocolEra() === 'modern')
    void listen(client, { filter: { toolsListChanged: true }, missed: changed, log });
}

function isRefusedAnswer(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'INVALID_RESULT';
}

function serverTool({ name, title, description = '', inputSchema, annotations, execution }: Tool): ServerTool {
  return {
    name,
    ...((title ?? annotations?.title) === undefined ? {} : { title: title ?? annotations?.title }),
    description,
    inputSchema: isRecord(inputSchema) ? inputSchema : { type: 'object' },
    annotations: claims(annotations),
    ...(execution?.taskSupport === 'required' ? { taskSupport: 'required' } : {}),
  };
}

function claims(annotations: Tool['annotations']): ToolClaims {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations ?? {};
  const given = Object.entries({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint });
  return Object.fromEntries(given.filter(([, claim]) => claim !== undefined));
}
