import { compileGlob, expandBraces } from './glob.ts';

/** Any number of directories that are not hidden. */
const ANY_DEPTH = '**';

interface Position {
  readonly segment: typeof ANY_DEPTH | NameMatcher;
  readonly next: Position | undefined;
}

interface NameMatcher {
  readonly matches: (name: string) => boolean;
  /** Only a pattern that begins with a dot matches names that do. */
  readonly namesDot: boolean;
}

export interface PathGlobOptions {
  /**
   * Names that begin with a dot are treated like any other. Otherwise only a part of the pattern that begins with a dot
   * matches them.
   */
  readonly hidden?: boolean;
}

/**
 * A pattern for paths with `/`, as in shells with `globstar`: `**` matches any number of directories (including none),
 * everything else is matched name by name as in `compileGlob`. Source: tool catalogue B.1, glob.
 */
export class PathGlob {
  /** The possible positions in the pattern, by directory. */
  readonly #positions = new Map<string, readonly Position[]>();

  readonly #hidden: boolean;

  /** Throws `GlobError`. */
  constructor(pattern: string, { hidden = false }: PathGlobOptions = {}) {
    this.#hidden = hidden;
    const starts = expandBraces(pattern).flatMap((each) => positionsOf(each) ?? []);
    this.#positions.set('', withoutDepth(starts));
  }

  /** Whether a directory, relative to where the pattern starts, can contain a match. */
  mayHold(directory: string): boolean {
    return this.#in(directory).length > 0;
  }

  matches(path: string): boolean {
    const nameStart = path.lastIndexOf('/') + 1;
    return this.namesIn(path.slice(0, Math.max(0, nameStart - 1)))(path.slice(nameStart));
  }

  /** Which names match in a directory. */
  namesIn(directory: string): (name: string) => boolean {
    const last = this.#in(directory).filter(({ next }) => next === undefined);
    return (name) => last.some(({ segment }) => this.#accepts(segment, name));
  }

  #in(directory: string): readonly Position[] {
    const known = this.#positions.get(directory);
    if (known !== undefined) return known;
    const nameStart = directory.lastIndexOf('/') + 1;
    const name = directory.slice(nameStart);
    const here: Position[] = [];
    for (const position of this.#in(directory.slice(0, Math.max(0, nameStart - 1)))) {
      if (!this.#accepts(position.segment, name)) continue;
      if (position.segment === ANY_DEPTH) here.push(position);
      else if (position.next !== undefined) here.push(position.next);
    }
    const positions = withoutDepth(here);
    this.#positions.set(directory, positions);
    return positions;
  }

  #accepts(segment: Position['segment'], name: string): boolean {
    const isSeen = this.#hidden || !name.startsWith('.');
    if (segment === ANY_DEPTH) return isSeen;
    return (isSeen || segment.namesDot) && segment.matches(name);
  }
}

function positionsOf(pattern: string): Position | undefined {
  let next: Position | undefined;
  const segments = pattern.split('/').filter((segment) => segment !== '' && segment !== '.');
  for (const segment of segments.reverse()) {
    if (segment !== ANY_DEPTH) {
      next = { segment: { matches: compileGlob(segment), namesDot: /^\\?\./.test(segment) }, next };
    } else if (next?.segment !== ANY_DEPTH) {
      next = { segment: ANY_DEPTH, next };
    }
  }
  return next;
}

/** `**` may match nothing, so the part after it applies immediately. */
function withoutDepth(positions: readonly Position[]): readonly Position[] {
  const all = new Set(positions);
  for (const { segment, next } of all) if (segment === ANY_DEPTH && next !== undefined) all.add(next);
  return [...all];
}
