export interface LinesInView {
  readonly first: number;
  readonly last: number;
  readonly total: number;
}

/**
 * Which lines of a block the view shows, as drawn, or null if it shows none or all of them. All values are pixels from
 * the same start.
 */
export function linesInView(
  block: { readonly top: number; readonly height: number; readonly lineHeight: number },
  view: { readonly top: number; readonly bottom: number },
): LinesInView | null {
  const total = Math.round(block.height / block.lineHeight);
  const first = Math.max(1, Math.ceil((view.top - block.top) / block.lineHeight) + 1);
  const last = Math.min(total, Math.floor((view.bottom - block.top) / block.lineHeight));
  return last < first || (first === 1 && last === total) ? null : { first, last, total };
}
