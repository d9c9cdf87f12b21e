import type { SettingsView, ToolGroupRow } from '../../src-preload/contract/settings.ts';

type Tool = SettingsView['tools'][number];

/** What each access class means to the user; strong ones act outside the folder or in the user's name. */
export const ACCESS_TEXTS: Readonly<Record<string, { readonly label: string; readonly isStrong: boolean }>> = {
  read: { label: 'reads', isStrong: false },
  write: { label: 'writes', isStrong: false },
  execute: { label: 'runs commands', isStrong: true },
  network: { label: 'internet', isStrong: false },
  'network-private': { label: 'your network', isStrong: true },
  send: { label: 'sends in your name', isStrong: true },
};

/** The tools with every word of the query in their name, title, description or class. */
export function matchingTools(tools: readonly Tool[], query: string): readonly Tool[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return tools.filter(({ name, title, description, access }) => {
    const text =
      `${name} ${name.replaceAll('_', ' ')} ${title} ${description} ${ACCESS_TEXTS[access]?.label ?? access}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** The tools by group, in the groups' order; those in none come last. Groups without any of them are left out. */
export function groupsIn(
  tools: readonly Tool[],
  groups: readonly ToolGroupRow[],
): readonly { readonly group: ToolGroupRow | null; readonly tools: readonly Tool[] }[] {
  const known = new Set(groups.map(({ id }) => id));
  const others = tools.filter(({ group }) => group === undefined || !known.has(group));
  return [
    ...groups.map((group) => ({ group, tools: tools.filter((tool) => tool.group === group.id) })),
    { group: null, tools: others },
  ].filter((each) => each.tools.length > 0);
}

/** What the group costs: `about 1,900 tokens in each request; collapsed, about 90`. */
export function groupTokensText(
  { open, collapsed }: NonNullable<ToolGroupRow['tokens']>,
  isCollapsed: boolean,
): string {
  if (isCollapsed) return `about ${rounded(collapsed)} tokens in each request, ${rounded(open)} when open`;
  if (collapsed >= open) return `about ${rounded(open)} tokens in each request; collapsing saves nothing`;
  return `about ${rounded(open)} tokens in each request; collapsed, about ${rounded(collapsed)}`;
}

/** What all of them take, and what the estimate is. */
export function toolsTokensText(groups: readonly ToolGroupRow[]): string {
  const taken = groups.reduce((sum, { tokens, isCollapsed }) => {
    return sum + (tokens === null ? 0 : isCollapsed ? tokens.collapsed : tokens.open);
  }, 0);
  if (taken === 0) return '';
  return `Descriptions of tools are sent with each request, now about ${rounded(taken)} tokens (an estimate). A collapsed group is sent as one tool, which the model opens when it needs it.`;
}

/** An estimate has two digits at most. */
function rounded(tokens: number): string {
  const step = tokens < 100 ? 10 : tokens < 10_000 ? 100 : 1_000;
  return Math.max(step, Math.round(tokens / step) * step).toLocaleString('en');
}
