import type { ModelGroup, ModelLists, ModelRow } from '../../../src-preload/contract/providers.ts';

/** The height in px. The list is drawn with these numbers, so the styles have to agree. */
export const HEAD_HEIGHT = 34;
export const ROW_HEIGHT = 50;
/** Drawn beyond what is visible, so that scrolling shows no gaps. */
const OVERSCAN = 6;

export type ListItem =
  /** `group` is null for the recent models. */
  | { readonly kind: 'head'; readonly key: string; readonly group: ModelGroup | null; readonly top: number }
  | {
      readonly kind: 'model';
      readonly key: string;
      readonly model: ModelRow;
      /** The provider as its heading names it. */
      readonly provider: string;
      readonly isRecent: boolean;
      /** The index among the models, from 0. */
      readonly index: number;
      readonly top: number;
    };

type ModelItem = Extract<ListItem, { kind: 'model' }>;

/** The models that match what was typed, by provider, the recent ones first; and which of them the keyboard is on. */
export class ModelSearch {
  query = $state('');
  /** The index among the models that are shown. */
  active = $state(0);
  readonly #lists: () => ModelLists | null;
  readonly items: readonly ListItem[] = $derived.by(() => laidOut(this.#found()));
  readonly models: readonly ModelItem[] = $derived(this.items.filter((item) => item.kind === 'model'));
  readonly height: number = $derived.by(() => {
    const last = this.items.at(-1);
    return last === undefined ? 0 : last.top + heightOf(last);
  });

  constructor(lists: () => ModelLists | null) {
    this.#lists = lists;
  }

  get activeItem(): ModelItem | undefined {
    return this.models[this.active];
  }

  typed(query: string): void {
    this.query = query;
    this.active = 0;
  }

  /** Begins at the model that is used now. */
  begin(chosen: string | undefined): void {
    this.query = '';
    this.active = Math.max(
      0,
      this.models.findIndex(({ model }) => model.specification === chosen),
    );
  }

  move(by: number): void {
    const last = this.models.length - 1;
    this.active = Math.min(Math.max(0, this.active + by), Math.max(0, last));
  }

  moveTo(end: 'first' | 'last'): void {
    this.active = end === 'first' ? 0 : Math.max(0, this.models.length - 1);
  }

  /** What has to be drawn for this part of the list. The one that the keyboard is on is always there. */
  drawn(scrollTop: number, viewHeight: number): readonly ListItem[] {
    const from = scrollTop - OVERSCAN * ROW_HEIGHT;
    const to = scrollTop + viewHeight + OVERSCAN * ROW_HEIGHT;
    const isActive = (item: ListItem) => item.kind === 'model' && item.index === this.active;
    return this.items.filter((item) => isActive(item) || (item.top + heightOf(item) > from && item.top < to));
  }

  #found(): readonly Found[] {
    const lists = this.#lists();
    if (lists === null) return [];
    const words = this.query
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    const groups = lists.groups.map((group) => ({
      group,
      models: [...group.models.filter((model) => matches(words, group, model)), ...typedModel(this.query, group)].map(
        (model) => ({ ...model, provider: group.label }),
      ),
    }));
    const all = new Map(groups.flatMap(({ models }) => models.map((model) => [model.specification, model] as const)));
    const recent = lists.recent.flatMap((specification) => all.get(specification) ?? []);
    const shown = groups.filter(({ models }) => models.length > 0);
    return recent.length === 0 || words.length > 0 ? shown : [{ group: null, models: recent }, ...shown];
  }
}

interface Found {
  readonly group: ModelGroup | null;
  readonly models: readonly (ModelRow & { readonly provider: string })[];
}

/** What was typed, as the name of a model that no list has: `my-deployment`, or `azure:my-deployment`. */
function typedModel(query: string, { provider, isTyped, models }: ModelGroup): readonly ModelRow[] {
  const text = query.trim();
  const prefix = `${provider}:`.toLowerCase();
  const id = text.toLowerCase().startsWith(prefix) ? text.slice(prefix.length) : text;
  const isKnown = models.some((model) => model.id.toLowerCase() === id.toLowerCase());
  if (isTyped !== true || isKnown || id === provider || !/^\S+$/.test(id)) return [];
  const unknown = { contextTokens: null, price: null, abilities: null };
  return [{ specification: `${provider}:${id}`, id, label: `Deployment ${id}`, ...unknown }];
}

/** Every word, in any order, in the name of the model or of its provider. */
function matches(words: readonly string[], { provider, label }: ModelGroup, model: ModelRow): boolean {
  const text = `${provider} ${label} ${model.id} ${model.label}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

function laidOut(groups: readonly Found[]): ListItem[] {
  const items: ListItem[] = [];
  let top = 0;
  let index = 0;
  for (const { group, models } of groups) {
    const owner = group?.provider ?? '';
    items.push({ kind: 'head', key: `head ${owner}`, group, top });
    top += HEAD_HEIGHT;
    for (const { provider, ...model } of models) {
      items.push({
        kind: 'model',
        key: `${owner} ${model.specification}`,
        model,
        provider,
        isRecent: group === null,
        index,
        top,
      });
      index += 1;
      top += ROW_HEIGHT;
    }
  }
  return items;
}

function heightOf({ kind }: ListItem): number {
  return kind === 'head' ? HEAD_HEIGHT : ROW_HEIGHT;
}
