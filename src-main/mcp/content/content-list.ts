import type { Client } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { ServerRequestOptions } from '../calls/tool-call.ts';

/** Per list and server. The rest is left out. */
export const MOST_LISTED = 20_000;
const MOST_PAGES = 1_000;

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
/** RFC 6570: resources with a parameterized URI. */
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

/**
 * All pages of one list; empty if the server has none. A malformed item hides only itself. `skipped` receives a description of
 * what was left out.
 */
export async function readContentList<Kind extends ContentKind>(
  client: Client,
  kind: Kind,
  options: ServerRequestOptions,
  skipped: (what: string) => void,
): Promise<ContentLists[Kind]>;
export async function readContentList(
  client: Client,
  kind: ContentKind,
  options: ServerRequestOptions,
  skipped: (what: string) => void,
): Promise<readonly unknown[]> {
  const { method, item } = KINDS[kind];
  const has = client.getServerCapabilities()?.[kind === 'prompts' ? 'prompts' : 'resources'] !== undefined;
  if (!has) return [];
  const page = z.looseObject({ [kind]: z.array(z.unknown()), nextCursor: z.string().optional().catch(undefined) });
  const found: unknown[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const params = cursor === undefined ? {} : { cursor };
    const answer: Record<string, unknown> = await client.request({ method, params }, page, options).catch((error) => {
      if (kind === 'resourceTemplates' && isUnknownMethod(error)) return { [kind]: [] };
      throw error;
    });
    for (const each of answer[kind] as readonly unknown[]) {
      const parsed = item.safeParse(each);
      if (parsed.success) found.push(parsed.data);
      else skipped(`a malformed item of ${method}: ${JSON.stringify(each)?.slice(0, 200)}`);
    }
    if (found.length > MOST_LISTED) {
      skipped(`everything after the first ${MOST_LISTED} items of ${method}`);
      return found.slice(0, MOST_LISTED);
    }
    const { nextCursor } = answer;
    if (typeof nextCursor !== 'string' || nextCursor === cursor) return found;
    cursor = nextCursor;
  }
  return found;
}

/** Many servers have resources but no templates, and only report that when asked. */
function isUnknownMethod(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === -32_601;
}
