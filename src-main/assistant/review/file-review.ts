import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import type { DecisionReason } from '../../../src-preload/contract/decision-reason.ts';
import type { Mark } from '../../../src-preload/contract/events.ts';
import { undoRefusalText } from '../../../src-preload/contract/undo-refusal.ts';
import { canonicalHash } from '../../base/canonical-json.ts';
import { decodeText } from '../../base/encoding/text-encoding.ts';
import { Listeners } from '../../base/listeners.ts';
import { isInside } from '../../base/paths.ts';
import { realPathOf, realPathOrItself } from '../../base/real-path.ts';
import type { WrittenFile } from '../../checkpoints/checkpoints.ts';
import type { Access } from '../../policy/access.ts';
import type { ConsentPort } from '../../policy/consent.ts';
import { DiffPreview } from '../../policy/diff-preview.ts';
import { eachOnce } from '../../policy/mark-sources.ts';
import type { QuestionQueues } from '../../policy/question-queues.ts';
import type { Review, UnreviewedFiles } from '../../policy/unreviewed-files.ts';
import type { Conversations } from '../../storage/conversations/conversations.ts';
import type { BeforeImages } from '../../storage/records/before-images.ts';
import type {
  UnreviewedFiles as KeptChanges,
  NewUnreviewedChange as NewChange,
  UnreviewedChange,
} from '../../storage/records/unreviewed-files.ts';
import { sha256 } from '../../tools/files/change-recorder.ts';
import { type PresentState, presentState } from '../../tools/files/put-back.ts';
import type { WorkspaceFiles } from '../../tools/files/workspace-files.ts';
import { FileComparisons } from '../file-comparison.ts';
import { isBookkeepingOfGit } from './git-bookkeeping.ts';
import { isSelfRunning } from './self-running-files.ts';

export interface FileReviewServices {
  readonly unreviewedFiles: KeptChanges;
  readonly beforeImages: Pick<BeforeImages, 'list' | 'bytes'>;
  readonly conversations: Pick<Conversations, 'get'>;
  /** Read on each access. */
  readonly files: () => WorkspaceFiles;
  /** The real paths of the roots, of every workspace of this session. */
  readonly roots: () => readonly string[];
  readonly consent: ConsentPort;
  /** Shared with everything else that asks this user. */
  readonly questions: QuestionQueues;
}

export type ReviewOutcome =
  | { readonly kind: 'nothing' }
  /** `paths` are real paths. */
  | { readonly kind: 'reviewed'; readonly paths: readonly string[] }
  | { readonly kind: 'declined'; readonly reason: DecisionReason };

/** The part that running a call needs. */
export type Provenance = Pick<
  FileReview,
  'changed' | 'notChanged' | 'changedOtherwise' | 'marksOf' | 'approved' | 'wrote'
>;

/**
 * A file's version before the first unreviewed change. It is null if the file did not exist, and undefined if its
 * version was not kept.
 */
type BytesBefore = Uint8Array | null | undefined;

/** Shown only to the user: commands may still find files in a folder that is no longer a root. */
const ANYWHERE = { resolve: async (path: string) => ({ real: (await realPathOf(path)).path }) };

/** Stop asking about files that keep changing faster than a user can answer. */
const MAX_QUESTIONS = 5;

/**
 * Files that tools changed after text from outside had been read. Tracked across conversations until a user has
 * reviewed or restored them. Source: design section 4, docs/decisions/020-files-remember.md.
 */
export class FileReview implements UnreviewedFiles {
  readonly #services: FileReviewServices;
  readonly #listeners = new Listeners();
  /** The numbers of before-images whose changes the user saw and allowed. */
  readonly #approved = new Set<number>();

  constructor(services: FileReviewServices) {
    this.#services = services;
  }

  /** Calls the listener on every change of `pending` made in this process. Returns a function to unsubscribe. */
  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Real paths of the files that are currently inside a root. */
  pending(): readonly string[] {
    return pathsOf(this.#kept.list().filter(({ path }) => this.#services.files().contains(path)));
  }

  inReachOf(folder: string, leavesRoots: boolean): readonly string[] {
    return pathsOf(leavesRoots ? this.#kept.list() : this.#keptAround(folder));
  }

  /** Real paths of the files in the roots that contain one of these real paths. */
  inRootsOf(places: readonly string[]): readonly string[] {
    const roots = this.#services.roots().filter((root) => places.some((place) => isInside(root, place)));
    return pathsOf(this.#kept.list().filter(({ path }) => roots.some((root) => isInside(root, path))));
  }

  /** What had been read from outside before the files of these accesses were changed, if those are unreviewed. */
  marksOf(accesses: readonly Access[]): readonly Mark[] {
    return eachOnce(
      accesses
        .flatMap((access) => {
          if (access.kind === 'command')
            return access.reading === undefined
              ? this.#keptAround(access.directory)
              : this.#keptIn(access.reading.paths);
          if (access.kind === 'app')
            return access.class === 'read' && access.outputFrom !== undefined
              ? this.#keptAround(access.outputFrom)
              : [];
          return access.kind === 'file' && access.class === 'read' ? this.#keptIn([access.path]) : [];
        })
        .flatMap(({ marks }) => marks),
    );
  }

  #keptIn(read: readonly string[]): readonly UnreviewedChange[] {
    if (read.length === 0) return [];
    // Of some folders it is only known that something in them was changed.
    return this.#kept.list().filter(({ path }) => read.some((each) => isInside(each, path) || isInside(path, each)));
  }

  #keptAround(folder: string): readonly UnreviewedChange[] {
    const roots = this.#services.roots();
    const kept = this.#kept.list();
    // npm, tsc, vitest and many other programs look for files in every parent folder, and node_modules there leads anywhere.
    const isAbove = (above: string) => [folder, ...roots].some((each) => isInside(above, each));
    const workspaces = this.#workspacesOf(kept);
    return kept.filter(({ path, conversationId }) => {
      const workspace = workspaces.get(conversationId);
      const isOfWorkspaceAbove = workspace !== undefined && isInside(workspace, path) && isAbove(workspace);
      return isOfWorkspaceAbove || isAbove(dirname(path)) || roots.some((root) => isInside(root, path));
    });
  }

  /** The real paths of the workspaces in which these changes were made, by conversation. */
  #workspacesOf(changes: readonly UnreviewedChange[]): ReadonlyMap<string, string> {
    const workspaces = new Map<string, string>();
    for (const id of new Set(changes.map(({ conversationId }) => conversationId))) {
      const conversation = this.#services.conversations.get(id);
      if (conversation !== undefined) workspaces.set(id, realPathOrItself(conversation.workspace));
    }
    return workspaces;
  }

  /**
   * A user saw the whole change in the question, allowed it, and it was made. This is known until the process ends.
   * `image` is its before-image.
   */
  approved(image: number): void {
    this.#approved.add(image);
  }

  wasApproved(image: number): boolean {
    return this.#approved.has(image);
  }

  /** Records that a file is about to be changed after this was read. Returns the record's number. */
  changed(change: NewChange): number {
    const num = this.#kept.add(change);
    this.#listeners.tell();
    return num;
  }

  /**
   * A command wrote these files after this was read. If nothing was, those count that contain what an unreviewed file
   * contains: the command copied or renamed it.
   */
  wrote(files: readonly WrittenFile[], { marks, conversationId, callId }: Omit<NewChange, 'path' | 'hash'>): void {
    const known = marks.length > 0 ? undefined : this.#marksByContent();
    const changes = files.flatMap(({ path, digest: hash }): NewChange[] => {
      const outside = known === undefined ? marks : (known.get(hash) ?? []);
      return outside.length === 0 || isBookkeepingOfGit(path)
        ? []
        : [{ path, hash, marks: outside, conversationId, callId }];
    });
    if (changes.length === 0) return;
    this.#kept.addAll(changes);
    this.#listeners.tell();
  }

  #marksByContent(): ReadonlyMap<string | null, readonly Mark[]> {
    const known = new Map<string | null, readonly Mark[]>();
    for (const { hash, marks } of this.#kept.list())
      if (hash !== null) known.set(hash, eachOnce([...(known.get(hash) ?? []), ...marks]));
    return known;
  }

  /** The file was not changed after all. */
  notChanged(num: number): void {
    this.#kept.remove([num]);
    this.#listeners.tell();
  }

  /**
   * The file's content differs from what was planned. `hash` is the SHA-256 (hex) of the content, or null if not known.
   */
  changedOtherwise(num: number, hash: string | null): void {
    this.#kept.setHash(num, hash);
  }

  /** The changes of these calls were undone. */
  undone(conversationId: string, changes: readonly { readonly callId: string; readonly path: string }[]): void {
    this.#kept.removeOfCalls(changes.map(({ callId, path }) => ({ conversationId, callId, path })));
    this.#listeners.tell();
  }

  async review(paths: readonly string[]): Promise<Review> {
    const wanted = new Set(paths);
    const all = this.#kept.list().filter(({ path }) => wanted.has(path));
    const comparisons = new FileComparisons();
    const changes: DiffPreview[] = [];
    const states: unknown[] = [];
    for (const path of pathsOf(all)) {
      const ofPath = all.filter((change) => change.path === path);
      const present = await presentState(ANYWHERE, path);
      changes.push(await preview(path, this.#before(ofPath[0]), present, comparisons));
      states.push({ path, nums: ofPath.map(({ num }) => num), present: stateHash(present) });
    }
    return {
      changes,
      hash: canonicalHash(states),
      finish: () => {
        this.#kept.remove(all.map(({ num }) => num));
        this.#listeners.tell();
      },
    };
  }

  /** Asks the user to review all files that are currently inside a root. Rejects with the signal's reason. */
  async run(signal: AbortSignal): Promise<ReviewOutcome> {
    if (this.pending().length === 0) return { kind: 'nothing' };
    return this.#services.questions.run({ conversationId: null, askedFor: 'user' }, signal, async () => {
      for (let asked = 0; asked < MAX_QUESTIONS; asked += 1) {
        const paths = this.pending();
        if (paths.length === 0) return { kind: 'nothing' };
        const shown = await this.review(paths);
        const request = { kind: 'review', id: randomUUID(), reason: why(asked > 0), review: shown.changes } as const;
        const answer = await this.#services.consent.ask({ ...request, boundTo: shown.hash }, signal);
        signal.throwIfAborted();
        if (answer.answer !== 'allow' || answer.scope !== 'reviewed')
          return { kind: 'declined', reason: ('reason' in answer ? answer.reason : undefined) ?? { code: 'declined' } };
        const now = await this.review(this.pending());
        if (now.hash !== shown.hash) continue;
        now.finish();
        return { kind: 'reviewed', paths };
      }
      return { kind: 'declined', reason: { code: 'kept_changing' } };
    });
  }

  get #kept(): KeptChanges {
    return this.#services.unreviewedFiles;
  }

  #before(first: UnreviewedChange | undefined): BytesBefore {
    if (first === undefined) return undefined;
    const { beforeImages } = this.#services;
    const image = beforeImages
      .list(first.conversationId)
      .find(({ callId, path }) => callId === first.callId && path === first.path);
    if (image === undefined) return undefined;
    if (image.before === null) return null;
    const bytes = beforeImages.bytes(image.num);
    // A salvaged database may return different bytes than were stored.
    return bytes !== undefined && sha256(bytes) === image.before.hash ? bytes : undefined;
  }
}

function why(isAgain: boolean): DecisionReason {
  const reason = { code: 'review' } as const;
  return isAgain ? { code: 'changed_while_asked', asked: reason } : reason;
}

/** First those that programs run by themselves: a list may be too long to be read to its end. */
function pathsOf(changes: readonly UnreviewedChange[]): readonly string[] {
  const paths = [...new Set(changes.map(({ path }) => path))];
  return [...paths.filter(isSelfRunning), ...paths.filter((path) => !isSelfRunning(path))];
}

function stateHash(present: PresentState): unknown {
  if (present.kind === 'file') return { hash: present.hash, mode: present.mode };
  return present.kind === 'absent' ? null : present.reason;
}

async function preview(
  path: string,
  before: BytesBefore,
  present: PresentState,
  comparisons: FileComparisons,
): Promise<DiffPreview> {
  if (present.kind === 'unusable') {
    const note = `It can’t be shown: ${undoRefusalText(present.reason)}.`;
    return new DiffPreview({ path, before: null, after: '', note });
  }
  if (present.kind === 'absent') {
    const isText = before !== null && before !== undefined && before.length > 0;
    const note = 'It no longer exists.';
    return new DiffPreview({ path, before: isText ? await textOf(before) : null, after: '', note });
  }
  const why = comparisons.whyNot(present, before ?? null);
  if (why !== undefined || present.bytes === null) return new DiffPreview({ path, before: null, after: '', note: why });
  const after = await textOf(present.bytes);
  if (before === undefined) {
    const note = 'The earlier version was not kept, so all of it is shown as new.';
    return new DiffPreview({ path, before: null, after, note });
  }
  return new DiffPreview({ path, before: before === null ? null : await textOf(before), after });
}

async function textOf(bytes: Uint8Array): Promise<string> {
  return (await decodeText(bytes)).text;
}
