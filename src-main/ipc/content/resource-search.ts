import type { ResourceMatches, ResourceRow } from '../../../src-preload/contract/server-content.ts';
import { visible } from '../../base/text.ts';
import type { McpConnection } from '../../mcp/connection.ts';
import { TemplateFailure, templateVariables } from '../../mcp/content/template-uri.ts';

const MAX_SHOWN = 50;
/** A slower server is left out of this answer and included in the next one. */
const ANSWERS_WITHIN_MS = 2_000;

/** The servers' resources that match the words, best first. */
export async function searchResources(
  connections: readonly McpConnection[],
  query: string,
  signal: AbortSignal,
): Promise<ResourceMatches> {
  const listings = await Promise.all(connections.map((connection) => rowsWithin(connection, signal)));
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const ranked = listings
    .flatMap((rows) => rows ?? [])
    .flatMap((row) => {
      const rank = rankOf(row, words);
      return rank === undefined ? [] : [{ row, rank }];
    })
    .sort((a, b) => a.rank - b.rank);
  return {
    rows: ranked.slice(0, MAX_SHOWN).map(({ row }) => row),
    more: Math.max(0, ranked.length - MAX_SHOWN),
    silent: connections.flatMap(({ name }, index) => (listings[index] === undefined ? [name] : [])),
  };
}

/** `undefined` if it fails or takes too long. */
async function rowsWithin(connection: McpConnection, signal: AbortSignal): Promise<readonly ResourceRow[] | undefined> {
  const late = new Promise<undefined>((done) => {
    setTimeout(done, ANSWERS_WITHIN_MS, undefined).unref();
  });
  return Promise.race([late, rowsOf(connection, signal).catch(() => undefined)]);
}

async function rowsOf({ name: server, content }: McpConnection, signal: AbortSignal): Promise<readonly ResourceRow[]> {
  const [resources, templates] = await Promise.all([
    content.list('resources', signal),
    content.list('resourceTemplates', signal),
  ]);
  return [
    ...resources.map(({ uri, name, title, description }) => ({
      server,
      uri,
      title: shownTitle({ title, name, uri }),
      description: visible(description ?? uri),
      fields: null,
    })),
    ...templates.flatMap(({ uriTemplate, name, title, description }) => {
      const variables = variablesOf(uriTemplate);
      const fields = variables?.map((variable) => ({
        name: variable,
        title: visible(variable),
        description: null,
        isRequired: false,
      }));
      const shown = {
        title: shownTitle({ title, name, uri: uriTemplate }),
        description: visible(description ?? uriTemplate),
      };
      const row = { server, uri: uriTemplate, ...shown };
      return fields === undefined ? [] : [{ ...row, fields }];
    }),
  ];
}

function shownTitle({
  title,
  name,
  uri,
}: {
  readonly title: string | undefined;
  readonly name: string;
  readonly uri: string;
}): string {
  return visible([title ?? '', name, uri].find((text) => text.trim() !== '') ?? uri);
}

/** `undefined` if it is not a valid template. */
function variablesOf(uriTemplate: string): readonly string[] | undefined {
  try {
    return templateVariables(uriTemplate);
  } catch (error) {
    if (error instanceof TemplateFailure) return undefined;
    throw error;
  }
}

/** Lower is better; `undefined` if it does not match. */
function rankOf({ server, title, uri, description }: ResourceRow, words: readonly string[]): number | undefined {
  const shown = title.toLowerCase();
  const everything = `${shown} ${server} ${uri} ${description}`.toLowerCase();
  if (!words.every((word) => everything.includes(word))) return undefined;
  const [first = ''] = words;
  if (shown.startsWith(first)) return 0;
  return shown.includes(first) ? 1 : 2;
}
