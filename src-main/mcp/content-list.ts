import type { Client } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { ServerRequestOptions } from './tool-call.ts';

/** Of one list of one server. What comes after it is left out. */
export const MOST_LISTED = 20_000;
const MOST_PAGES = 1_000;

const text = z.string();
/** What is only for people may be missing or wrong. */
const shownText = text.optional().catch(undefined);

const resource = z.object({
  uri: text.min(1),
  name: text,
  title: shownText,
  description: shownText,
  mimeType: shownText,
  size: z.number().optional().catch(undefined),
});
/** What a server can be asked to read. All of it is the server's own text. */
export type ServerResource = z.infer<typeof resource>;

const template = z.object({
  uriTemplate: text.min(1),
  name: text,
  title: shownText,
  description: shownText,
  mimeType: shownText,
});
/** RFC 6570: resources that are named by filling something in. */
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
 * All pages of one list; empty if the server has none. An item that is malformed hides only itself. `skipped` hears in words of what
 * was left out.
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

/** Many servers have resources and no templates, and say so only when they are asked. */
function isUnknownMethod(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === -32_601;
}
