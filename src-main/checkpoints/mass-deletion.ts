import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { NamedChange } from './changed-paths.ts';
import type { ContentStore } from './content-store.ts';
import type { LookPlace } from './look.ts';

/** More deleted files than this may be a mistake. */
const MANY = 100;
/** So may be a tenth of all, unless that is only a few. */
const SHARE = 0.1;
const A_FEW = 20;
/** Larger files are not looked for in Git. */
const MAX_HASHED_BYTES = 10 * 1024 * 1024;
/** Where Git reads what it ignores, or where it is told to read it. */
const IGNORE_RULES = /[/\\](?:\.gitignore|\.git|\.git[/\\](?:config|info[/\\]exclude))$/iu;

/** A file that a command deleted. */
export interface DeletedFile {
  readonly path: string;
  /** The folder of the work tree of Git that it was in. Absent if it was in none, or that was deleted too. */
  readonly repository?: string;
  /** Names that Git may have for its content. */
  readonly blobs: readonly string[];
  /** False if the command changed what Git ignores: `echo '*' > .gitignore; rm -r notes` would hide what it deleted. */
  readonly mayBeIgnored: boolean;
}

export interface DeletedFiles {
  readonly files: readonly DeletedFile[];
  /** How many files were in the roots. */
  readonly of: number;
}

/** Whether so many deleted files, of all in the roots, may be a mistake. */
export function isMassDeletion(deleted: number, of: number): boolean {
  return deleted > MANY || (deleted > A_FEW && deleted >= of * SHARE);
}

/** The files that were deleted, if they are so many that it may be a mistake. */
export function massDeletion(
  place: LookPlace,
  roots: readonly string[],
  named: readonly NamedChange[],
): DeletedFiles | undefined {
  const deleted = named.filter(({ transition: { from, to } }) => from.kind === 'file' && to.kind === 'absent');
  if (deleted.length <= A_FEW) return undefined;
  const of = deleted.length + roots.reduce((sum, root) => sum + filesIn(place, root), 0);
  if (!isMassDeletion(deleted.length, of)) return undefined;
  const repositories = new Repositories(named);
  const mayBeIgnored = !named.some(({ changed }) => IGNORE_RULES.test(changed.path));
  const files = deleted.flatMap(({ transition: { path, from } }): DeletedFile[] => {
    const repository = repositories.of(dirname(path));
    if (repository === undefined) return [{ path, blobs: [], mayBeIgnored }];
    // Git deletes its own files all the time, when it packs them.
    if (path.startsWith(join(repository, '.git') + sep)) return [];
    const digest = from.kind === 'file' && from.size <= MAX_HASHED_BYTES ? from.digest : null;
    return [{ path, repository, blobs: digest === null ? [] : blobsOf(place.contents, digest), mayBeIgnored }];
  });
  return { files, of };
}

function filesIn({ index }: LookPlace, root: string): number {
  const row = index
    .statement<{ files: number }>(
      `SELECT count(*) AS files FROM entries JOIN roots ON roots.num = entries.root
       WHERE path = ? AND state LIKE '{"kind":"file"%'`,
    )
    .get(root);
  return row?.files ?? 0;
}

/** Which work tree of Git each folder is in. */
class Repositories {
  readonly #deleted: ReadonlySet<string>;
  readonly #known = new Map<string, string | undefined>();

  constructor(named: readonly NamedChange[]) {
    this.#deleted = new Set(named.flatMap(({ changed }) => (changed.change === 'deleted' ? [changed.path] : [])));
  }

  of(folder: string): string | undefined {
    if (this.#known.has(folder)) return this.#known.get(folder);
    const found = this.#find(folder);
    this.#known.set(folder, found);
    return found;
  }

  #find(folder: string): string | undefined {
    const git = join(folder, '.git');
    if (existsSync(git)) return folder;
    const above = dirname(folder);
    return this.#deleted.has(git) || above === folder ? undefined : this.of(above);
  }
}

/** Also that of a text whose lines Git ends differently than the system. */
function blobsOf(contents: ContentStore, digest: string): string[] {
  const content = contents.get(digest);
  if (content === undefined) return [];
  const bytes = Buffer.from('bytes' in content ? content.bytes : readFileSync(content.file));
  const isText = bytes.includes('\r\n') && !bytes.includes(0);
  const asText = isText ? [Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')] : [];
  return [bytes, ...asText].map((each) =>
    createHash('sha1').update(`blob ${each.length}\0`).update(each).digest('hex'),
  );
}
