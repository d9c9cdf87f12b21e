export type Side = 'top' | 'bottom' | 'left' | 'right';

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Box extends Size {
  readonly left: number;
  readonly top: number;
}

const GAP_PX = 6;
const EDGE_PX = 8;
const OPPOSITE: Readonly<Record<Side, Side>> = { top: 'bottom', bottom: 'top', left: 'right', right: 'left' };

/** Position of a tooltip: beside its anchor, on the other side if there is no room, never outside the window. */
export function tooltipPlace(
  anchor: Box,
  tooltip: Size,
  side: Side,
  page: Size,
): { readonly left: number; readonly top: number } {
  const wanted = beside(anchor, tooltip, side);
  const { left, top } = fits(wanted, tooltip, page) ? wanted : beside(anchor, tooltip, OPPOSITE[side]);
  return {
    left: Math.max(EDGE_PX, Math.min(left, page.width - tooltip.width - EDGE_PX)),
    top: Math.max(EDGE_PX, Math.min(top, page.height - tooltip.height - EDGE_PX)),
  };
}

function beside(anchor: Box, tooltip: Size, side: Side): { readonly left: number; readonly top: number } {
  const centred = {
    left: anchor.left + (anchor.width - tooltip.width) / 2,
    top: anchor.top + (anchor.height - tooltip.height) / 2,
  };
  switch (side) {
    case 'top':
      return { left: centred.left, top: anchor.top - tooltip.height - GAP_PX };
    case 'bottom':
      return { left: centred.left, top: anchor.top + anchor.height + GAP_PX };
    case 'left':
      return { left: anchor.left - tooltip.width - GAP_PX, top: centred.top };
    default:
      return { left: anchor.left + anchor.width + GAP_PX, top: centred.top };
  }
}

function fits({ left, top }: { readonly left: number; readonly top: number }, tooltip: Size, page: Size): boolean {
  return left >= 0 && top >= 0 && left + tooltip.width <= page.width && top + tooltip.height <= page.height;
}
