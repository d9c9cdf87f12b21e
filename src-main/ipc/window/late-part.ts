/** A part of the window that is loaded once the services run. If that fails, every request to it is told why. */
export class LatePart<Part> {
  readonly loaded: Promise<Part>;
  #current: Part | undefined;

  constructor(loading: Promise<Part>) {
    this.loaded = loading.then((part) => {
      this.#current = part;
      return part;
    });
    this.loaded.catch(() => undefined);
  }

  /** Undefined until the part is loaded. */
  get current(): Part | undefined {
    return this.#current;
  }

  /** The handlers of requests to it, which wait until it is there. */
  handlers<H>(handlersOf: (part: Part) => H | Promise<H>): Promise<H> {
    const handlers = this.loaded.then(handlersOf);
    handlers.catch(() => undefined);
    return handlers;
  }
}
