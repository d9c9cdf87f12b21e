import type { Tool } from '../contract.ts';
import { entryTool } from './entry-tool.ts';
import type { OfferedTool } from './registry.ts';
import {
  containerDescription,
  expandedText,
  type GroupId,
  groupsOf,
  isCollapsed,
  type ToolGroup,
} from './tool-groups.ts';

/** Which groups of the registry's tools a conversation has opened. */
export interface OpenedGroups {
  has(id: GroupId): boolean;
  open(id: GroupId): void;
}

/** A group of the registry that models are offered as one tool until the conversation opens it. */
export interface CollapsedGroup {
  readonly group: ToolGroup<OfferedTool>;
  readonly isOpen: boolean;
  /** Opens it; once it is open, only a model that remembers the name calls this. */
  readonly container: Tool;
}

/** The groups that the setting `tools.collapsed` names. `offered`: without tools that are switched off. */
export function collapsedGroups(
  offered: readonly OfferedTool[],
  collapsed: readonly string[],
  opened: OpenedGroups,
): readonly CollapsedGroup[] {
  if (collapsed.length === 0) return [];
  return groupsOf(offered)
    .filter(({ id }) => isCollapsed(id, collapsed))
    .map((group) => ({ group, isOpen: opened.has(group.id), container: containerOf(group, opened) }));
}

/** Opens the group. Returns the result of the call that does. */
export function opening({ id, title, tools }: ToolGroup<OfferedTool>, opened: OpenedGroups): string {
  opened.open(id);
  return expandedText(title, tools);
}

function containerOf(group: ToolGroup<OfferedTool>, opened: OpenedGroups): Tool {
  const names = group.tools.map(({ name }) => name);
  return entryTool({
    name: group.title,
    description: containerDescription(group.description, names),
    enter: () => opening(group, opened),
  });
}
