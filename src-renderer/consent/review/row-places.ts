import type { Attachment } from 'svelte/attachments';
import type { RowPlace, ToolReview } from './tool-review.svelte.ts';

const CONTEXT = 0.15;
/** The keys with which the page itself scrolls, by this share of the view. */
const PAGE_KEYS: Readonly<Record<string, number>> = { PageDown: 0.9, PageUp: -0.9 };
const LINE = 48;

/** Tells the review which rows are in view. Keys that scroll do so wherever the focus is. */
export function followScrolling(review: ToolReview): Attachment<HTMLElement> {
  return (table) => {
    const scroller = scrollerOf(table);
    const look = () => {
      const { top, bottom } = scroller.getBoundingClientRect();
      review.inView(placesIn(table), top, bottom);
    };
    const onKey = (event: KeyboardEvent) => {
      if (scrolledBy(event, scroller)) event.preventDefault();
    };
    const observer = new ResizeObserver(look);
    observer.observe(table);
    observer.observe(scroller);
    scroller.addEventListener('scroll', look, { passive: true });
    document.addEventListener('keydown', onKey);
    return () => {
      observer.disconnect();
      scroller.removeEventListener('scroll', look);
      document.removeEventListener('keydown', onKey);
    };
  };
}

/**
 * Scrolls to the first part that was not in view, or to what has to be opened, with the focus on the button that opens
 * it.
 */
export function showMissing(review: ToolReview): void {
  const { missing } = review;
  if (missing === null) return;
  const { key } = missing.item;
  const row = document.querySelector<HTMLElement>(`[data-definition="${key}"]`);
  if (row === null) return;
  const scroller = scrollerOf(row);
  const start = row.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
  scroller.scrollBy({ top: start + review.firstUnseenIn(key) - scroller.clientHeight * CONTEXT });
  row.querySelector<HTMLElement>('button')?.focus({ preventScroll: true });
}

function placesIn(table: HTMLElement): readonly RowPlace[] {
  return [...table.querySelectorAll<HTMLElement>('[data-definition]')].map((row) => {
    const { top, height } = row.getBoundingClientRect();
    return { key: Number(row.dataset.definition), top, height };
  });
}

function scrollerOf(element: HTMLElement): HTMLElement {
  let at = element.parentElement;
  while (at !== null && !/auto|scroll/.test(getComputedStyle(at).overflowY)) at = at.parentElement;
  return at ?? document.documentElement;
}

/** If the focus is inside, the browser scrolls by itself. */
function scrolledBy({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent, scroller: HTMLElement): boolean {
  if (ctrlKey || metaKey || altKey || (target instanceof Node && scroller.contains(target))) return false;
  if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return false;
  const pages = PAGE_KEYS[key];
  if (pages !== undefined) scroller.scrollBy({ top: pages * scroller.clientHeight });
  else if (key === 'End') scroller.scrollTo({ top: scroller.scrollHeight });
  else if (key === 'Home') scroller.scrollTo({ top: 0 });
  else if (key === 'ArrowDown' || key === 'ArrowUp') scroller.scrollBy({ top: key === 'ArrowDown' ? LINE : -LINE });
  else return false;
  return true;
}
