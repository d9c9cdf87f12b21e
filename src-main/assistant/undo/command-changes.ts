import type { Mark } from '../../../src-preload/contract/events.ts';
import { errorMessage } from '../../base/errors.ts';
import type { Checkpoint, Checkpoints, EndedCheckpoint } from '../../checkpoints/checkpoints.ts';
import type { Access } from '../../policy/access.ts';
import { marksKept } from '../../tools/memory/memory-write.ts';
import type { ConversationLog } from '../conversation-log.ts';
import type { Provenance } from '../review/file-review.ts';

export interface CommandChangesOptions {
  readonly checkpoints: Pick<Checkpoints, 'begin'>;
  readonly provenance: Pick<Provenance, 'changed' | 'ofContents'>;
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
    this.#remember(written);
    const { log, callId } = this.#options;
    const isListed = Object.values(changes.counts).some((count) => count > 0);
    const isTold = changes.notKept.some(({ why }) => why.code === 'unfinished');
    if (isListed || isTold) log.append({ type: 'changes', id: callId, ...changes });
  }

  /**
   * Files that were written while text from outside was present are unreviewed, as after an edit. So are those that now
   * contain what an unreviewed file contains: a command copied or renamed it.
   */
  #remember(written: EndedCheckpoint['written']): void {
    const { provenance, log, callId, marks } = this.#options;
    const { conversationId } = log;
    const outside = marksKept(marks.filter(({ kind }) => kind === 'untrusted'));
    for (const { path, digest: hash } of written) {
      if (isBookkeepingOfGit(path)) continue;
      const marks = outside.length > 0 ? outside : hash === null ? [] : provenance.ofContents(hash);
      if (marks.length > 0) provenance.changed({ path, hash, marks, conversationId, callId });
    }
  }
}

/**
 * What Git writes by itself, such as the objects and the log of a commit. No program runs it, and a review of it would
 * show nothing that a user could judge. Its configuration and its hooks are no part of it.
 */
function isBookkeepingOfGit(path: string): boolean {
  const parts = path.split(/[\\/]/);
  const inside = parts.slice(parts.indexOf('.git') + 1);
  if (inside.length === parts.length) return false;
  return !inside.some((name) => name === 'hooks' || name === 'info' || name.startsWith('config'));
}

const NO_CHANGES = { made: 0, changed: 0, deleted: 0, renamed: 0, mode: 0 } as const;
