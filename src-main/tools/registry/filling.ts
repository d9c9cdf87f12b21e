/**
 * Places that stay empty at first, for what the conversation finds. After them, each tool that is found takes the place
 * of one that was there, and the prompt cache of what follows that one is lost.
 */
const KEPT_FREE = 8;
/** Places for what fits the first message, whatever servers were used. */
const FOR_MATCHES = 24;

export interface Fillable {
  /** The name in wire form. */
  readonly name: string;
  readonly group?: string;
}

export interface FillingOptions {
  /** The number of places after what is always offered. */
  readonly room: number;
  /** Names that this conversation used, and those that others did; the latest last. */
  readonly used: readonly string[];
  readonly usedElsewhere: readonly string[];
  /** Groups of servers that were used at any time, also before the last start; the latest first. */
  readonly groupsUsed: readonly string[];
  /** Names that fit its first message, best first. */
  readonly matches: readonly string[];
}

/**
 * What a conversation is offered besides the tools that always are, in the order of the request: what it used, the
 * servers that were used lately, whole small servers, what fits its first message, and where there is still room the
 * first tools of each other server in turn. Chosen once in a conversation: another choice would cost the prompt cache.
 * Pure. Source: tool catalogue A.10.
 */
export function filling(tools: readonly Fillable[], options: FillingOptions): readonly string[] {
  const { used, usedElsewhere, groupsUsed, matches } = options;
  const room = Math.max(0, options.room - KEPT_FREE);
  const known = new Set(tools.map(({ name }) => name));
  const byGroup = serversOf(tools);
  const servers = [...byGroup.values()];
  const serverOf = new Map(servers.flatMap((names) => names.map((name) => [name, names] as const)));
  const chosen = new Set<string>();
  const add = (names: Iterable<string>, most: number) => {
    for (const name of names) if (chosen.size < most && known.has(name)) chosen.add(name);
  };
  const addWhole = (names: readonly string[], most: number) => {
    const missing = names.filter((name) => !chosen.has(name));
    if (chosen.size + missing.length <= most) add(missing, most);
  };

  const latestElsewhere = usedElsewhere.toReversed();
  const beforeMatches = room - Math.min(FOR_MATCHES, matches.length);
  add(used.toReversed(), room);
  add(latestElsewhere, beforeMatches);
  const ofUsed = [...used.toReversed(), ...latestElsewhere].map((name) => serverOf.get(name) ?? []);
  const usedLately = new Set([...ofUsed, ...groupsUsed.map((group) => byGroup.get(group) ?? [])]);
  for (const names of usedLately) addWhole(names, beforeMatches);
  for (const names of servers.toSorted((a, b) => a.length - b.length)) addWhole(names, beforeMatches);
  add(matches, room);
  add(inTurn(servers), room);
  return [...chosen];
}

/** The names of each group's tools, in the order in which the groups begin. */
function serversOf(tools: readonly Fillable[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const { name, group = '' } of tools) {
    const names = groups.get(group);
    if (names === undefined) groups.set(group, [name]);
    else names.push(name);
  }
  return groups;
}

/** The first of each, then the second of each. */
function inTurn(servers: readonly (readonly string[])[]): readonly string[] {
  const longest = Math.max(0, ...servers.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) => servers.flatMap((names) => names[index] ?? [])).flat();
}
