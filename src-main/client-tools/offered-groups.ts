import { expandedText } from '../tools/registry/tool-groups.ts';
import type { ClientState } from './client-state.ts';
import { isActive, isBlank, isExpanded, skillsOf } from './client-state.ts';
import type { ClientTool, Skill, ToolGroup } from './records.ts';

/** A group as the model sees it. Source: tool catalogue D.3. */
export interface OfferedGroup {
  readonly group: ToolGroup;
  /** The model is offered one tool in its place. */
  readonly isClosed: boolean;
  /** The group was registered to be opened by that tool, whether or not it is open now. */
  readonly isCollapsible: boolean;
  /** The group's tools without hidden ones, offered or not. */
  readonly tools: readonly ClientTool[];
  /** The tools that are offered: all of an open group, and those that an active skill refers to. */
  readonly offered: ReadonlySet<ClientTool>;
  readonly skills: readonly OfferedSkill[];
}

export interface OfferedSkill {
  readonly group: string;
  readonly skill: Skill;
  readonly isActive: boolean;
  /** What it refers to, without hidden ones, in its order. */
  readonly tools: readonly ClientTool[];
}

/** `collapses` is the setting `collapseClientTools`. The function is pure. */
export function offeredGroups(state: ClientState, collapses: boolean): readonly OfferedGroup[] {
  const hidden = new Set(state.hidden);
  const visible = new Map(
    state.groups.map((group) => [group.name, group.tools.filter(({ name }) => !hidden.has(name))]),
  );
  const skills = state.groups.flatMap((group) =>
    skillsOf(group).map((skill): OfferedSkill => {
      const tools = skill.references.flatMap(
        ({ toolName, toolsetName }) =>
          visible.get(isBlank(toolsetName) ? group.name : toolsetName)?.filter(({ name }) => name === toolName) ?? [],
      );
      return { group: group.name, skill, isActive: isActive(state, group.name, skill.name), tools };
    }),
  );
  const ofActiveSkills = new Set(skills.flatMap(({ isActive: active, tools }) => (active ? tools : [])));
  return state.groups.map((group) => {
    const tools = visible.get(group.name) ?? [];
    const isOpen = !collapses || isExpanded(state, group.name);
    return {
      group,
      // Nothing would come of opening a group whose tools are all hidden.
      isClosed: !isOpen && tools.length > 0,
      isCollapsible: collapses && group.startCollapsed && tools.length > 0,
      tools,
      offered: new Set(isOpen ? tools : tools.filter((tool) => ofActiveSkills.has(tool))),
      skills: skills.filter((skill) => skill.group === group.name),
    };
  });
}

/** The result of the call that opens a group. */
export function openedText({ group, tools }: Pick<OfferedGroup, 'group' | 'tools'>): string {
  return withText(expandedText(group.name, tools), group.functionResult);
}

/** The result of the call that activates a skill. */
export function activatedText({ skill, tools }: Pick<OfferedSkill, 'skill' | 'tools'>): string {
  const functions = tools.length === 0 ? '' : ` Available functions: ${namesOf(tools)}`;
  const documents = (skill.documents ?? []).map(({ id, description }) => `- ${id}: ${description}`);
  return withText(
    withText(`${skill.name} skill activated.${functions}`, skill.functionResult),
    documents.length === 0 ? undefined : ['Available documents:', ...documents].join('\n'),
  );
}

/**
 * The prompts for the system prompt: of open groups by name, then of active skills by their group's name and their own.
 */
export function activePrompts(state: ClientState, collapses: boolean): readonly { name: string; text: string }[] {
  const offered = offeredGroups(state, collapses).toSorted((a, b) => compare(a.group.name, b.group.name));
  const groups = offered
    .filter(({ group }) => !collapses || isExpanded(state, group.name))
    .map(({ group: { name, systemPrompt } }) => ({ name, text: systemPrompt }));
  const skills = offered.flatMap(({ skills: all }) =>
    all
      .filter(({ isActive: active }) => active)
      .map(({ skill: { name, systemPrompt } }) => ({ name, text: systemPrompt }))
      .toSorted((a, b) => compare(a.name, b.name)),
  );
  return [...groups, ...skills].flatMap(({ name, text }) => (isBlank(text) ? [] : [{ name, text }]));
}

function namesOf(tools: readonly ClientTool[]): string {
  return tools.map(({ name }) => name).join(', ');
}

function withText(text: string, more: string | null | undefined): string {
  return isBlank(more) ? text : `${text}\n\n${more}`;
}

/** Compares code units, so that the order is the same on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
