import { randomUUID } from 'node:crypto';
import { changeCount } from '../../../src-preload/contract/changes-text.ts';
import type { ShownChange, UndoneCounts } from '../../../src-preload/contract/conversations.ts';
import type { DecisionReason } from '../../../src-preload/contract/decision-reason.ts';
import type { EventOf, StoredEvent } from '../../../src-preload/contract/events.ts';
import type { KeptForUndo } from '../../../src-preload/contract/settings.ts';
import type { UndoRefusal } from '../../../src-preload/contract/undo-refusal.ts';
import type { Checkpoints } from '../../checkpoints/checkpoints.ts';
import type { ConsentPort, UndoConsentRequest } from '../../policy/consent.ts';
import type { QuestionQueues } from '../../policy/question-queues.ts';
import { wasSecretFile } from '../../policy/secret-files.ts';
import type { KnownSecrets } from '../../secrets/known-secrets.ts';
import type { BeforeImage, BeforeImages } from '../../storage/records/before-images.ts';
import type { WorkspaceFiles } from '../../tools/files/workspace-files.ts';
import { marksKept } from '../../tools/memory/memory-write.ts';
import type { ToolRegistry } from '../../tools/registry/registry.ts';
import { ConversationBusy, type Leases } from '../assistant.ts';
import { ConversationLog, type EventStore, type Listener } from '../conversation-log.ts';
import type { FileReview } from '../review/file-review.ts';
import { preparedCheckpointUndo, preparedRedo, type UndoOfCheckpoints } from './checkpoint-undo.ts';
import type { PreparedUndo, Undone } from './prepared-undo.ts';
import { type RedoRecords, ToolUndo, toolNames } from './tool-undo.ts';
import { undoneCalls } from './undo-plan.ts';

/**
 * What is to be undone. `callId` null: all calls of the turn. `turnId` null: that of the call, or the last that changed
 * a file. `paths`: only these of the real paths that commands changed.
 */
export interface UndoChoice {
  readonly conversationId: string;
  readonly turnId: string | null;
  readonly callId: string | null;
  readonly paths?: readonly string[] | undefined;
  /** Those paths come back even where somebody changed them since. */
  readonly replacesOthers?: true | undefined;
}

/** What is to be redone. `callId` null: what was undone last. */
export type RedoChoice = Pick<UndoChoice, 'conversationId' | 'callId'>;

export type UndoOutcome =
  | {
      readonly kind: 'settled';
      /** The real paths of what was restored, the first thousand of them. */
      readonly undone: readonly string[];
      /** See `UndoResult`. */
      readonly counts?: UndoneCounts;
      readonly refused: readonly UndoRefusal[];
    }
  | { readonly kind: 'declined'; readonly reason: DecisionReason };

/** The selected calls changed no files. */
export class NothingToUndo extends Error {
  override readonly name = 'NothingToUndo';
}

export interface UndoServices {
  readonly beforeImages: BeforeImages;
  /** Undone changes no longer need a review; those that are made again do. */
  readonly review: Pick<FileReview, 'undone' | 'wasApproved' | 'wrote'>;
  readonly events: EventStore;
  readonly leases: Leases;
  readonly registry: Pick<ToolRegistry, 'get'>;
  /** Read on each access. */
  readonly files: () => WorkspaceFiles;
  readonly checkpoints: UndoOfCheckpoints & RedoRecords & ChangeTexts & Pick<Checkpoints, 'kept' | 'clear'>;
  /** Read on each access. */
  readonly knownSecrets: () => Pick<KnownSecrets, 'redactIn'>;
  readonly consent: ConsentPort;
  /** Shared with everything else that asks this user. */
  readonly questions: QuestionQueues;
}

/** Tells what a command changed in one file. */
interface ChangeTexts {
  changeOf(change: { conversationId: string; callId: string; path: string }): Promise<ShownChange>;
}

interface Surface {
  readonly signal: AbortSignal;
  readonly listener: Listener;
}

/** Stop asking about a file that changes faster than a user can answer. */
const MAX_QUESTIONS = 5;

/**
 * Undoes the file changes of calls, after the user has seen the effect and agreed, and makes them again. Source:
 * docs/decisions/011-undo.md, docs/decisions/074-checkpoints.md.
 */
export class Undo {
  readonly #services: UndoServices;
  readonly #tools: ToolUndo;
  #carrying: Promise<unknown> = Promise.resolve();

  constructor(services: UndoServices) {
    this.#services = services;
    this.#tools = new ToolUndo({ ...services, redo: services.checkpoints });
  }

  /**
   * Throws `NothingToUndo`, `ConversationBusy` while a turn runs in the conversation, `StorageError`, or the signal's
   * reason. The listener gets the `undo` event.
   */
  async run(choice: UndoChoice, surface: Surface): Promise<UndoOutcome> {
    const subject = choice.callId === null ? 'turn' : 'call';
    return this.#ask({ ...choice, kind: 'undo', subject, prepare: () => this.#prepare(choice) }, surface);
  }

  /** Makes undone changes again. Throws as `run` does. The listener gets the `redo` event. */
  async redo(choice: RedoChoice, surface: Surface): Promise<UndoOutcome> {
    return this.#ask({ ...choice, kind: 'redo', subject: 'call', prepare: () => this.#prepareRedo(choice) }, surface);
  }

  /** What a command changed in one file, for the page: without secrets, which it never gets. */
  async changeOf(change: { conversationId: string; callId: string; path: string }): Promise<ShownChange> {
    const { checkpoints, knownSecrets } = this.#services;
    const shown = await checkpoints.changeOf(change);
    // Without the mark at the beginning of each line.
    const text = shown.kind === 'diff' ? shown.patch.replaceAll(/^[-+ ]/gm, '') : null;
    if (wasSecretFile(change.path, text))
      return { kind: 'none', note: 'It may hold secrets, so the difference is not shown here.' };
    // A picture contains no readable secret, and must not be changed.
    return shown.kind === 'diff' ? knownSecrets().redactIn(shown) : shown;
  }

  /** How much is kept of what can be undone. Counting it may take a while. */
  async kept(): Promise<KeptForUndo> {
    const { checkpoints, beforeImages } = this.#services;
    const { bytes, commands } = await checkpoints.kept();
    const ofTools = beforeImages.amount();
    return { bytes: bytes + ofTools.bytes, commands, edits: ofTools.calls };
  }

  /** Deletes all of it. Resolves with false, and deletes nothing, while a command or an undo needs it. */
  async clearKept(): Promise<boolean> {
    const { checkpoints, beforeImages } = this.#services;
    const isCleared = await checkpoints.clear();
    if (isCleared) await beforeImages.clear();
    return isCleared;
  }

  /** Calls that may still be undone, newest first, for people who don't mean the last turn. */
  open(
    conversationId: string,
  ): readonly { readonly callId: string; readonly tool: string | null; readonly paths: string[] }[] {
    const names = toolNames(this.#services.events.read(conversationId));
    const calls = new Map<string, Set<string>>();
    for (const { callId, path, isUndone } of this.#services.beforeImages.list(conversationId))
      if (!isUndone) calls.set(callId, (calls.get(callId) ?? new Set()).add(path));
    return [...calls]
      .reverse()
      .map(([callId, paths]) => ({ callId, tool: names.get(callId) ?? null, paths: [...paths] }));
  }

  /** Waits until no file is being restored, so that everything done is also recorded. */
  async settle(): Promise<void> {
    await Promise.allSettled([this.#carrying]);
  }

  /** Prevents other changes to the conversation. Not held while the user is asked. */
  async #alone<T>(conversationId: string, work: () => Promise<T>): Promise<T> {
    const lease = this.#services.leases.acquire(conversationId);
    if (!('release' in lease)) throw new ConversationBusy(lease.heldByPid);
    try {
      return await work();
    } finally {
      lease.release();
    }
  }

  async #ask(asked: Asked, { signal, listener }: Surface): Promise<UndoOutcome> {
    const { conversationId, prepare } = asked;
    await this.#alone(conversationId, async () => undefined);
    const first = await prepare();
    if (first.count === 0) return settled(first);
    const origin = { conversationId, askedFor: 'user' } as const;
    return this.#services.questions.run(origin, signal, async () => {
      for (let questions = 0; questions < MAX_QUESTIONS; questions += 1) {
        const prepared = await prepare();
        if (prepared.count === 0) return settled(prepared);
        const answer = await this.#services.consent.ask(await requestFor(asked, prepared, questions > 0), signal);
        signal.throwIfAborted();
        if (answer.answer !== 'allow') return { kind: 'declined', reason: answer.reason ?? { code: 'declined' } };
        const outcome = await this.#alone(conversationId, async () => {
          const now = await prepare();
          if (now.boundTo !== prepared.boundTo) return undefined;
          const carrying = this.#carryOut(asked, now, listener);
          this.#carrying = carrying;
          return carrying;
        });
        if (outcome !== undefined) return outcome;
      }
      const { paths, refused } = await prepare();
      const reason = { code: 'kept_changing' } as const;
      return { kind: 'settled', undone: [], refused: [...paths.map((path) => ({ path, reason })), ...refused] };
    });
  }

  async #carryOut(asked: Asked, prepared: PreparedUndo, listener: Listener): Promise<UndoOutcome | undefined> {
    const undone = await prepared.carryOut();
    if (undone === undefined) return undefined;
    if (undone.count > 0) this.#record(asked, undone, listener);
    const { paths, count, folders, refused } = undone;
    const isAll = count === paths.length && folders === 0;
    return {
      kind: 'settled',
      undone: paths,
      ...(isAll ? {} : { counts: { files: count - folders, folders } }),
      refused,
    };
  }

  #record({ conversationId, kind }: Asked, undone: Undone, listener: Listener): void {
    const { paths, count, calls, partly, images, changes } = undone;
    const { events, beforeImages, review } = this.#services;
    const log = new ConversationLog(events, conversationId, randomUUID(), listener);
    log.closeInterruptedTurn();
    const all = { calls, paths, ...(count === paths.length ? {} : { count }) };
    // If killed in between, the files are restored and a second undo finds nothing to do.
    if (kind === 'undo') {
      log.append({ type: 'undo', ...all, ...(partly.length === 0 ? {} : { partly }) });
      beforeImages.markUndone(images);
      review.undone(conversationId, changes);
      return;
    }
    log.append({ type: 'redo', ...all });
    beforeImages.markRedone(images);
    const marks = marksKept(log.marks().filter((mark) => mark.kind === 'untrusted'));
    const [callId = ''] = calls;
    const written = changes.map(({ path }) => ({ path, digest: null }));
    review.wrote(written, { marks, conversationId, callId });
  }

  async #prepare({ conversationId, turnId, callId, paths, replacesOthers }: UndoChoice): Promise<PreparedUndo> {
    const { beforeImages } = this.#services;
    const images = beforeImages.list(conversationId);
    const events = this.#services.events.read(conversationId);
    const turn = turnId ?? turnOf(callId, images, events);
    const isChosen = (image: BeforeImage) => image.turnId === turn && (callId === null || image.callId === callId);
    const names = toolNames(events);
    const toolOf = (id: string) => names.get(id) ?? null;
    const commands = changesIn(events).filter(
      (each) => each.turnId === turn && (callId === null || each.id === callId),
    );
    const calls = [...new Set(commands.map(({ id }) => id))];
    const chosen = { conversationId, images, isChosen, toolOf };
    const prepared = await (calls.length === 0
      ? this.#tools.prepare(chosen)
      : preparedCheckpointUndo(
          this.#services.checkpoints,
          {
            conversationId,
            calls,
            paths: paths ?? null,
            replacesOthers: paths !== undefined && replacesOthers === true,
            tools: paths === undefined ? images.filter((image) => isChosen(image) && isOpen(image)) : [],
            roots: this.#services.files().realRoots,
          },
          toolOf,
          (num) => beforeImages.bytes(num),
        ));
    const others = this.#impossible(events, turn, callId, new Set(calls));
    const refused = [...prepared.refused, ...others];
    if (prepared.count === 0 && refused.length === 0) throw new NothingToUndo('There is nothing here to undo.');
    const carryOut = async () => {
      const undone = await prepared.carryOut();
      return undone && { ...undone, refused: [...undone.refused, ...others] };
    };
    return { ...prepared, refused, carryOut };
  }

  async #prepareRedo({ conversationId, callId }: RedoChoice): Promise<PreparedUndo> {
    const names = toolNames(this.#services.events.read(conversationId));
    if (callId !== null && !names.has(callId)) throw unknownCall(callId);
    const asked = { conversationId, callId, roots: this.#services.files().realRoots };
    const prepared = await preparedRedo(this.#services.checkpoints, asked, (id) => names.get(id) ?? null);
    if (prepared === undefined || (prepared.count === 0 && prepared.refused.length === 0))
      throw new NothingToUndo('There is nothing here to redo.');
    return prepared;
  }

  /** Selected calls that did something other than change files. */
  #impossible(
    events: readonly StoredEvent[],
    turn: string | undefined,
    callId: string | null,
    withChanges: ReadonlySet<string>,
  ): UndoRefusal[] {
    const inTurn = events.filter((event) => event.turnId === turn);
    const allowed = new Map(
      inTurn.flatMap((event) => (event.type === 'decision' && event.answer === 'allow' ? [[event.id, event]] : [])),
    );
    const names = inTurn.flatMap((event) => {
      if (event.type !== 'tool_call' || (callId !== null && event.id !== callId) || withChanges.has(event.id))
        return [];
      const decision = allowed.get(event.id);
      if (decision === undefined) return [];
      // A tool that no longer exists can't describe what it did; its decision says whether it only read (opening a
      // group of tools does).
      const onlyRead = decision.classes?.every((each) => each === 'read') === true;
      const undo = this.#services.registry.get(event.name)?.undo ?? (onlyRead ? 'nothing' : 'impossible');
      // A command that changed nothing here may have done something elsewhere.
      return undo === 'impossible' || undo === 'checkpoint' ? [event.name] : [];
    });
    return [...new Set(names)].map((path) => ({ path, reason: { code: 'not_by_undo' } }));
  }
}

interface Asked {
  readonly kind: 'undo' | 'redo';
  readonly conversationId: string;
  readonly subject: UndoConsentRequest['subject'];
  readonly prepare: () => Promise<PreparedUndo>;
}

async function requestFor(
  { kind, conversationId, subject }: Asked,
  prepared: PreparedUndo,
  isAgain: boolean,
): Promise<UndoConsentRequest> {
  const { refused, tools, boundTo, wasShown } = prepared;
  const reason = { code: kind, tools } as const;
  return {
    kind: 'undo',
    id: randomUUID(),
    reason: isAgain ? { code: 'changed_while_asked', asked: reason } : reason,
    subject: kind === 'redo' ? 'redo' : subject,
    previews: await prepared.previews(),
    refused,
    boundTo,
    conversationId,
    ...(wasShown ? { wasShown: true } : {}),
  };
}

function unknownCall(callId: string): NothingToUndo {
  return new NothingToUndo(`There is no call ${callId} in this conversation.`);
}

function settled({ refused }: PreparedUndo): UndoOutcome {
  return { kind: 'settled', undone: [], refused };
}

/** Its earlier version is kept, and it is not undone. */
function isOpen({ isUndone, isDropped }: BeforeImage): boolean {
  return !isUndone && !isDropped;
}

/** The commands that changed something. */
function changesIn(events: readonly StoredEvent[]): (EventOf<'changes'> & StoredEvent)[] {
  return events.filter(
    (event): event is EventOf<'changes'> & StoredEvent => event.type === 'changes' && changeCount(event) > 0,
  );
}

function turnOf(
  callId: string | null,
  images: readonly BeforeImage[],
  events: readonly StoredEvent[],
): string | undefined {
  if (callId === null) return lastChanging(images, events);
  const call = events.find((event) => event.type === 'tool_call' && event.id === callId);
  if (call === undefined) throw unknownCall(callId);
  return call.turnId;
}

/** The last turn of which something is not undone. */
function lastChanging(images: readonly BeforeImage[], events: readonly StoredEvent[]): string | undefined {
  const open = new Set(images.flatMap(({ isUndone, turnId }) => (isUndone ? [] : [turnId])));
  const undone = undoneCalls(events);
  for (const { id, turnId } of changesIn(events)) if (!undone.has(id)) open.add(turnId);
  return events.findLast(({ turnId }) => open.has(turnId))?.turnId;
}
