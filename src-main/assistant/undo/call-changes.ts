import type { Mark } from '../../../src-preload/contract/events.ts';
import { grouped } from '../../base/text.ts';
import type { CallEffects } from '../../policy/access.ts';
import type { Allowed } from '../../policy/gate.ts';
import type { UnaskedChanges } from '../../policy/unasked-changes.ts';
import { type BeforeImages, type DroppedImage, MAX_IMAGE_BYTES } from '../../storage/records/before-images.ts';
import { ToolFailure } from '../../tools/contract.ts';
import type { ChangeRecorder, FileChange, RecordedChange } from '../../tools/files/change-recorder.ts';
import { marksKept } from '../../tools/memory/memory-write.ts';
import type { ConversationLog } from '../conversation-log.ts';
import type { Provenance } from '../review/file-review.ts';

const MAX_PATHS_NAMED = 5;

/** The part of the before-image storage that recording a change needs. */
export type KeptImages = Pick<BeforeImages, 'add' | 'remove' | 'setAfterHash'>;

export interface CallChangesOptions {
  readonly images: KeptImages;
  readonly provenance: Provenance;
  readonly log: ConversationLog;
  readonly callId: string;
  /** Marks of the conversation when the call was made. */
  readonly marks: readonly Mark[];
  readonly unaskedChanges: Pick<UnaskedChanges, 'add'>;
}

/**
 * Stores the earlier version of everything one call changes, and whether text from outside may have influenced the
 * change.
 */
export class CallChanges implements ChangeRecorder {
  readonly maxBytes = MAX_IMAGE_BYTES;
  readonly #images: KeptImages;
  readonly #provenance: Provenance;
  readonly #log: ConversationLog;
  readonly #callId: string;
  readonly #unaskedChanges: CallChangesOptions['unaskedChanges'];
  /** What was read from outside. */
  readonly #outside: readonly Mark[];
  readonly #undoable = new Set<string>();
  /** Real paths whose whole change a user saw before allowing it. */
  #seen: ReadonlySet<string> = new Set();
  #isClosed = false;

  constructor({ images, provenance, log, callId, marks, unaskedChanges }: CallChangesOptions) {
    this.#images = images;
    this.#provenance = provenance;
    this.#log = log;
    this.#callId = callId;
    this.#unaskedChanges = unaskedChanges;
    this.#outside = marksKept(marks.filter(({ kind }) => kind === 'untrusted'));
  }

  /** A change allowed by a rule or a flag, or shown without a comparison, was not seen by anyone. */
  allowed({ by, approved }: Pick<Allowed<CallEffects>, 'by' | 'approved'>): void {
    const shown = by === 'user' ? (approved.previews ?? []) : [];
    this.#seen = new Set(shown.flatMap((each) => (each.kind === 'diff' && each.note === undefined ? [each.path] : [])));
  }

  /** Paths, as given in the call, that it changed and that can be restored. */
  get changed(): readonly string[] {
    return [...this.#undoable];
  }

  /** The call has its result: an abandoned one must not write after that. */
  close(): void {
    this.#isClosed = true;
  }

  record({ given, path, before, afterHash, madeFolders }: FileChange): RecordedChange {
    if (this.#isClosed)
      throw new ToolFailure('Error: The call was stopped; nothing was written.', { outcome: 'stopped' });
    const { conversationId, turnId } = this.#log;
    const provenance = this.#provenance;
    const marks = this.#outside;
    const callId = this.#callId;
    const isSeen = this.#seen.has(path);
    const isUnreviewed = marks.length > 0 && !isSeen;
    // Before and after: a question may begin in between.
    const countUnasked = () => {
      if (!isSeen) this.#unaskedChanges.add([path]);
    };
    countUnasked();
    // First, so that if the process dies in between, the file is recorded rather than the change missed.
    const unreviewed = isUnreviewed
      ? provenance.changed({ path, hash: afterHash, marks, conversationId, callId })
      : undefined;
    const { num, dropped } = this.#images.add(conversationId, {
      turnId,
      callId,
      path,
      afterHash,
      madeFolders,
      before: before === null ? null : { hash: before.hash, size: before.size, mode: before.mode },
      bytes: before?.bytes ?? null,
    });
    const isKept = before === null || before.bytes !== null;
    this.#tellOfDropped(dropped);
    return {
      made: () => {
        countUnasked();
        if (isSeen) provenance.approved(num);
        if (isKept) this.#undoable.add(given);
        else if (!this.#isClosed) this.#tellOfTooLarge(given, before.size);
      },
      notMade: () => {
        this.#images.remove(num);
        if (unreviewed !== undefined) provenance.notChanged(unreviewed);
      },
      halfMade: (hash) => {
        countUnasked();
        this.#images.setAfterHash(num, hash);
        if (unreviewed !== undefined) provenance.changedOtherwise(unreviewed, hash);
        if (isKept) this.#undoable.add(given);
      },
    };
  }

  #tellOfTooLarge(given: string, size: number): void {
    const most = MAX_IMAGE_BYTES / 1024 / 1024;
    this.#log.append({
      type: 'notice',
      code: 'undo_not_kept',
      message: `${given} had ${grouped(size)} bytes. Earlier versions of files over ${most} MB are not kept, so this change can’t be undone.`,
    });
  }

  #tellOfDropped(dropped: readonly DroppedImage[]): void {
    if (dropped.length === 0) return;
    const elsewhere = dropped.some(({ conversationId }) => conversationId !== this.#log.conversationId);
    const paths = [...new Set(dropped.map(({ path }) => path))];
    const more = paths.length > MAX_PATHS_NAMED ? ` and ${paths.length - MAX_PATHS_NAMED} more` : '';
    this.#log.append({
      type: 'notice',
      code: 'undo_dropped',
      message: `To make room, the oldest file versions kept for undo were deleted${elsewhere ? ', including some from other conversations' : ''}. These changes can no longer be undone: ${paths.slice(0, MAX_PATHS_NAMED).join(', ')}${more}.`,
    });
  }
}
