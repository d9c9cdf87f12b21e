import { canonicalHash, canonicalText } from '../../base/canonical-json.ts';
import { annotationsIn } from './mcp-call.ts';
import type { Finding } from './misleading-text.ts';
import type { ClassChoice } from './tool-class.ts';

/** A server's definition of a tool, as far as a model is given it or the user sees it in a review. */
export interface ToolDefinition {
  /** The tool's name as the server gives it. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema, as the server sent it. */
  readonly inputSchema: unknown;
  readonly annotations?: unknown;
}

/** The tools and instructions that a server lists. */
export interface ServerListing<Tool extends ToolDefinition = ToolDefinition> {
  readonly tools: readonly Tool[];
  /** Empty or absent if there are none. */
  readonly instructions?: string | undefined;
}

/** A pinned text of a server. `name` is the tool, or empty for the server's instructions. */
export interface PinnedText {
  readonly kind: 'tool' | 'instructions';
  readonly name: string;
  readonly text: string;
  /** The SHA-256 (hex) of everything that is pinned. */
  readonly hash: string;
}

/** The accepted part of a listing. Everything else is left out until it has been reviewed. */
export interface AcceptedListing<Tool extends ToolDefinition = ToolDefinition> {
  readonly offered: readonly Tool[];
  /** The tools that were accepted before, but have changed since. */
  readonly changed: readonly Tool[];
  readonly new: readonly Tool[];
  /** Undefined if there are none, or if they have not been reviewed. */
  readonly instructions: string | undefined;
  /** The definitions that still have to be reviewed. Empty if everything was. */
  readonly unseen: readonly DefinitionChange[];
}

export interface DefinitionChange {
  readonly now: PinnedText;
  /** The accepted text, or null if there was none. */
  readonly before: string | null;
  /** The tool, which is absent for instructions. */
  readonly tool?: ToolDefinition;
  /** The findings of what could mislead a model in the definition. Absent until it was looked for. */
  readonly findings?: readonly Finding[];
  /** The choice of class that the review offers for the tool; absent if there is none. */
  readonly choice?: ClassChoice;
}

/** Compares a listing with what was accepted. It is pure. Source: design section 4 ("Pinned MCP definitions"). */
export function compareListing<Tool extends ToolDefinition>(
  { tools, instructions = '' }: ServerListing<Tool>,
  accepted: readonly PinnedText[],
): AcceptedListing<Tool> {
  const known = new Map(accepted.map((each) => [keyOf(each), each]));
  const unseen: DefinitionChange[] = [];
  const stateOf = (now: PinnedText, tool?: ToolDefinition): 'accepted' | 'changed' | 'new' => {
    const before = known.get(keyOf(now));
    if (before?.hash === now.hash) return 'accepted';
    unseen.push({ now, before: before?.text ?? null, ...(tool === undefined ? {} : { tool }) });
    return before === undefined ? 'new' : 'changed';
  };
  const isAccepted = instructions === '' || stateOf(pinnedInstructions(instructions)) === 'accepted';
  const sorted = tools.map((tool) => ({ tool, state: stateOf(pinnedTool(tool), tool) }));
  const inState = (wanted: string) => sorted.flatMap(({ tool, state }) => (state === wanted ? [tool] : []));
  return {
    offered: inState('accepted'),
    changed: inState('changed'),
    new: inState('new'),
    instructions: isAccepted && instructions !== '' ? instructions : undefined,
    unseen,
  };
}

/** Whether two definitions are the same, as far as they are pinned. */
export function isSameDefinition(a: ToolDefinition, b: ToolDefinition): boolean {
  return pinnedTool(a).hash === pinnedTool(b).hash;
}

/** The texts of everything in a listing, as they are pinned. */
export function pinnedTexts({ tools, instructions = '' }: ServerListing): readonly PinnedText[] {
  return [...(instructions === '' ? [] : [pinnedInstructions(instructions)]), ...tools.map(pinnedTool)];
}

/**
 * They are cached, because a listing is compared on every change of its server or of what is accepted, and before each
 * call. A received definition is never mutated.
 */
const pinnedTools = new WeakMap<ToolDefinition, PinnedText>();

function pinnedTool(tool: ToolDefinition): PinnedText {
  const known = pinnedTools.get(tool);
  if (known !== undefined) return known;
  const pinned = asPinned(tool);
  pinnedTools.set(tool, pinned);
  return pinned;
}

function asPinned({ name, description, inputSchema, annotations }: ToolDefinition): PinnedText {
  const claims = annotationsIn(annotations);
  return {
    kind: 'tool',
    name,
    hash: canonicalHash({ name, description, inputSchema, claims }),
    // The text is computed only for what is unreviewed.
    get text() {
      const parts = [description, `Parameters: ${readable(inputSchema)}`];
      if (Object.values(claims).some((hint) => hint !== undefined)) parts.push(`Claims: ${readable(claims)}`);
      return parts.filter((part) => part !== '').join('\n\n');
    },
  };
}

function pinnedInstructions(instructions: string): PinnedText {
  return { kind: 'instructions', name: '', text: instructions, hash: canonicalHash(instructions) };
}

/** Writes a value so that people can read it. The order of members is irrelevant, so it is normalized. */
function readable(value: unknown): string {
  return JSON.stringify(JSON.parse(canonicalText(value ?? null)), undefined, 2);
}

function keyOf({ kind, name }: Pick<PinnedText, 'kind' | 'name'>): string {
  return `${kind} ${name}`;
}
