import { grouped } from '../../base/text.ts';
import { type BeforeImages, type DroppedImage, MAX_IMAGE_BYTES } from '../../storage/records/before-images.ts';
import { ToolFailure } from '../../tools/contract.ts';
import type { ChangeRecorder, FileChange, RecordedChange } from '../../tools/files/change-recorder.ts';
import type { ConversationLog } from '../conversation-log.ts';

const MOST_PATHS_NAMED = 5;

/** As much of the storage of before-images as recording a change takes. */
export type KeptImages = Pick<BeforeImages, 'add' | 'remove' | 'setAfterHash'>;

/** Keeps what one call changes as it was before, in storage. */
export class CallChanges implements ChangeRecorder {
  readonly maxBytes = MAX_IMAGE_BYTES;
  private readonly images: KeptImages;
  private readonly log: ConversationLog;
  private readonly callId: string;
  private readonly undoable = new Set<string>();
  private isClosed = false;

  constructor(images: KeptImages, log: ConversationLog, callId: string) {
    this.images = images;
    this.log = log;
    this.callId = callId;
  }

  /** Paths, as the call was given them, that it changed and that can be put back. */
  get changed(): readonly string[] {
    return [...this.undoable];
  }

  /** The call has its result: one that was given up on must not write behind it. */
  close(): void {
    this.isClosed = true;
  }

  record({ given, path, before, afterHash, madeFolders }: FileChange): RecordedChange {
    if (this.isClosed)
      throw new ToolFailure('Error: The call was stopped; nothing was written.', { outcome: 'stopped' });
    const { conversationId, turnId } = this.log;
    const { num, dropped } = this.images.add(conversationId, {
      ...{ turnId, callId: this.callId, path, afterHash, madeFolders },
      before: before === null ? null : { hash: before.hash, size: before.size, mode: before.mode },
      bytes: before?.bytes ?? null,
    });
    const isKept = before === null || before.bytes !== null;
    this.tellOfDropped(dropped);
    return {
      made: () => {
        if (isKept) this.undoable.add(given);
        else if (!this.isClosed) this.tellOfTooLarge(given, before.size);
      },
      notMade: () => this.images.remove(num),
      halfMade: (hash) => {
        this.images.setAfterHash(num, hash);
        if (isKept) this.undoable.add(given);
      },
    };
  }

  private tellOfTooLarge(given: string, size: number): void {
    const most = MAX_IMAGE_BYTES / 1024 / 1024;
    this.log.append({
      type: 'notice',
      code: 'undo_not_kept',
      message: `${given} had ${grouped(size)} bytes. Files of more than ${most} MB are not kept as they were, so this change cannot be undone.`,
    });
  }

  private tellOfDropped(dropped: readonly DroppedImage[]): void {
    if (dropped.length === 0) return;
    const elsewhere = dropped.some(({ conversationId }) => conversationId !== this.log.conversationId);
    const paths = [...new Set(dropped.map(({ path }) => path))];
    const more = paths.length > MOST_PATHS_NAMED ? ` and ${paths.length - MOST_PATHS_NAMED} more` : '';
    this.log.append({
      type: 'notice',
      code: 'undo_dropped',
      message: `To make room, the oldest states kept for undo were dropped${elsewhere ? ', some of them of other conversations' : ''}. These changes cannot be undone any more: ${paths.slice(0, MOST_PATHS_NAMED).join(', ')}${more}.`,
    });
  }
}
