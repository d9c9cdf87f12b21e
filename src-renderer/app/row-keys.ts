/** Moves the focus among the rows of a list with the arrow keys, Home and End. Returns whether the key was handled. */
export function moveAmongRows(event: KeyboardEvent, list: HTMLElement): boolean {
  const rows = [...list.querySelectorAll<HTMLElement>('[data-row]')];
  const at = rows.indexOf(event.target as HTMLElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
  if (at < 0 || to === undefined) return false;
  event.preventDefault();
  rows[Math.min(rows.length - 1, Math.max(0, to))]?.focus();
  return true;
}
