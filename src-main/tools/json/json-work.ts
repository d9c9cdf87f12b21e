import { isRecord } from '../../base/json.ts';
import { ExactNumber, readJson } from './json-document.ts';
import { partsAt } from './json-path.ts';
import { parseJsonPath } from './json-path-parser.ts';

/** What the tools do with a JSON text. */
export type JsonWork =
  | { readonly kind: 'parse'; readonly json: string }
  | { readonly kind: 'query'; readonly json: string; readonly path: string };

/** The result as text. Rejects with an error that gives the reason. */
export function doJsonWork(work: JsonWork): Promise<string> {
  return work.kind === 'parse' ? parsed(work.json) : found(work.json, work.path);
}

async function parsed(json: string): Promise<string> {
  const { value, pretty } = await readJson(json);
  return `${summaryOf(value)}\n${pretty(value)}`;
}

function summaryOf(value: unknown): string {
  if (Array.isArray(value)) return `Parsed JSON array (${value.length} items)`;
  if (isRecord(value) && !(value instanceof ExactNumber))
    return `Parsed JSON object (${Object.keys(value).length} keys)`;
  return 'Parsed JSON value';
}

async function found(json: string, path: string): Promise<string> {
  const segments = parseJsonPath(path);
  const { value, pretty } = await readJson(json);
  const parts = partsAt(value, segments);
  return pretty(parts.length > 1 ? parts : (parts[0] ?? null));
}
