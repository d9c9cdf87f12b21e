const CONTROLS =
  ':is(a[href], button, input, textarea, select, summary, [tabindex="0"]):not(:disabled, [type="hidden"], [tabindex="-1"])';
/**
 * The element that takes the focus in an area whose nearer controls are gone: the message field of the chat, the
 * heading of a page.
 */
const HOME = '[data-focus-home]';
/** The messages: other turns are no neighbours of the one that changes. */
const THREAD = '[data-thread]';
/** What lies over the page and goes as a whole; the focus then returns below it. */
const LAYER = '[role="dialog"], [role="alertdialog"], [role="menu"]';
const TEXT_FIELD = 'textarea, input:not([type="checkbox"], [type="radio"])';
const ENDS_TEXT = /^(?:Enter|Escape|Tab)$/;
/**
 * A key pressed so soon after the focus went on was meant for what had it before: “Stop” becomes “Send” when an answer
 * ends.
 */
const MEANT_FOR_LAST_MS = 500;

/** What had the focus last, in the page or in a layer over it. */
interface Holder {
  readonly layer: Element | null;
  readonly element: HTMLElement;
  /** Stays where the element was, whatever is removed there: the browser moves it. */
  readonly place: Range;
}

/**
 * When the focused element goes, the browser gives the focus to nobody: a screen reader starts again at the top, and
 * Escape and Enter reach nothing. Here it goes to what took the element's place, else to the next control, else to the
 * one before, each as near as there is one. A component that knows better focuses that itself. A control that was only
 * disabled gets the focus back. Nothing receives the rest of a text that the user writes when its field goes: it would
 * be sent, or press something.
 */
export function keepFocus(root: Document): void {
  /** The page's first, then one for each open layer. */
  let holders: Holder[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isKeyHeld = false;
  /** The key that is held has had its effect where the focus was. */
  let isKeySpent = false;
  let isWriting = false;
  /** When the focus went on to where it is now. */
  let movedAt = Number.NEGATIVE_INFINITY;

  root.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement) || target === root.body) return;
    isWriting = false;
    movedAt = Number.NEGATIVE_INFINITY;
    const layer = target.closest(LAYER);
    const known = holders.findIndex((holder) => holder.layer === layer);
    holders = [
      ...(known === -1 ? holders : holders.slice(0, known)),
      { layer, element: target, place: placeOf(target) },
    ];
  });

  root.addEventListener(
    'pointerdown',
    ({ target }) => {
      // The user takes the focus away.
      if (target instanceof Element && target.closest(`${CONTROLS}, [tabindex], label`) === null) holders = [];
    },
    { capture: true },
  );

  const onkey = (event: KeyboardEvent) => {
    isKeyHeld = event.type === 'keydown';
    if (isKeyHeld) isWriting = isOfText(event);
    if (!isKeyHeld) isKeySpent = false;
    else if (!event.repeat) {
      const isPress = presses(event);
      isKeySpent = isPress && performance.now() - movedAt < MEANT_FOR_LAST_MS;
      // The user has seen where the focus is, and goes on there.
      if (!isPress) movedAt = Number.NEGATIVE_INFINITY;
    }
    if (!isKeySpent) return;
    // A held key must not press one control after another as they come into its place.
    event.preventDefault();
    event.stopPropagation();
  };
  root.addEventListener('keydown', onkey, { capture: true });
  root.addEventListener('keyup', onkey, { capture: true });

  function restore(): void {
    timer = undefined;
    if (!isNobody(root)) return;
    while (holders.at(-1)?.layer?.isConnected === false) holders.pop();
    const holder = holders.at(-1);
    if (holder === undefined) return;
    const { element, place } = holder;
    const isThere = element.isConnected && isShown(element);
    const next = isThere ? element : nearest(place);
    if (!isThere && isWriting && next?.matches(CONTROLS)) {
      holders = [];
      return;
    }
    next?.focus();
    if (!isThere && root.activeElement === next) movedAt = performance.now();
    isKeySpent = isKeyHeld;
  }

  new MutationObserver(() => {
    // This waits, because dialogs and menus return the focus themselves.
    if (timer === undefined && holders.length > 0 && isNobody(root)) timer = setTimeout(restore);
  }).observe(root, { subtree: true, childList: true, attributeFilter: ['disabled', 'hidden', 'inert'] });
}

/** Enter also sends a text. */
function presses({ key, target }: KeyboardEvent): boolean {
  return key === 'Enter' || (key === ' ' && !(target instanceof Element && target.matches(TEXT_FIELD)));
}

function isOfText({ key, target, ctrlKey, metaKey, isComposing }: KeyboardEvent): boolean {
  if (!(target instanceof Element) || !target.matches(TEXT_FIELD)) return false;
  return isComposing || (!ctrlKey && !metaKey && !ENDS_TEXT.test(key));
}

function placeOf(element: Element): Range {
  const range = new Range();
  range.setStartBefore(element);
  return range;
}

function nearest(place: Range): HTMLElement | undefined {
  let area = place.startContainer instanceof Element ? place.startContainer : place.startContainer.parentElement;
  for (; area !== null; area = area.parentElement) {
    const isThread = area.matches(THREAD);
    const home = (isThread ? area.ownerDocument : area).querySelector<HTMLElement>(HOME);
    if (home !== null && isShown(home)) return home;
    if (isThread) continue;
    const controls = [...area.querySelectorAll<HTMLElement>(CONTROLS)];
    const found =
      controls.find((control) => place.comparePoint(control, 0) > 0 && isShown(control)) ??
      controls.findLast((control) => place.comparePoint(control, 0) < 0 && isShown(control));
    if (found !== undefined) return found;
    if (area instanceof HTMLElement && area.matches(LAYER)) return area;
  }
  return undefined;
}

function isNobody({ activeElement, body }: Document): boolean {
  return activeElement === null || activeElement === body;
}

function isShown(element: Element): boolean {
  return element.checkVisibility({ visibilityProperty: true }) && element.closest('[inert]') === null;
}
