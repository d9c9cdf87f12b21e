import { ownValue } from '../../base/json.ts';
import type { McpClass, McpClassSource } from '../access.ts';
import type { KnownServer } from './known-servers.ts';

/** What a server says of its tool (`annotations` of the protocol): nobody has checked it. */
export interface ToolAnnotations {
  readonly readOnlyHint?: boolean | undefined;
  readonly destructiveHint?: boolean | undefined;
  readonly openWorldHint?: boolean | undefined;
}

export interface ClassOfTool {
  readonly class: McpClass;
  readonly classFrom: McpClassSource;
}

export interface ClassSources {
  readonly known?: KnownServer | undefined;
  /** `mcpServers.NAME.classes`, as the person confirmed it. */
  readonly classes: Readonly<Record<string, McpClass>>;
  readonly annotations?: ToolAnnotations | undefined;
}

/** What a tool is taken for is the person's to say. */
export interface ClassChoice {
  /** What they said before; `null`: nothing, so that it asks. */
  readonly given: McpClass | null;
  /** What the server says; `null`: nothing. */
  readonly claim: McpClass | null;
}

/**
 * What a tool of a server is taken for, and on whose word: the table of a known server, else what the person set, else the server's
 * own claim, else `write`. Source: design section 4 ("MCP calls"), tool catalogue C.4.
 */
export function classOfTool(tool: string, { known, classes, annotations }: ClassSources): ClassOfTool {
  const inTable = known && ownClass(known.classes, tool);
  if (inTable !== undefined) return { class: inTable, classFrom: 'table' };
  const given = ownClass(classes, tool);
  if (given !== undefined) return { class: given, classFrom: 'person' };
  const claimed = claimedClass(annotations);
  return claimed === undefined ? { class: 'write', classFrom: 'none' } : { class: claimed, classFrom: 'claim' };
}

/** What a person may say of a tool; `undefined`: our table says it. */
export function classChoice(
  { known, classes }: Pick<ClassSources, 'known' | 'classes'>,
  { name, annotations }: { readonly name: string; readonly annotations: ToolAnnotations },
): ClassChoice | undefined {
  if (known !== undefined && ownClass(known.classes, name) !== undefined) return undefined;
  return { given: ownClass(classes, name) ?? null, claim: claimedClass(annotations) ?? null };
}

/** What the annotations amount to; `undefined`: they say nothing of it. */
export function claimedClass({
  readOnlyHint,
  destructiveHint,
  openWorldHint,
}: ToolAnnotations = {}): McpClass | undefined {
  if (readOnlyHint === true) return 'read';
  if (destructiveHint === true && openWorldHint !== false) return 'send';
  return readOnlyHint === false || destructiveHint !== undefined ? 'write' : undefined;
}

function ownClass(classes: Readonly<Record<string, McpClass>>, tool: string): McpClass | undefined {
  return ownValue(classes, tool) as McpClass | undefined;
}
