import type { CardChoice, CardDefinition, CardPart } from '../../../src-preload/contract/consent.ts';
import type { ToolClass } from '../../../src-preload/contract/tool-class.ts';
import { ReadingProgress } from '../reading-progress.ts';
import {
  needsLook,
  needsOpening,
  type ReviewGroup,
  type ReviewItem,
  reviewGroups,
  reviewItems,
} from './review-groups.ts';

/** A tool's class as it is shown. */
interface ShownClass {
  readonly class: ToolClass | null;
  /** The user's; otherwise the server's claim, which allows nothing by itself. */
  readonly isGiven: boolean;
}

/** What still has to be looked at before a review can be accepted. */
interface MissingLook {
  readonly item: ReviewItem;
  /** The row has to be opened. Otherwise only a part of it was not in view. */
  readonly isUnopened: boolean;
  readonly count: number;
}

/** One part of the table on the screen, in pixels from the start of what scrolls. */
export interface RowPlace {
  readonly key: number;
  readonly top: number;
  readonly height: number;
}

/** A review of a server's definitions: which were opened, which were looked at, and the classes that the user gave. */
export class ToolReview {
  readonly groups: readonly ReviewGroup[];
  readonly #items: readonly ReviewItem[];
  readonly #progress = new Map<number, ReadingProgress>();
  #open = $state.raw<ReadonlySet<number>>(new Set());
  #opened = $state.raw<ReadonlySet<number>>(new Set());
  #unfolded = $state.raw<ReadonlySet<ReviewGroup>>(new Set());
  #lookedAt = $state.raw<ReadonlySet<number>>(new Set());
  /** The choices by `CardChoice.part`. Null if the user took the choice back. */
  #chosen = $state.raw<ReadonlyMap<number, ToolClass | null>>(new Map());

  private constructor(items: readonly ReviewItem[]) {
    this.#items = items;
    this.groups = reviewGroups(items);
  }

  /** Null if nothing in this card is reviewed. */
  static of(parts: readonly CardPart[]): ToolReview | null {
    const items = reviewItems(parts);
    return items.length === 0 ? null : new ToolReview(items);
  }

  get hasChoices(): boolean {
    return this.#items.some(({ definition }) => definition.choice !== undefined);
  }

  isOpen(key: number): boolean {
    return this.#open.has(key);
  }

  toggle(key: number): void {
    const open = new Set(this.#open);
    if (!open.delete(key)) open.add(key);
    this.#open = open;
    this.#opened = new Set([...this.#opened, key]);
  }

  isUnfolded(group: ReviewGroup): boolean {
    return !group.startsFolded || this.#unfolded.has(group);
  }

  toggleGroup(group: ReviewGroup): void {
    const unfolded = new Set(this.#unfolded);
    if (!unfolded.delete(group)) unfolded.add(group);
    this.#unfolded = unfolded;
  }

  /**
   * A class that was preset by a claim becomes the user's once they opened the tool. Not where something has to be
   * looked at: then opening it was no choice.
   */
  classOf({ key, definition }: ReviewItem): ShownClass {
    const { choice } = definition;
    if (choice === undefined) return { class: null, isGiven: false };
    const chosen = this.#chosen.get(choice.part);
    if (chosen !== undefined && chosen !== null) return { class: chosen, isGiven: true };
    if (chosen === null) return { class: presetBeside(choice), isGiven: false };
    if (choice.given !== null) return { class: choice.given, isGiven: true };
    const isGiven = choice.preset !== null && this.#opened.has(key) && !needsLook(definition);
    return { class: choice.preset, isGiven };
  }

  /** Gives the class; the same one again takes it back. */
  choose(item: ReviewItem, chosen: ToolClass): void {
    const { choice } = item.definition;
    if (choice === undefined) return;
    const shown = this.classOf(item);
    this.#chosen = new Map(this.#chosen).set(choice.part, shown.isGiven && shown.class === chosen ? null : chosen);
  }

  /** Every call of them asks, whatever the server claims. */
  askEveryTime({ items }: ReviewGroup): void {
    const parts = items.flatMap(({ definition: { choice } }) => (choice === undefined ? [] : [choice.part]));
    this.#chosen = new Map([...this.#chosen, ...parts.map((part) => [part, 'write'] as const)]);
  }

  /** The classes that differ from before. */
  get given(): readonly { readonly part: number; readonly class: ToolClass | null }[] {
    return this.#items.flatMap((item) => {
      const { choice } = item.definition;
      if (choice === undefined) return [];
      const shown = this.classOf(item);
      const given = shown.isGiven ? shown.class : null;
      return given === choice.given ? [] : [{ part: choice.part, class: given }];
    });
  }

  /** These rows are in view, from `top` to `bottom`. */
  inView(rows: readonly RowPlace[], top: number, bottom: number): void {
    const seen = rows.flatMap(({ key, top: start, height }) => {
      const from = Math.max(0, top - start);
      const to = Math.min(height, bottom - start);
      if (height === 0 || to <= from || this.#lookedAt.has(key) || this.#isUnopened(key)) return [];
      const progress = this.#progress.get(key) ?? new ReadingProgress();
      this.#progress.set(key, progress);
      return progress.inView(from, to, height) ? [key] : [];
    });
    if (seen.length > 0) this.#lookedAt = new Set([...this.#lookedAt, ...seen]);
  }

  /** The position at which the first part of a row begins that was not in view yet, in pixels from the row's start. */
  firstUnseenIn(key: number): number {
    return this.#progress.get(key)?.firstUnseen ?? 0;
  }

  /** What is still missing, in the order of the table. Null once everything was looked at. */
  get missing(): MissingLook | null {
    const shown = this.groups.flatMap((group) => (group.startsFolded ? [] : group.items));
    const left = shown.filter(({ key }) => !this.#lookedAt.has(key));
    const [item] = left;
    return item === undefined ? null : { item, isUnopened: this.#isUnopened(item.key), count: left.length };
  }

  #isUnopened(key: number): boolean {
    const definition = this.#items[key]?.definition;
    return definition !== undefined && needsOpening(definition) && !this.#open.has(key);
  }
}

/**
 * The preset for a tool whose class the user took back. Beside one that they gave, it is unknown whether the name
 * contradicts a claim to read.
 */
function presetBeside({ given, claim, preset }: CardChoice): ToolClass | null {
  if (given === null) return preset;
  return claim === 'read' ? null : claim;
}

/** Lists the parameters in one line: `path: text, required`. */
export function parametersLine({ parameters, of }: Pick<CardDefinition, 'parameters' | 'of'>): string {
  if (of === 'instructions') return '';
  if (parameters.length === 0) return 'No parameters';
  const shown = parameters.slice(0, MAX_PARAMETERS).map(parameterText);
  const more = parameters.length - shown.length;
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

export function parameterText({ name, type, isRequired }: CardDefinition['parameters'][number]): string {
  return `${name}: ${type}${isRequired ? ', required' : ''}`;
}

const MAX_PARAMETERS = 8;
