import { ownValue } from '../../base/json.ts';
import { soundsLikeChange } from './change-words.ts';
import type { KnownServer } from './known-servers.ts';
import type { McpClass, McpClassSource } from './mcp-class.ts';

/** The server's claims about its tool (`annotations` of the protocol), unverified. */
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
  /** The classes in `mcpServers.NAME.classes`, as confirmed by the user. */
  readonly classes: Readonly<Record<string, McpClass>>;
  readonly annotations?: ToolAnnotations | undefined;
}

/** The choice by which the user decides what a tool is assumed to do. */
export interface ClassChoice {
  /** The user's previous choice, or null if there is none, so that it asks. */
  readonly given: McpClass | null;
  /** The server's claim, or null if there is none. */
  readonly claim: McpClass | null;
  /**
   * The class that a review shows at first: the user's previous choice, else the claim, as long as the tool's name
   * doesn't contradict it.
   */
  readonly preset: McpClass | null;
}

/**
 * A tool's class and where it comes from: the table of a known server, else the user's setting, else the server's own
 * claim, else `write`. The order matters, so that a server can't make itself milder than the table says by annotating
 * its tool to send mail as reading. Source: design section 4 ("MCP calls"), tool catalogue C.4.
 */
export function classOfTool(tool: string, { known, classes, annotations }: ClassSources): ClassOfTool {
  const inTable = known && ownClass(known.classes, tool);
  if (inTable !== undefined) return { class: inTable, classFrom: 'table' };
  const given = ownClass(classes, tool);
  if (given !== undefined) return { class: given, classFrom: 'user' };
  const claimed = claimedClass(annotations);
  return claimed === undefined ? { class: 'write', classFrom: 'none' } : { class: claimed, classFrom: 'claim' };
}

/** The choice a user has for a tool, or undefined if our table decides. */
export function classChoice(
  { known, classes }: Pick<ClassSources, 'known' | 'classes'>,
  { name, annotations }: { readonly name: string; readonly annotations: ToolAnnotations },
): ClassChoice | undefined {
  if (known !== undefined && ownClass(known.classes, name) !== undefined) return undefined;
  const given = ownClass(classes, name) ?? null;
  const claim = claimedClass(annotations) ?? null;
  return { given, claim, preset: given ?? (claim === 'read' && soundsLikeChange(name) ? null : claim) };
}

/** The class that annotations claim, or undefined if they claim none. */
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
