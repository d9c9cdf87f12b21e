import type { ToolGroupRow } from '../../../src-preload/contract/settings.ts';
import type { ToolRegistry } from '../../tools/registry/registry.ts';
import { type GroupId, groupsOf, groupTitle, groupTokens, isCollapsed } from '../../tools/registry/tool-groups.ts';

type Registry = Pick<ToolRegistry, 'list' | 'unavailable' | 'groupOf' | 'offered'>;

/** The groups of all tools, switched on or not, in the order in which models see them. */
export function knownGroups(registry: Registry): readonly GroupId[] {
  const tools = [...registry.list(), ...registry.unavailable().map(({ tool }) => tool)];
  return [...new Set(tools.flatMap((tool) => registry.groupOf(tool) ?? []))];
}

/** `collapsed` is config.json's `tools.collapsed`. */
export function toolGroupRows(registry: Registry, collapsed: readonly string[]): ToolGroupRow[] {
  const offered = new Map(groupsOf(registry.offered()).map((group) => [group.id, group]));
  return knownGroups(registry).map((id) => {
    const group = offered.get(id);
    return {
      id,
      title: groupTitle(id),
      isServer: id.startsWith('mcp:'),
      isCollapsed: isCollapsed(id, collapsed),
      tokens: group === undefined ? null : groupTokens(group),
    };
  });
}
