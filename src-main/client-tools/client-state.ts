import { z } from 'zod';
import { Augmentation, ContextItem, type RunInput, type Skill, ToolGroup } from './records.ts';

/**
 * What one client registered in a conversation, and what became of it. These are values, so every change makes new
 * ones. `expanded` are names of groups, also of some that are not registered (yet). `queue` are augmentations of
 * answers that are not applied yet, in the order of their arrival. Source: tool catalogue D.1 ("client state").
 */
export const ClientState = z.object({
  groups: z.array(ToolGroup),
  expanded: z.array(z.string()),
  hidden: z.array(z.string()),
  activeSkills: z.array(z.object({ group: z.string(), skill: z.string() })),
  context: z.array(ContextItem),
  state: z.unknown().optional(),
  queue: z.array(Augmentation),
});
export type ClientState = z.infer<typeof ClientState>;

export const EMPTY_STATE: ClientState = {
  groups: [],
  expanded: [],
  hidden: [],
  activeSkills: [],
  context: [],
  queue: [],
};

/** A change that was not made, and why; for the log. */
export interface Ignored {
  readonly group: string;
  readonly reason: string;
}

export interface Changed {
  readonly state: ClientState;
  readonly ignored: readonly Ignored[];
}

/** What this run carries is valid. Source: tool catalogue D.2. */
export function registered(before: ClientState, input: RunInput): ClientState {
  let state = input.resetClientState ? EMPTY_STATE : before;
  state = { ...state, expanded: union(state.expanded, input.expandedContainers) };
  for (const group of input.clientToolGroups ?? []) state = withGroup(state, group);
  return {
    ...state,
    hidden: union(state.hidden, input.hiddenTools),
    context: withContext(state.context, input.context),
    ...(input.state === undefined ? {} : { state: input.state }),
  };
}

/** Registers a group. One of the same name is replaced, and keeps its place. */
export function withGroup(state: ClientState, group: ToolGroup): ClientState {
  const known = state.groups.find(({ name }) => name === group.name);
  const groups =
    known === undefined
      ? [...state.groups, group]
      : state.groups.map((each) => (each.name === group.name ? group : each));
  // A group that is open from the start, and was not closed since.
  const opens = !group.startCollapsed && (known === undefined || known.startCollapsed);
  const activeSkills = state.activeSkills.filter(
    ({ group: of, skill }) => of !== group.name || skillsOf(group).some(({ name }) => name === skill),
  );
  return { ...state, groups, activeSkills, ...(opens ? { expanded: union(state.expanded, [group.name]) } : {}) };
}

export function withoutGroups(state: ClientState, names: readonly string[]): ClientState {
  const removed = names.filter((name) => groupOf(state, name) !== undefined);
  if (removed.length === 0) return state;
  return {
    ...state,
    groups: state.groups.filter(({ name }) => !removed.includes(name)),
    expanded: without(state.expanded, removed),
    activeSkills: state.activeSkills.filter(({ group }) => !removed.includes(group)),
  };
}

/** An unknown name takes effect once a group of that name is registered. */
export function expanded(state: ClientState, names: readonly string[]): ClientState {
  return { ...state, expanded: union(state.expanded, names) };
}

/** The prompts of its skills end with it. Source: tool catalogue D.3, D.4 #9, #10. */
export function collapsed(state: ClientState, names: readonly string[]): ClientState {
  const known = names.filter((name) => groupOf(state, name) !== undefined);
  return {
    ...state,
    expanded: without(state.expanded, known),
    activeSkills: state.activeSkills.filter(({ group }) => !known.includes(group)),
  };
}

export function activated(state: ClientState, group: string, skill: string): ClientState {
  if (isActive(state, group, skill)) return state;
  return { ...state, activeSkills: [...state.activeSkills, { group, skill }] };
}

/** Closes again what the model opened during the turn. Only `collapseAtTurnEnd` needs this. */
export function closed(state: ClientState): ClientState {
  const opened = state.groups.filter(({ startCollapsed }) => startCollapsed).map(({ name }) => name);
  return { ...state, expanded: without(state.expanded, opened), activeSkills: [] };
}

export function queued(state: ClientState, augmentation: Augmentation): ClientState {
  return { ...state, queue: [...state.queue, augmentation] };
}

/**
 * Applies the queue in its order. `refuse` tells why a state with injected groups is not possible, and the whole
 * augmentation is then void. Source: tool catalogue D.7.
 */
export function settled(
  before: ClientState,
  refuse: (injected: readonly ToolGroup[], state: ClientState) => Ignored | undefined,
): Changed {
  let state: ClientState = { ...before, queue: [] };
  const ignored: Ignored[] = [];
  for (const augmentation of before.queue) {
    const after = augmented(state, augmentation);
    const refusal = refuse(augmentation.injectToolGroups ?? [], after);
    if (refusal !== undefined) {
      ignored.push(refusal);
      continue;
    }
    state = after;
  }
  return { state, ignored };
}

function augmented(before: ClientState, augmentation: Augmentation): ClientState {
  let state = withoutGroups(before, augmentation.removeToolGroups ?? []);
  for (const group of augmentation.injectToolGroups ?? []) state = withGroup(state, group);
  state = expanded(state, augmentation.expandToolGroups ?? []);
  state = collapsed(state, augmentation.collapseToolGroups ?? []);
  const hidden = without(union(state.hidden, augmentation.hideTools), augmentation.showTools ?? []);
  const removed = augmentation.removeContext ?? [];
  const context = withContext(state.context, augmentation.addContext).filter((item) => !removed.includes(keyOf(item)));
  state = { ...state, hidden, context };
  if (augmentation.updateState !== undefined) state = { ...state, state: augmentation.updateState };
  else if (augmentation.patchState !== undefined)
    state = { ...state, state: merged(state.state, augmentation.patchState) };
  return state;
}

/** Merges as in https://www.rfc-editor.org/rfc/rfc7396 (JSON Merge Patch). */
function merged(value: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const entries = new Map(Object.entries(isObject(value) ? value : {}));
  for (const [key, change] of Object.entries(patch)) {
    if (change === null) entries.delete(key);
    else entries.set(key, merged(entries.get(key), change));
  }
  // Defines own properties, so that a key called __proto__ stays a key.
  return Object.fromEntries(entries);
}

export function groupOf({ groups }: ClientState, name: string): ToolGroup | undefined {
  return groups.find((group) => group.name === name);
}

export function isExpanded(state: ClientState, name: string): boolean {
  return state.expanded.includes(name);
}

export function isActive({ activeSkills }: ClientState, group: string, skill: string): boolean {
  return activeSkills.some((active) => active.group === group && active.skill === skill);
}

export function skillsOf({ skills }: Pick<ToolGroup, 'skills'>): readonly Skill[] {
  return skills ?? [];
}

export function keyOf({ key, description }: ContextItem): string {
  return isBlank(key) ? description : key;
}

export function isBlank(text: string | null | undefined): text is null | undefined | '' {
  return text === null || text === undefined || text.trim() === '';
}

function withContext(items: readonly ContextItem[], added: readonly ContextItem[] | null | undefined): ContextItem[] {
  const byKey = new Map(items.map((item) => [keyOf(item), item]));
  for (const item of added ?? []) byKey.set(keyOf(item), item);
  return [...byKey.values()];
}

function union(names: readonly string[], added: readonly string[] | null | undefined): string[] {
  return [...new Set([...names, ...(added ?? [])])];
}

function without(names: readonly string[], removed: readonly string[]): string[] {
  return names.filter((name) => !removed.includes(name));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
