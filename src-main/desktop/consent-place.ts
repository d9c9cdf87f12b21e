/**
 * The frame of the chat page, in its CSS pixels. Source: src-renderer/app/Sidebar.svelte, `--measure` in
 * src-renderer/ui/tokens.css.
 */
const SIDEBAR_WIDTH = 280;
const SIDEBAR_FROM_WIDTH = 760;
const COMPOSER_WIDTH = 704;
const COMPOSER_MARGIN = { wide: 24, narrow: 12 } as const;

/**
 * The composer height that the page reports is clamped to these, because a compromised page may report anything. In CSS
 * pixels of the chat.
 */
const COMPOSER_HEIGHT = { least: 64, most: 240 } as const;
/** A question narrower than this, in its CSS pixels, can't be read. Source: WCAG 2.2, 1.4.10. */
const LEAST_WIDTH = 320;
/**
 * If a question can't become this high, in its CSS pixels, only a few lines between its title and its buttons could be
 * read at a time.
 */
const LEAST_ROOM = 200;
/** Title and buttons, in CSS pixels of the question: it can't make itself invisible. */
const LEAST_HEIGHT = 100;
/** The height that is assumed before the page has told how high the question is. */
const UNKNOWN_HEIGHT = 240;
/** The conversation above it stays readable. */
const MAX_OF_WINDOW = 0.5;
/** The height of the chat's header and a few lines of a message, in CSS pixels of the chat. */
const ABOVE = 120;
const MESSAGES = 64;

/** All measures are in device-independent pixels, unless stated otherwise. */
export interface ConsentSurroundings {
  readonly window: { readonly width: number; readonly height: number };
  readonly chatZoom: number;
  readonly consentZoom: number;
  /** In CSS pixels of the chat. */
  readonly composerHeight: number;
  /**
   * The room for messages and a question together, in CSS pixels of the chat. The page reports it, and can only make
   * the question smaller with it.
   */
  readonly room: number | undefined;
  /**
   * The height that the question needs to be shown without scrolling, in CSS pixels of its page, or undefined if it is
   * not measured yet.
   */
  readonly questionHeight: number | undefined;
}

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The bounds of a question above the composer, or undefined if there is not enough room. */
export function dockedPlace(surroundings: ConsentSurroundings): Rectangle | undefined {
  const {
    window,
    chatZoom,
    consentZoom,
    composerHeight,
    room = Number.POSITIVE_INFINITY,
    questionHeight = UNKNOWN_HEIGHT,
  } = surroundings;
  const isWide = window.width >= SIDEBAR_FROM_WIDTH * chatZoom;
  const left = isWide ? SIDEBAR_WIDTH * chatZoom : 0;
  const margin = COMPOSER_MARGIN[isWide ? 'wide' : 'narrow'] * chatZoom;
  const width = Math.min(window.width - left - 2 * margin, COMPOSER_WIDTH * Math.max(chatZoom, consentZoom));
  const below = within(COMPOSER_HEIGHT, composerHeight) * chatZoom;
  const free = Math.min(window.height - below - ABOVE * chatZoom, (room - MESSAGES) * chatZoom);
  const most = Math.min(window.height * MAX_OF_WINDOW, free);
  if (width < LEAST_WIDTH * consentZoom || most < LEAST_ROOM * consentZoom) return undefined;
  const height = within({ least: LEAST_HEIGHT * consentZoom, most }, Math.ceil(questionHeight * consentZoom));
  const x = left + (window.width - left - width) / 2;
  return rounded({ x, y: window.height - below - height, width, height });
}

function rounded({ x, y, width, height }: Rectangle): Rectangle {
  const [left, top] = [Math.round(x), Math.round(y)];
  return { x: left, y: top, width: Math.round(x + width) - left, height: Math.round(y + height) - top };
}

function within({ least, most }: { readonly least: number; readonly most: number }, value: number): number {
  return Math.min(most, Math.max(least, value));
}
