import type { Client } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { LeftOutTool } from '../../../src-preload/contract/left-out-tools.ts';
import { isRecord } from '../../base/json.ts';
import type { ServerRequestOptions } from '../calls/tool-call.ts';
import { shownToolName } from '../messages/unusable-tool.ts';

/** The limit for each list and server. The rest is left out. */
export const MAX_LISTED = 20_000;
const MAX_PAGES = 1_000;

const text = z.string();
/** A text only shown to people may be missing or malformed. */
const shownText = text.optional().catch(undefined);

const resource = z.object({
  uri: text.min(1),
  name: text,
  title: shownText,
  description: shownText,
  mimeType: shownText,
  size: z.number().optional().catch(undefined),
});
/** A resource that can be read. All its texts are the server's. */
export type ServerResource = z.infer<typeof resource>;

const template = z.object({
  uriTemplate: text.min(1),
  name: text,
  title: shownText,
  description: shownText,
  mimeType: shownText,
});
/** A resource with a parameterized URI (RFC 6570). */
export type ResourceTemplate = z.infer<typeof template>;

const promptArgument = z.object({
  name: text.min(1),
  title: shownText,
  description: shownText,
  required: z.boolean().optional().catch(undefined),
});
const prompt = z.object({
  name: text.min(1),
  title: shownText,
  description: shownText,
  arguments: z.array(promptArgument).optional(),
});
export type ServerPrompt = z.infer<typeof prompt>;

const KINDS = {
  resources: { method: 'resources/list', item: resource },
  resourceTemplates: { method: 'resources/templates/list', item: template },
  prompts: { method: 'prompts/list', item: prompt },
} as const;

export type ContentKind = keyof typeof KINDS;

export interface ContentLists {
  readonly resources: readonly ServerResource[];
  readonly resourceTemplates: readonly ResourceTemplate[];
  readonly prompts: readonly ServerPrompt[];
}

/** `given` is what it looked like. */
export type Skipped = (leftOut: LeftOutTool, given?: string) => void;

/**
 * All pages of one list; empty if the server has none. A malformed item hides only itself. `skipped` receives what was
 * left out.
 */
export async function readContentList<Kind extends ContentKind>(
  client: Client,
  kind: Kind,
  options: ServerRequestOptions,
  skipped: Skipped,
): Promise<ContentLists[Kind]>;
export async function readContentList(
  client: Client,
  kind: ContentKind,
  options: ServerRequestOptions,
  skipped: Skipped,
): Promise<readonly unknown[]> {
  const { method, item } = KINDS[kind];
  const has = client.getServerCapabilities()?.[kind === 'prompts' ? 'prompts' : 'resources'] !== undefined;
  if (!has) return [];
  const page = z.looseObject({ [kind]: z.array(z.unknown()), nextCursor: z.string().optional().catch(undefined) });
  const found: unknown[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const params = cursor === undefined ? {} : { cursor };
    const answer: Record<string, unknown> = await client.request({ method, params }, page, options).catch((error) => {
      if (kind === 'resourceTemplates' && isUnknownMethod(error)) return { [kind]: [] };
      throw error;
    });
    for (const each of answer[kind] as readonly unknown[]) {
      const parsed = item.safeParse(each);
      if (parsed.success) found.push(parsed.data);
      else skipped({ tool: nameOf(each), reason: { code: 'malformed_item', list: kind } }, excerpt(each));
    }
    if (found.length > MAX_LISTED) {
      skipped({ tool: '', reason: { code: 'rest_of', list: kind, count: MAX_LISTED } });
      return found.slice(0, MAX_LISTED);
    }
    const { nextCursor } = answer;
    if (typeof nextCursor !== 'string' || nextCursor === cursor) return found;
    cursor = nextCursor;
  }
  skipped({ tool: '', reason: { code: 'rest_of', list: kind, count: found.length } });
  return found;
}

function nameOf(item: unknown): string {
  const { name, uri, uriTemplate } = isRecord(item) ? item : {};
  return shownToolName({ name: [name, uri, uriTemplate].find((each) => typeof each === 'string' && each !== '') });
}

const MAX_EXCERPT_LENGTH = 200;

function excerpt(item: unknown): string | undefined {
  return JSON.stringify(item)?.slice(0, MAX_EXCERPT_LENGTH);
}

/** Many servers have resources but no templates, and only report that when asked. */
function isUnknownMethod(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === -32_601;
}
