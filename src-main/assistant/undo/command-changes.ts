import { changeCount } from '../../../src-preload/contract/changes-text.ts';
import type { Mark } from '../../../src-preload/contract/events.ts';
import { NO_CHANGES } from '../../../src-preload/contract/file-changes.ts';
import { errorMessage } from '../../base/errors.ts';
import type { Checkpoint, Checkpoints, EndedCheckpoint } from '../../checkpoints/checkpoints.ts';
import type { Access } from '../../policy/access.ts';
import { marksKept } from '../../tools/memory/memory-write.ts';
import type { ConversationLog } from '../conversation-log.ts';
import type { Provenance } from '../review/file-review.ts';

export interface CommandChangesOptions {
  readonly checkpoints: Pick<Checkpoints, 'begin'>;
  readonly provenance: Pick<Provenance, 'wrote'>;
  readonly log: ConversationLog;
  readonly callId: string;
  /** Marks of the conversation when the call was made. */
  readonly marks: readonly Mark[];
  /** The real paths of the roots. */
  readonly roots: readonly string[];
}

/** Whether what is allowed by these accesses may change files in a way that only a comparison can tell. */
export function mayChangeFiles(access: readonly Access[]): boolean {
  return access.some((each) => each.kind === 'command' && each.reading === undefined && each.isForUser !== true);
}

/** What the command of one call changes in the roots: what was there is kept before, and the list is made after. */
export class CommandChanges {
  readonly #options: CommandChangesOptions;
  readonly #checkpoint: Checkpoint;

  private constructor(options: CommandChangesOptions, checkpoint: Checkpoint) {
    this.#options = options;
    this.#checkpoint = checkpoint;
  }

  /** Resolves when the command may run: everything is kept, or the user is told what is not. */
  static async begin(options: CommandChangesOptions): Promise<CommandChanges> {
    const { checkpoints, log, callId, roots } = options;
    const { conversationId, turnId } = log;
    const checkpoint = await checkpoints.begin({ conversationId, turnId, callId, roots });
    const { notKept } = checkpoint;
    if (notKept.some(({ why }) => why.code === 'unfinished'))
      log.append({ type: 'changes', id: callId, files: [], counts: NO_CHANGES, notKept, isRunning: true });
    return new CommandChanges(options, checkpoint);
  }

  /** The command has ended, in whatever way. What it did counts even if it can't be listed. */
  async end(): Promise<void> {
    let ended: EndedCheckpoint;
    try {
      ended = await this.#checkpoint.end();
    } catch (error) {
      const message = `What the command changed could not be listed: ${errorMessage(error)}. It can’t be undone.`;
      this.#options.log.append({ type: 'notice', code: 'changes_unknown', message });
      return;
    }
    const { changes, written } = ended;
    const { log, callId, provenance } = this.#options;
    const marks = marksKept(this.#options.marks.filter(({ kind }) => kind === 'untrusted'));
    provenance.wrote(written, { marks, conversationId: log.conversationId, callId });
    const isTold = changes.notKept.some(({ why }) => why.code === 'unfinished');
    if (changeCount(changes) > 0 || isTold) log.append({ type: 'changes', id: callId, ...changes });
  }
}
