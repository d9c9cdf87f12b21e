import { isGlob, nameMatcher } from './name-glob.ts';

/** Keeps the names of disabled tools between starts. Some of the tools may not be registered at the moment. */
export interface DisabledToolsStore {
  load(): readonly string[];
  /**
   * `change` receives the newest names, because another process may have switched tools since the last `load`. Returns
   * what was stored.
   */
  update(change: (names: readonly string[]) => readonly string[]): Promise<readonly string[]>;
}

export interface KnownTools {
  readonly all: readonly string[];
  /** The registered name of the tool that this name, wire name or alias means. */
  canonical(name: string): string | undefined;
}

export interface SwitchOutcome {
  /** Registered names, in the order of the request. */
  readonly changed: readonly string[];
  readonly notFound: readonly string[];
}

type Matcher = (name: string) => boolean;

/** Which tools are switched off. Keys are case-folded. Source: tool catalogue A.5. */
export class DisabledTools {
  readonly #store: DisabledToolsStore;
  /** Names and globs, as a user may have written them into the settings. */
  readonly #entries = new Set<string>();
  /** The entries that are globs. */
  readonly #globs = new Map<string, Matcher>();
  #stored: readonly string[] = [];
  #version: object = {};

  constructor(store: DisabledToolsStore) {
    this.#store = store;
    this.reload();
  }

  /** Adopts the settings if they have changed; until then, a change that could not be saved stays in effect. */
  reload(): void {
    const stored = [...this.#store.load()];
    if (stored.length === this.#stored.length && stored.every((name, index) => name === this.#stored[index])) return;
    this.#take(stored);
  }

  /** An object that is replaced by another one after each change. */
  get version(): object {
    return this.#version;
  }

  /** `names` are all the names of one tool, the registered one first. */
  includes(names: readonly string[]): boolean {
    if (this.#entries.size === 0) return false;
    if (names.some((name) => this.#entries.has(foldCase(name)))) return true;
    const [registered = ''] = names;
    return [...this.#globs.values()].some((matches) => matches(foldCase(registered)));
  }

  async disable(names: readonly string[], known: KnownTools): Promise<SwitchOutcome> {
    const outcome = meant(names, known, new Set());
    for (const name of outcome.changed) this.#add(foldCase(name));
    await this.#save();
    return outcome;
  }

  /** What `enable` would switch on, including tools that are already on. */
  meantToEnable(names: readonly string[], known: KnownTools): SwitchOutcome {
    return meant(names, known, this.#entries);
  }

  async enable(names: readonly string[], known: KnownTools): Promise<SwitchOutcome> {
    const outcome = this.meantToEnable(names, known);
    const enabled = new Set(outcome.changed.map(foldCase));
    for (const entry of [...this.#entries]) {
      const isNamed = enabled.has(entry) || enabled.has(foldCase(known.canonical(entry) ?? entry));
      const matches = this.#globs.get(entry);
      const covered = matches === undefined ? [] : known.all.map(foldCase).filter(matches);
      if (!isNamed && !covered.some((name) => enabled.has(name))) continue;
      this.#version = {};
      this.#entries.delete(entry);
      this.#globs.delete(entry);
      // Everything else the glob covered stays off.
      for (const name of covered) if (!enabled.has(name)) this.#add(name);
    }
    await this.#save();
    return outcome;
  }

  /** Saves only what changed here since the last load, so that switches made elsewhere are kept. */
  async #save(): Promise<void> {
    const loaded = new Set(this.#stored.map(foldCase));
    const added = [...this.#entries].filter((entry) => !loaded.has(entry));
    const removed = new Set([...loaded].filter((entry) => !this.#entries.has(entry)));
    const kept = await this.#store.update((names) => {
      const others = names.map(foldCase).filter((entry) => !removed.has(entry));
      return [...new Set([...others, ...added])].sort();
    });
    this.#take(kept);
  }

  #take(stored: readonly string[]): void {
    this.#stored = stored;
    this.#version = {};
    this.#entries.clear();
    this.#globs.clear();
    for (const name of stored) this.#add(foldCase(name));
  }

  #add(entry: string): void {
    this.#version = {};
    this.#entries.add(entry);
    if (isGlob(entry)) this.#globs.set(entry, nameMatcher(entry));
  }
}

/** `remembered` are entries that count as known although no such tool is registered at the moment. */
function meant(names: readonly string[], known: KnownTools, remembered: ReadonlySet<string>): SwitchOutcome {
  const changed = new Set<string>();
  const notFound: string[] = [];
  for (const name of names) {
    const single = known.canonical(name) ?? (remembered.has(foldCase(name)) ? foldCase(name) : undefined);
    const matching = single !== undefined ? [single] : isGlob(name) ? matchingNames(name, known, remembered) : [];
    if (matching.length === 0) notFound.push(name);
    for (const each of matching) changed.add(each);
  }
  return { changed: [...changed], notFound };
}

function matchingNames(glob: string, known: KnownTools, remembered: ReadonlySet<string>): string[] {
  const matches = nameMatcher(foldCase(glob));
  const registered = known.all.filter((name) => matches(foldCase(name)));
  const others = [...remembered].filter(
    (entry) => !isGlob(entry) && known.canonical(entry) === undefined && matches(entry),
  );
  return [...registered, ...others];
}

/** Tool names are case-insensitive. */
export function foldCase(name: string): string {
  return name.toLowerCase();
}
