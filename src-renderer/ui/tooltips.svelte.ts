/** Which tooltip is shown: at most one. */
class Tooltips {
  /** The element that it is about. */
  anchor: Element | null = $state.raw(null);
  #wantedBy: Element | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  showIn(delayMs: number, element: Element): void {
    this.hide();
    this.#wantedBy = element;
    this.#timer = setTimeout(() => {
      this.anchor = element.isConnected ? element : null;
    }, delayMs);
  }

  /** The pointer or the focus left the element. */
  left(element: Element): void {
    if (this.#wantedBy === element) this.hide();
  }

  /** Hides a tooltip, even one that was about to come. */
  hide(): void {
    clearTimeout(this.#timer);
    this.#wantedBy = null;
    this.anchor = null;
  }
}

export const tooltips = new Tooltips();
