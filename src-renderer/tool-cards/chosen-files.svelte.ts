import { SvelteSet } from 'svelte/reactivity';
import type { ChangedPath } from '../../src-preload/contract/file-changes.ts';

/** The changed files and folders that the reader has ticked. */
export class ChosenFiles {
  readonly #paths = new SvelteSet<string>();
  /** The reader chooses; otherwise nothing can be ticked. */
  isChoosing = $state(false);

  get paths(): readonly string[] {
    return [...this.#paths];
  }

  among(files: readonly ChangedPath[]): readonly ChangedPath[] {
    return files.filter(({ path }) => this.#paths.has(path));
  }

  howMany(files: readonly ChangedPath[]): 'all' | 'some' | 'none' {
    const chosen = this.among(files).length;
    if (chosen === 0) return 'none';
    return chosen === files.length ? 'all' : 'some';
  }

  /** Ticks all of them, or none if all were ticked. */
  toggle(files: readonly ChangedPath[]): void {
    const isAll = this.howMany(files) === 'all';
    for (const { path } of files) {
      if (isAll) this.#paths.delete(path);
      else this.#paths.add(path);
    }
  }

  begin(): void {
    this.#paths.clear();
    this.isChoosing = true;
  }

  end(): void {
    this.#paths.clear();
    this.isChoosing = false;
  }
}
