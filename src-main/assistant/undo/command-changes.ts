import { changeCount } from '../../../src-preload/contract/changes-text.ts';
import type { EventOf, Mark, StoredEvent } from '../../../src-preload/contract/events.ts';
import { NO_CHANGES, type NotKept } from '../../../src-preload/contract/file-changes.ts';
import { errorMessage } from '../../base/errors.ts';
import type {
  Checkpoint,
  Checkpoints,
  EndedCheckpoint,
  RecoveredCommand,
  WrittenFile,
} from '../../checkpoints/checkpoints.ts';
import type { Access } from '../../policy/access.ts';
import { marksKept } from '../../tools/memory/memory-write.ts';
import { type ConversationLog, type EventStore, marksIn } from '../conversation-log.ts';
import type { Provenance } from '../review/file-review.ts';

export interface CommandChangesOptions {
  readonly checkpoints: Pick<Checkpoints, 'begin'>;
  readonly provenance: Pick<Provenance, 'wrote'>;
  readonly log: ConversationLog;
  readonly callId: string;
  /** Marks of the conversation when the call was made, and of what the command may read. */
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

  /** Whether what it changes will be listed and can be undone, except for what `notKept` names. */
  get isListed(): boolean {
    return !this.#checkpoint.notKept.some(({ why }) => why.code === 'unfinished' || why.code === 'no_space');
  }

  /**
   * The command has ended, in whatever way, or was refused after all and has not run. What it did counts even if it can't
   * be listed. `brought` are the marks of what it brought in by itself. Resolves with whether it changed files, or may
   * have.
   */
  async end({
    hasRun,
    brought = [],
  }: {
    readonly hasRun: boolean;
    readonly brought?: readonly Mark[];
  }): Promise<boolean> {
    const { log, callId, provenance, roots } = this.#options;
    const marks = outsideOf([...this.#options.marks, ...brought]);
    const wrote = (written: readonly WrittenFile[]) => {
      if (hasRun) provenance.wrote(written, { marks, conversationId: log.conversationId, callId });
    };
    let ended: EndedCheckpoint;
    try {
      ended = await this.#checkpoint.end(hasRun && marks.length > 0);
    } catch (error) {
      wrote(roots.map((path) => ({ path, digest: null })));
      const message = `What the command changed could not be listed: ${errorMessage(error)}. It can’t be undone.`;
      log.append({ type: 'notice', code: 'changes_unknown', message });
      return true;
    }
    wrote(ended.written);
    const changes = { ...ended.changes, notKept: this.#notToldBefore(ended.changes.notKept) };
    const isTold = changes.notKept.some(({ why }) => why.code === 'unfinished');
    if (changeCount(changes) > 0 || isTold) log.append({ type: 'changes', id: callId, ...changes });
    this.#checkpoint.recorded();
    return changeCount(changes) > 0 || !this.isListed;
  }

  /** That a folder can be made again is said once in a conversation. */
  #notToldBefore(notKept: readonly NotKept[]): readonly NotKept[] {
    const { log, callId } = this.#options;
    const earlier = log.events.flatMap((event) =>
      event.type === 'changes' && event.id !== callId ? event.notKept : [],
    );
    const told = new Set(earlier.map(({ path }) => path));
    return notKept.filter(({ path, why }) => why.code !== 'made_again' || !told.has(path));
  }
}

export interface RecoveredPlaces {
  readonly checkpoints: Pick<Checkpoints, 'recover'>;
  readonly provenance: Pick<Provenance, 'wrote'>;
  readonly events: EventStore;
  readonly conversations: { get(id: string): unknown };
}

/**
 * Records in their conversations what commands changed whose process died before it could. The listener gets the
 * events. Rejects if something could not be listed; that is tried again at the next start.
 */
export async function recoverChanges(places: RecoveredPlaces, listener: (event: StoredEvent) => void): Promise<void> {
  await places.checkpoints.recover((recovered) => {
    for (const event of recordedNow(places, recovered)) listener(event);
  });
}

function recordedNow(
  { provenance, events, conversations }: RecoveredPlaces,
  { conversationId, turnId, callId, changes, written }: RecoveredCommand,
): StoredEvent[] {
  // The conversation may have been deleted permanently since.
  if (conversations.get(conversationId) === undefined) return [];
  const log = events.read(conversationId);
  // The process died right after this.
  if (log.some((event) => event.type === 'changes' && event.id === callId && event.isRunning !== true)) return [];
  provenance.wrote(written, { marks: outsideOf(marksIn(log)), conversationId, callId });
  if (changeCount(changes) === 0) return [];
  const event: EventOf<'changes'> = { type: 'changes', id: callId, ...changes, notKept: [], isFoundLater: true };
  return events.appendAll(conversationId, turnId, [event]);
}

function outsideOf(marks: readonly Mark[]): readonly Mark[] {
  return marksKept(marks.filter(({ kind }) => kind === 'untrusted'));
}
