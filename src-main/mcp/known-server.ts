import type { DiscoverResult } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { LeftOutTool } from '../../src-preload/contract/left-out-tools.ts';
import { isRecord } from '../base/json.ts';
import type { ToolList } from './calls/tool-list.ts';
import { faultOfTool } from './messages/unusable-tool.ts';
import type { Era } from './transport/handshake.ts';

/** What is known about a server from an earlier session. */
export interface KnownServer extends ToolList {
  /** Absent if the era has to be detected again. */
  readonly era?: Era;
}

/** A server may have been upgraded to the later era, so an older-era result is probed again after this time. */
const LEGACY_FOR_MS = 7 * 24 * 60 * 60 * 1_000;

const claim = z.boolean().optional();

const shape = z.object({
  tools: z.array(
    z.object({
      name: z.string(),
      title: z.string().optional(),
      description: z.string(),
      inputSchema: z.record(z.string(), z.unknown()),
      annotations: z.object({
        readOnlyHint: claim,
        destructiveHint: claim,
        idempotentHint: claim,
        openWorldHint: claim,
      }),
      taskSupport: z.literal('required').optional(),
    }),
  ),
  instructions: z.string().optional(),
  leftOut: z.array(z.custom<LeftOutTool>(isLeftOutTool)).optional(),
  era: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('legacy') }),
    z.object({
      kind: z.literal('modern'),
      discover: z.custom<DiscoverResult>(isDiscoverResult),
    }),
  ]),
});

/** Parses what was stored about a server; `undefined` if it is unusable. */
export function parseKnownServer(offered: unknown, learnedAt: string, now: Date): KnownServer | undefined {
  const { success, data } = shape.safeParse(offered);
  if (!success) return undefined;
  // An earlier version may have stored it; what is left out is said once the server has listed its tools again.
  data.tools = data.tools.filter((tool) => faultOfTool(tool) === undefined);
  const isRecent = now.getTime() - Date.parse(learnedAt) < LEGACY_FOR_MS;
  if (data.era.kind === 'modern' || isRecent) return data;
  const { era: _, ...list } = data;
  return list;
}

function isLeftOutTool(value: unknown): value is LeftOutTool {
  return isRecord(value) && typeof value.tool === 'string' && isRecord(value.reason);
}

/** The SDK validates the rest when it uses it. */
function isDiscoverResult(value: unknown): value is DiscoverResult {
  return isRecord(value) && Array.isArray(value.supportedVersions) && isRecord(value.capabilities);
}
