import type { AccessClass } from '../../../src-preload/contract/access-class.ts';
import type { DecisionReason } from '../../../src-preload/contract/decision-reason.ts';
import type { Item, ThinkingItem, ToolItem } from '../../conversation/items.svelte.ts';
import { showsUnopened } from '../../tool-cards/call-state.ts';

/** Consecutive calls that only read, with the reasoning between them. */
export interface CallRun {
  readonly kind: 'calls';
  readonly key: string;
  readonly items: readonly (ToolItem | ThinkingItem)[];
}

/** Fewer calls take no more space than the line that would replace them. */
const FOLDED_FROM = 4;
/** With `network` a page was requested; a request that carries content is `send`. */
const READING: ReadonlySet<AccessClass> = new Set(['read', 'network']);

/** The items of a turn as lines: long runs of read-only calls become one line. */
export function rowsOf(items: readonly Item[]): readonly (Item | CallRun)[] {
  const rows: (Item | CallRun)[] = [];
  let run: (ToolItem | ThinkingItem)[] = [];
  const endRun = () => {
    // Reasoning after the last call leads to something else.
    const end = run.findLastIndex(({ kind }) => kind === 'tool') + 1;
    const calls = run.slice(0, end);
    const [first] = calls;
    if (first !== undefined && callsIn(calls).length >= FOLDED_FROM)
      rows.push({ kind: 'calls', key: `run ${first.key}`, items: calls });
    else rows.push(...calls);
    rows.push(...run.slice(end));
    run = [];
  };
  for (const item of items) {
    if (item.kind === 'tool' && isQuiet(item)) run.push(item);
    else if (item.kind === 'thinking' && !item.isLive && run.length > 0) run.push(item);
    else {
      endRun();
      rows.push(item);
    }
  }
  endRun();
  return rows;
}

export function callsIn(items: readonly Item[]): readonly ToolItem[] {
  return items.filter((item) => item.kind === 'tool');
}

/** Names the tools and how often each was called: `Read file ×9, Search code ×3`. */
export function runSummary(items: readonly Item[]): string {
  const counts = new Map<string, number>();
  for (const { words } of callsIn(items)) counts.set(words.title, (counts.get(words.title) ?? 0) + 1);
  return [...counts].map(([title, count]) => (count === 1 ? title : `${title} ×${count}`)).join(', ');
}

/**
 * Whether a call only read, without a question and with success, and shows nothing while it is closed that the reader
 * would miss.
 */
function isQuiet(item: ToolItem): boolean {
  if (item.asks !== null || item.isTouched || item.isOwnCall || item.state !== 'done' || !onlyReads(item)) return false;
  const offersRemedies = (item.result?.remedies ?? []).length > 0;
  const showsMore = item.result?.parts !== undefined || (item.card !== null && showsUnopened(item.card));
  return !item.canBeUndone && !offersRemedies && !showsMore;
}

/** The call changed nothing, sent nothing, and the user was not asked about it. */
function onlyReads({ decision, card }: Pick<ToolItem, 'decision' | 'card'>): boolean {
  if (decision?.answer !== 'allow' || decision.by === 'user' || asksModel(decision.reason)) return false;
  // The to-do list is shown above the composer.
  if (card?.kind === 'todos') return true;
  // Rows of older versions have no classes. Without a rule or a question, Steward allows little more than reading.
  if (decision.classes === undefined) return decision.by === 'default';
  return decision.classes.every((each) => READING.has(each));
}

/** Whether text went to another model. */
function asksModel(reason: DecisionReason): boolean {
  return reason.code === 'own_model' || (reason.code === 'all_of' && reason.reasons.some(asksModel));
}
