import type { Item, ThinkingItem, ToolItem } from '../../conversation/items.svelte.ts';
import { showsUnopened } from '../../tool-cards/call-state.ts';

/** Consecutive calls that need no individual attention, with the reasoning between them. */
export interface CallRun {
  readonly kind: 'calls';
  readonly key: string;
  readonly items: readonly (ToolItem | ThinkingItem)[];
}

/** Fewer calls take no more space than the line that would replace them. */
const FOLDED_FROM = 4;

/** The items of a turn as lines: long runs of read-only calls become one line. */
export function rowsOf(items: readonly Item[]): readonly (Item | CallRun)[] {
  const looking = new Set(items.flatMap((item) => (item.kind === 'tool' && isQuiet(item) ? [item.name] : [])));
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
    if (item.kind === 'tool' && (isQuiet(item) || (looking.has(item.name) && isQuietFailure(item)))) run.push(item);
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

/** `Read file ×9, Search code ×3`. */
export function runSummary(items: readonly Item[]): string {
  const counts = new Map<string, number>();
  for (const { words } of callsIn(items)) counts.set(words.title, (counts.get(words.title) ?? 0) + 1);
  return [...counts].map(([title, count]) => (count === 1 ? title : `${title} ×${count}`)).join(', ');
}

/** `1 failed`; empty where none did. */
export function failuresIn(items: readonly Item[]): string {
  const failed = callsIn(items).filter(({ state }) => state === 'failed').length;
  return failed === 0 ? '' : `${failed} failed`;
}

/** The call failed, and the tool's other calls in this turn were read-only: the line of the run counts it. */
function isQuietFailure(item: ToolItem): boolean {
  return item.state === 'failed' && isUnremarkable(item);
}

/** It succeeded and shows nothing that needs attention. */
function isQuiet(item: ToolItem): boolean {
  return item.state === 'done' && isUnremarkable(item);
}

/** It shows nothing while closed, and the reader has not touched it. */
function isUnremarkable(item: ToolItem): boolean {
  if (item.isTouched || item.isOwnCall) return false;
  return !item.canBeUndone && item.result?.parts === undefined && (item.card === null || !showsUnopened(item.card));
}
