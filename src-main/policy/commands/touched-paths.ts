import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { Consequence } from '../../../src-preload/contract/consequence.ts';
import { isInside } from '../../base/paths.ts';
import type { LooseWord } from './loose-line.ts';

/** The place in which a command would run, as far as its effects depend on it. */
export interface EffectsPlace {
  readonly realWorkspace: string;
  /** The real path of the home folder. */
  readonly home: string;
  /** Resolves a path, or returns the path itself if that is not possible. */
  realPath(path: string): string;
  /** Whether a real path lies in the workspace or a granted folder. */
  isInsideRoots(realPath: string): boolean;
  /** The variables that a command would get. Without them, the value of each is unknown. */
  readonly variables?: Readonly<NodeJS.ProcessEnv>;
}

const DISK = /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|mapper\/|dm-|loop)/;

/** Each `cd` may double the number of folders. If there are more than this, a command may run anywhere. */
const MAX_FOLDERS = 32;

/** Resolves the paths in a line's commands and what changing them means. */
export class TouchedPaths {
  readonly #place: EffectsPlace;
  /**
   * The folders in which a command may run. There can be several, because the next command may not run where a `cd`
   * leads. Undefined among them means anywhere.
   */
  #folders: readonly (string | undefined)[];

  constructor(directory: string, place: EffectsPlace) {
    this.#place = place;
    this.#folders = [directory];
  }

  /** Enters a folder as `cd` does. With undefined it is the home folder, as for `cd` without arguments. */
  enter(folder: LooseWord | undefined): void {
    const entered = folder === undefined ? [this.#place.home] : (this.#pathsOf(folder) ?? [undefined]);
    const all = new Set([...this.#folders, ...entered]);
    this.#folders = all.size > MAX_FOLDERS ? [undefined] : [...all];
  }

  deletion(target: LooseWord): Consequence {
    const paths = this.#pathsOf(target);
    if (paths === undefined) return { code: 'deletes_unknown_files' };
    const { home, realWorkspace, isInsideRoots } = this.#place;
    const takesAllOfFolder = /(?:^|\/)\.?\*$/.test(target.text);
    const wholes = takesAllOfFolder ? paths.map(dirname) : paths;
    if (wholes.includes('/')) return { code: 'deletes_everything', what: 'system' };
    if (wholes.some((path) => isInside(path, home))) return { code: 'deletes_everything', what: 'home' };
    if (wholes.some((path) => isInside(path, realWorkspace))) return { code: 'deletes_everything', what: 'workspace' };
    return { code: paths.every(isInsideRoots) ? 'deletes_files' : 'deletes_outside_workspace' };
  }

  /**
   * The deletion of matches below a folder. They are rarely everything in it, so the workspace needs no special
   * treatment.
   */
  deletionBelow(start: LooseWord): Consequence {
    const deletion = this.deletion(start);
    const isWorkspace = deletion.code === 'deletes_everything' && deletion.what === 'workspace';
    if (!isWorkspace) return deletion;
    const isInside = this.#pathsOf(start)?.every(this.#place.isInsideRoots) === true;
    return { code: isInside ? 'deletes_files' : 'deletes_outside_workspace' };
  }

  change(target: LooseWord): Consequence {
    const paths = this.#pathsOf(target);
    if (paths === undefined) return { code: 'unknown_effects', of: 'command' };
    if (paths.some((path) => DISK.test(path))) return { code: 'writes_disks' };
    return { code: paths.every(this.#place.isInsideRoots) ? 'changes_files' : 'changes_outside_workspace' };
  }

  /** The real paths of a word, one for each folder in which it may be resolved. Undefined if they are unknown. */
  #pathsOf({ text, isExact, isQuoted, isHome }: LooseWord): readonly string[] | undefined {
    if (!isExact || text === '-') return undefined;
    if (isHome) return [this.#real(join(this.#place.home, text.slice(1)))];
    if (text.startsWith('~') && !isQuoted) return undefined;
    if (isAbsolute(text)) return [this.#real(text)];
    const paths: string[] = [];
    for (const folder of this.#folders) {
      if (folder === undefined) return undefined;
      paths.push(this.#real(resolve(folder, text)));
    }
    return paths;
  }

  #real(path: string): string {
    return this.#place.realPath(resolve(path));
  }
}
