import { randomUUID } from 'node:crypto';
import type { ShownChange } from '../../../src-preload/contract/conversations.ts';
import type { DecisionReason } from '../../../src-preload/contract/decision-reason.ts';
import type { StoredEvent } from '../../../src-preload/contract/events.ts';
import type { UndoRefusal } from '../../../src-preload/contract/undo-refusal.ts';
import { canonicalHash } from '../../base/canonical-json.ts';
import type { ConsentPort, UndoConsentRequest } from '../../policy/consent.ts';
import type { QuestionQueues } from '../../policy/question-queues.ts';
import type { BeforeImage, BeforeImages } from '../../storage/records/before-images.ts';
import { sha256 } from '../../tools/files/change-recorder.ts';
import { NotPutBack, type PresentState, presentState, putBack, whyUnusable } from '../../tools/files/put-back.ts';
import type { WorkspaceFiles } from '../../tools/files/workspace-files.ts';
import type { ToolRegistry } from '../../tools/registry/registry.ts';
import { ConversationBusy, type Leases } from '../assistant.ts';
import { ConversationLog, type EventStore, type Listener } from '../conversation-log.ts';
import type { FileReview } from '../review/file-review.ts';
import { planUndo, type UndoPlan, type UndoStep } from './undo-plan.ts';
import { undoPreviews } from './undo-preview.ts';

/**
 * What is to be undone. `callId` null: all calls of the turn. `turnId` null: that of the call, or the last that changed
 * a file.
 */
export interface UndoChoice {
  readonly conversationId: string;
  readonly turnId: string | null;
  readonly callId: string | null;
  /** Real paths: only these. Absent: all. */
  readonly paths?: readonly string[];
}

export type UndoOutcome =
  | {
      readonly kind: 'settled';
      /** The real paths of the restored files. */
      readonly undone: readonly string[];
      readonly refused: readonly UndoRefusal[];
    }
  | { readonly kind: 'declined'; readonly reason: DecisionReason };

/** The selected calls changed no files. */
export class NothingToUndo extends Error {
  override readonly name = 'NothingToUndo';
}

export interface UndoServices {
  readonly beforeImages: BeforeImages;
  /** Undone changes no longer need a review. */
  readonly review: Pick<FileReview, 'undone' | 'wasApproved'>;
  readonly events: EventStore;
  readonly leases: Leases;
  readonly registry: Pick<ToolRegistry, 'get'>;
  /** Read on each access. */
  readonly files: () => WorkspaceFiles;
  readonly consent: ConsentPort;
  /** Shared with everything else that asks this user. */
  readonly questions: QuestionQueues;
}

/** Stop asking about a file that changes faster than a user can answer. */
const MAX_QUESTIONS = 5;

interface Prepared extends UndoPlan {
  readonly tools: readonly (string | null)[];
  readonly boundTo: string;
}

/**
 * Undoes the file changes of calls, after the user has seen the effect and agreed. There is no redo. Source:
 * docs/decisions/011-undo.md.
 */
export class Undo {
  readonly #services: UndoServices;
  #carrying: Promise<unknown> = Promise.resolve();

  constructor(services: UndoServices) {
    this.#services = services;
  }

  /**
   * Throws `NothingToUndo`, `ConversationBusy` while a turn runs in the conversation, `StorageError`, or the signal's
   * reason. `listener` gets the `undo` event.
   */
  async run(
    choice: UndoChoice,
    { signal, listener }: { readonly signal: AbortSignal; readonly listener: Listener },
  ): Promise<UndoOutcome> {
    await this.#alone(choice.conversationId, async () => undefined);
    const first = await this.#prepare(choice);
    if (first.steps.length === 0) return settled([], first.refused);
    const origin = { conversationId: choice.conversationId, askedFor: 'user' } as const;
    return this.#services.questions.run(origin, signal, async () => {
      for (let asked = 0; asked < MAX_QUESTIONS; asked += 1) {
        const prepared = await this.#prepare(choice);
        if (prepared.steps.length === 0) return settled([], prepared.refused);
        const answer = await this.#services.consent.ask(await this.#request(choice, prepared, asked > 0), signal);
        signal.throwIfAborted();
        if (answer.answer !== 'allow') return { kind: 'declined', reason: answer.reason ?? { code: 'declined' } };
        const outcome = await this.#alone(choice.conversationId, async () => {
          const now = await this.#prepare(choice);
          if (now.boundTo !== prepared.boundTo) return undefined;
          const carrying = this.#carryOut(choice, now, listener);
          this.#carrying = carrying;
          return carrying;
        });
        if (outcome !== undefined) return outcome;
      }
      const { steps, refused } = await this.#prepare(choice);
      const reason = { code: 'kept_changing' } as const;
      return settled([], [...steps.map(({ path }) => ({ path, reason })), ...refused]);
    });
  }

  /** Makes undone changes again. `callId` null: what was undone last. Throws as `run` does. */
  async redo(
    { conversationId, callId }: Omit<UndoChoice, 'turnId'>,
    { signal }: { readonly signal: AbortSignal; readonly listener: Listener },
  ): Promise<UndoOutcome> {
    signal.throwIfAborted();
    throw new NothingToUndo(`There is nothing to redo${callId === null ? '' : ` of ${callId}`} in ${conversationId}.`);
  }

  /** What a command changed in one file. */
  async changeOf({ callId, path }: { conversationId: string; callId: string; path: string }): Promise<ShownChange> {
    return { kind: 'none', note: `${callId} did not change ${path}.` };
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

  async #prepare({ conversationId, turnId, callId }: UndoChoice): Promise<Prepared> {
    const images = this.#services.beforeImages.list(conversationId);
    const events = this.#services.events.read(conversationId);
    const turn = turnId ?? turnOf(callId, images, events);
    const isChosen = (image: BeforeImage) => image.turnId === turn && (callId === null || image.callId === callId);
    const present = new Map<string, PresentState>();
    for (const { path } of images.filter((image) => isChosen(image) && !image.isUndone))
      if (!present.has(path)) present.set(path, await presentState(this.#services.files(), path));
    const names = toolNames(events);
    const toolOf = (id: string) => names.get(id) ?? null;
    const plan = planUndo({ images, isChosen, present, toolOf });
    const steps = plan.steps.filter((step) => this.#isIntact(step));
    const refused = [
      ...plan.steps
        .filter((step) => !steps.includes(step))
        .map(({ path }) => ({ path, reason: { code: 'damaged' } as const })),
      ...plan.refused,
      ...undoneAlready(images.filter(isChosen)),
      ...this.#impossible(events, turn, callId),
    ];
    if (steps.length === 0 && refused.length === 0) throw new NothingToUndo('There is nothing here to undo.');
    const taken = steps.flatMap((step) => step.images);
    return {
      steps,
      refused,
      tools: [...new Set(taken.map((image) => toolOf(image.callId)))],
      boundTo: canonicalHash(
        steps.map(({ path, present: now, images: taken }) => ({
          path,
          now: now.hash,
          mode: now.mode,
          taken: taken.map(({ num }) => num),
        })),
      ),
    };
  }

  /** Selected calls that did something other than change files. */
  #impossible(events: readonly StoredEvent[], turn: string | undefined, callId: string | null): UndoRefusal[] {
    const inTurn = events.filter((event) => event.turnId === turn);
    const allowed = new Map(
      inTurn.flatMap((event) => (event.type === 'decision' && event.answer === 'allow' ? [[event.id, event]] : [])),
    );
    const names = inTurn.flatMap((event) => {
      if (event.type !== 'tool_call' || (callId !== null && event.id !== callId)) return [];
      const decision = allowed.get(event.id);
      if (decision === undefined) return [];
      // A tool that no longer exists can't describe what it did; its decision says whether it only read (opening a
      // group of tools does).
      const onlyRead = decision.classes?.every((each) => each === 'read') === true;
      const undo = this.#services.registry.get(event.name)?.undo ?? (onlyRead ? 'nothing' : 'impossible');
      return undo === 'impossible' ? [event.name] : [];
    });
    return [...new Set(names)].map((path) => ({ path, reason: { code: 'not_by_undo' } }));
  }

  async #request(
    { conversationId, callId }: UndoChoice,
    prepared: Prepared,
    changed: boolean,
  ): Promise<UndoConsentRequest> {
    const { steps, refused, tools, boundTo } = prepared;
    const reason = { code: 'undo', tools } as const;
    return {
      kind: 'undo',
      id: randomUUID(),
      reason: changed ? { code: 'changed_while_asked', asked: reason } : reason,
      subject: callId === null ? 'turn' : 'call',
      previews: await undoPreviews(steps, (step) => this.#bytesBefore(step)),
      refused,
      boundTo,
      conversationId,
      ...(this.#wasShown(prepared) ? { wasShown: true } : {}),
    };
  }

  /** All it would do is take back, file by file, one change that the user saw whole and allowed in this session. */
  #wasShown({ steps, refused }: Prepared): boolean {
    const isReverse = ({ images: [only, ...more], present }: UndoStep) =>
      only !== undefined &&
      more.length === 0 &&
      only.afterHash === present.hash &&
      // Permissions that were changed since are set back, too.
      (only.before === null || only.before.mode === present.mode) &&
      this.#services.review.wasApproved(only.num);
    return refused.length === 0 && steps.every(isReverse);
  }

  /** A salvaged database may return different bytes than were stored, and those must not overwrite a file. */
  #isIntact({ target }: UndoStep): boolean {
    if (target.before === null) return true;
    const bytes = this.#services.beforeImages.bytes(target.num);
    return bytes !== undefined && sha256(bytes) === target.before.hash;
  }

  /** Null if there was no file. */
  #bytesBefore({ target }: UndoStep): Uint8Array | null {
    if (target.before === null) return null;
    const bytes = this.#services.beforeImages.bytes(target.num);
    if (bytes === undefined) throw new NotPutBack({ code: 'dropped_meanwhile' });
    return bytes;
  }

  async #carryOut({ conversationId }: UndoChoice, plan: Prepared, listener: Listener): Promise<UndoOutcome> {
    const done: UndoStep[] = [];
    const failed: UndoRefusal[] = [];
    for (const step of plan.steps) {
      const { path, present, target } = step;
      try {
        const bytes = this.#bytesBefore(step);
        const before = bytes === null || target.before === null ? null : { bytes, mode: target.before.mode };
        const { madeFolders } = target;
        await putBack(this.#services.files(), { path, expectedHash: present.hash, before, madeFolders });
        done.push(step);
      } catch (error) {
        failed.push({ path, reason: whyUnusable(error, path) });
      }
    }
    const images = done.flatMap((step) => step.images);
    const undone = done.map(({ path }) => path);
    if (done.length > 0) {
      const log = new ConversationLog(this.#services.events, conversationId, randomUUID(), listener);
      log.closeInterruptedTurn();
      // If killed in between, the files are restored and a second undo finds nothing to do.
      log.append({ type: 'undo', calls: [...new Set(images.map(({ callId }) => callId))], paths: undone });
      const overtaken = done.flatMap((step) => step.overtaken);
      this.#services.beforeImages.markUndone([...images, ...overtaken].map(({ num }) => num));
      this.#services.review.undone(conversationId, [...images, ...overtaken]);
    }
    return settled(undone, [...failed, ...plan.refused]);
  }
}

function settled(undone: readonly string[], refused: readonly UndoRefusal[]): UndoOutcome {
  return { kind: 'settled', undone, refused };
}

function turnOf(
  callId: string | null,
  images: readonly BeforeImage[],
  events: readonly StoredEvent[],
): string | undefined {
  if (callId === null) return images.findLast(({ isUndone }) => !isUndone)?.turnId;
  const call = events.find((event) => event.type === 'tool_call' && event.id === callId);
  if (call === undefined) throw new NothingToUndo(`There is no call ${callId} in this conversation.`);
  return call.turnId;
}

function toolNames(events: readonly StoredEvent[]): ReadonlyMap<string, string> {
  return new Map(events.flatMap((event) => (event.type === 'tool_call' ? [[event.id, event.name]] : [])));
}

/** Files of which nothing is left to undo. */
function undoneAlready(chosen: readonly BeforeImage[]): UndoRefusal[] {
  const open = new Set(chosen.flatMap(({ path, isUndone }) => (isUndone ? [] : [path])));
  const paths = new Set(chosen.map(({ path }) => path).filter((path) => !open.has(path)));
  return [...paths].map((path) => ({ path, reason: { code: 'already_undone' } }));
}
