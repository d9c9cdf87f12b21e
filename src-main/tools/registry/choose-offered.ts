/**
 * The most tools of a request. OpenAI, Azure and Groq refuse more:
 * `Invalid 'tools': array too long. Expected an array with maximum length 128`.
 */
export const MAX_OFFERED = 128;
/**
 * Limit of the Messages API, deferred tools included.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool
 */
const MAX_DEFINED = 10_000;

export interface Offerable {
  /** The name in wire form. */
  readonly name: string;
  readonly category: string;
  /**
   * A `container` opens a group, or is a skill. An `opened` tool is of a group that was opened, or of a skill that is
   * active.
   */
  readonly place?: 'container' | 'opened';
}

/** A tool that the conversation called or found. */
export interface ToolUse {
  /** The name in wire form. */
  readonly name: string;
  /** `find_tools` found it, and the model's history still shows that. */
  readonly isFoundInHistory: boolean;
}

export interface Choice<T> {
  /** The tools in the order of the request. */
  readonly tools: readonly T[];
  /** Come after `tools` in the request, and are loaded once they are found. */
  readonly deferred: readonly T[];
  readonly leftOut: readonly T[];
}

export interface ChoiceOptions<T> {
  /** The tool that finds the others, which is offered only if there are others. Undefined if it is switched off. */
  readonly finder: T | undefined;
  /** The latest last. */
  readonly uses: readonly ToolUse[];
  /** The service takes deferred tools. */
  readonly canDefer: boolean;
  /** What else the conversation is offered, in wire form; see `filling`. Nothing by default. */
  readonly filled?: readonly string[];
  readonly most?: number;
}

/**
 * Selects the tools for a request if there are more than it may contain: core tools, `ask_*`, containers and skills,
 * tools of opened groups, then what the conversation was given to begin with, then those that were called or found
 * since. Pure. Source: tool catalogue A.10.
 *
 * The beginning of the list does not depend on what was used, and what is used is appended in the order of its first
 * use, so that the prompt cache keeps the beginning. Without room for it, the last of those that were given and never
 * used makes place, then what was used least recently. A deferred tool stays deferred when it is found: the history
 * that shows it loads it.
 */
export function chooseOffered<T extends Offerable>(tools: readonly T[], options: ChoiceOptions<T>): Choice<T> {
  const { finder, uses, canDefer, filled = [], most = MAX_OFFERED } = options;
  if (tools.length <= most) return { tools, deferred: [], leftOut: [] };
  const { front, others: behind, room } = frontOf(tools, finder === undefined ? most : most - 1);
  const others = new Map(behind.map((tool) => [tool.name, tool] as const));
  const deferring = canDefer && finder !== undefined;
  const added = [...filled, ...(deferring ? usesWithoutLoaded(uses) : uses).map(({ name }) => name)];
  const given = within(
    room,
    [...new Set(added)].filter((name) => others.has(name)),
    uses,
  );
  const second = given.flatMap((name) => others.get(name) ?? []);
  for (const name of given) others.delete(name);
  const rest = [...others.values()];
  // Nothing finds them: as many as there is room for.
  const unsorted = finder === undefined ? rest.splice(0, room - second.length) : [];
  const offered = [...front, ...(finder === undefined ? [] : [finder]), ...second, ...unsorted];
  if (!deferring) return { tools: offered, deferred: [], leftOut: rest };
  const definable = MAX_DEFINED - offered.length;
  return { tools: offered, deferred: rest.slice(0, definable), leftOut: rest.slice(definable) };
}

/**
 * The tools that are always offered, in their order, those that are not, and for how many of the latter there is room
 * after the former.
 */
export function frontOf<T extends Offerable>(tools: readonly T[], most: number) {
  const front = withinRoom(tools, most);
  const isInFront = new Set(front);
  return { front, others: tools.filter((tool) => !isInFront.has(tool)), room: most - front.length };
}

const CATEGORY_RANKS: Readonly<Record<string, number>> = { core: 0, api: 1, client: 3 };
const PLACE_RANKS = { container: 2, opened: 4 } as const;

/** A lower rank is more important. Undefined if the tool is offered only when it is used. */
function rankOf({ category, place }: Offerable): number | undefined {
  return place === undefined ? CATEGORY_RANKS[category] : PLACE_RANKS[place];
}

/** The tools that are always offered, in their order. If they are too many, the least important are left out. */
function withinRoom<T extends Offerable>(tools: readonly T[], room: number): readonly T[] {
  const ranked = tools.flatMap((tool) => {
    const rank = rankOf(tool);
    return rank === undefined ? [] : [{ tool, rank }];
  });
  const kept = new Set(ranked.sort((a, b) => a.rank - b.rank).slice(0, room));
  const chosen = new Set([...kept].map(({ tool }) => tool));
  return tools.filter((tool) => chosen.has(tool));
}

/** At most `room` names in their order: those that were used last, and then the first of the others. */
function within(room: number, names: readonly string[], uses: readonly ToolUse[]): readonly string[] {
  if (names.length <= room) return names;
  const known = new Set(names);
  const used = new Set(uses.toReversed().flatMap(({ name }) => (known.has(name) ? [name] : [])));
  const kept = new Set<string>();
  for (const name of [...used, ...names]) {
    if (kept.size >= room) break;
    kept.add(name);
  }
  return names.filter((name) => kept.has(name));
}

/**
 * Leaves out the tools that the history loads. A tool that was called before it was found is offered already, and stays
 * where it is.
 */
function usesWithoutLoaded(uses: readonly ToolUse[]): readonly ToolUse[] {
  const first = new Map<string, ToolUse>();
  for (const use of uses) if (!first.has(use.name)) first.set(use.name, use);
  return uses.filter(({ name }) => first.get(name)?.isFoundInHistory === false);
}
