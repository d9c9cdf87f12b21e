/** `Invalid 'tools': array too long. Expected an array with maximum length 128` (OpenAI, Azure, Groq). */
export const MOST_OFFERED = 128;

interface Offerable {
  readonly name: string;
  readonly category: string;
}

export interface Choice<T> {
  /** In the order given. */
  readonly tools: readonly T[];
  readonly leftOut: readonly T[];
}

/**
 * Selects the tools for a request if there are more than it may contain: core tools first, then the most recently used, then the others in
 * their order. The same for every provider, so that a conversation keeps its tools when the model changes. `used`: names, the latest last.
 * Pure. Source: tool catalogue A.10.
 */
export function chooseOffered<T extends Offerable>(
  tools: readonly T[],
  used: readonly string[],
  most = MOST_OFFERED,
): Choice<T> {
  if (tools.length <= most) return { tools, leftOut: [] };
  const lastUse = new Map(used.map((name, index) => [name, index]));
  const rank = ({ category, name }: T) => (category === 'core' ? Number.MAX_SAFE_INTEGER : (lastUse.get(name) ?? -1));
  const best = [...tools].sort((a, b) => rank(b) - rank(a)).slice(0, most);
  const chosen = new Set(best);
  return { tools: tools.filter((tool) => chosen.has(tool)), leftOut: tools.filter((tool) => !chosen.has(tool)) };
}
