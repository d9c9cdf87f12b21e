import { canonicalHash, canonicalText } from '../../base/canonical-json.ts';
import { annotationsIn } from './mcp-call.ts';
import type { ClassChoice } from './tool-class.ts';

/** What a server says of a tool, as far as a model is given it or a person sees it in a review. */
export interface ToolDefinition {
  /** As the server names it. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema, as the server sent it. */
  readonly inputSchema: unknown;
  readonly annotations?: unknown;
}

/** What a server lists. */
export interface ServerListing<Tool extends ToolDefinition = ToolDefinition> {
  readonly tools: readonly Tool[];
  /** Empty or absent: it has none. */
  readonly instructions?: string | undefined;
}

/** A text of a server that is pinned. `name`: the tool; empty for its instructions. */
export interface PinnedText {
  readonly kind: 'tool' | 'instructions';
  readonly name: string;
  readonly text: string;
  /** SHA-256 (hex) of everything that counts. */
  readonly hash: string;
}

/** Which of a listing a person has seen. Everything else is out until they have. */
export interface AcceptedListing<Tool extends ToolDefinition = ToolDefinition> {
  readonly offered: readonly Tool[];
  /** Accepted once, and different now. */
  readonly changed: readonly Tool[];
  readonly new: readonly Tool[];
  /** `undefined`: there are none, or nobody has seen these. */
  readonly instructions: string | undefined;
  /** What is to be seen; none: all that is listed was. */
  readonly unseen: readonly DefinitionChange[];
}

export interface DefinitionChange {
  readonly now: PinnedText;
  /** The text that was accepted; `null`: none. */
  readonly before: string | null;
  /** What the person may say of the tool with their answer; absent: nothing. */
  readonly choice?: ClassChoice;
}

/** Compares a listing with what was accepted. Pure. Source: design section 4 ("Pinned MCP definitions"). */
export function compareListing<Tool extends ToolDefinition>(
  { tools, instructions = '' }: ServerListing<Tool>,
  accepted: readonly PinnedText[],
): AcceptedListing<Tool> {
  const known = new Map(accepted.map((each) => [keyOf(each), each]));
  const unseen: DefinitionChange[] = [];
  const stateOf = (now: PinnedText): 'accepted' | 'changed' | 'new' => {
    const before = known.get(keyOf(now));
    if (before?.hash === now.hash) return 'accepted';
    unseen.push({ now, before: before?.text ?? null });
    return before === undefined ? 'new' : 'changed';
  };
  const isAccepted = instructions === '' || stateOf(pinnedInstructions(instructions)) === 'accepted';
  const sorted = tools.map((tool) => ({ tool, state: stateOf(pinnedTool(tool)) }));
  const inState = (wanted: string) => sorted.flatMap(({ tool, state }) => (state === wanted ? [tool] : []));
  return {
    offered: inState('accepted'),
    changed: inState('changed'),
    new: inState('new'),
    instructions: isAccepted && instructions !== '' ? instructions : undefined,
    unseen,
  };
}

/** Whether both say the same of a tool, as far as that is pinned. */
export function isSameDefinition(a: ToolDefinition, b: ToolDefinition): boolean {
  return pinnedTool(a).hash === pinnedTool(b).hash;
}

/** Everything in a listing, as it is pinned. */
export function pinnedTexts({ tools, instructions = '' }: ServerListing): readonly PinnedText[] {
  return [...(instructions === '' ? [] : [pinnedInstructions(instructions)]), ...tools.map(pinnedTool)];
}

/** A listing is compared whenever its server or what is accepted changes, and before each call. What a server sent never changes. */
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
    // Only what nobody has seen yet is read.
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

/** The order of members does not count, so it is not seen either. */
function readable(value: unknown): string {
  return JSON.stringify(JSON.parse(canonicalText(value ?? null)), undefined, 2);
}

function keyOf({ kind, name }: Pick<PinnedText, 'kind' | 'name'>): string {
  return `${kind} ${name}`;
}
