export interface DateGroup<T> {
  readonly title: string;
  readonly items: readonly T[];
}

const DAY_MS = 86_400_000;

/**
 * Groups conversations, the newest first, under headings that people think in: Today, Yesterday, Previous 7 days, then
 * months.
 */
export function groupByDate<T extends { readonly updatedAt: string }>(
  items: readonly T[],
  now: Date,
  locale?: string,
): readonly DateGroup<T>[] {
  const sorted = [...items].sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : 0));
  const groups = new Map<string, T[]>();
  for (const item of sorted) {
    const title = titleOf(new Date(item.updatedAt), now, locale);
    const group = groups.get(title);
    if (group === undefined) groups.set(title, [item]);
    else group.push(item);
  }
  return [...groups].map(([title, grouped]) => ({ title, items: grouped }));
}

function titleOf(date: Date, now: Date, locale: string | undefined): string {
  // Days of the calendar, not spans of 24 hours; rounded, because a day may have 23 or 25 of them.
  const days = Math.round((startOfDay(now) - startOfDay(date)) / DAY_MS);
  if (days <= 0) return 'Today';
  if (days === 1) return 'Yesterday';
  if (days <= 7) return 'Previous 7 days';
  const isThisYear = date.getFullYear() === now.getFullYear();
  return date.toLocaleDateString(locale, isThisYear ? { month: 'long' } : { month: 'long', year: 'numeric' });
}

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
