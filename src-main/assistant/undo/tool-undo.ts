import type { StoredEvent } from '../../../src-preload/contract/events.ts';
import type { UndoRefusal } from '../../../src-preload/contract/undo-refusal.ts';
import { canonicalHash } from '../../base/canonical-json.ts';
import type { Checkpoints } from '../../checkpoints/checkpoints.ts';
import type { BeforeImage, BeforeImages } from '../../storage/records/before-images.ts';
import { sha256 } from '../../tools/files/change-recorder.ts';
import { NotPutBack, type PresentState, presentState, putBack, whyUnusable } from '../../tools/files/put-back.ts';
import type { WorkspaceFiles } from '../../tools/files/workspace-files.ts';
import type { FileReview } from '../review/file-review.ts';
import type { PreparedUndo, Undone } from './prepared-undo.ts';
import { planUndo, type UndoPlan, type UndoStep } from './undo-plan.ts';
import { undoPreviews } from './undo-preview.ts';

export interface ToolUndoServices {
  readonly beforeImages: BeforeImages;
  readonly review: Pick<FileReview, 'wasApproved'>;
  /** Read on each access. */
  readonly files: () => WorkspaceFiles;
  /** Keeps what the undo replaces, so that it can be redone. */
  readonly redo: RedoRecords;
}

/** Where an undo of tools' changes is noted, so that it can be redone. */
export type RedoRecords = Pick<Checkpoints, 'keepForRedo' | 'noteUndone'>;

/** The changes that are to be undone. */
export interface ChosenImages {
  readonly conversationId: string;
  readonly images: readonly BeforeImage[];
  readonly isChosen: (image: BeforeImage) => boolean;
  readonly toolOf: (callId: string) => string | null;
}

/** Undoes what the tools for files changed. */
export class ToolUndo {
  readonly #services: ToolUndoServices;

  constructor(services: ToolUndoServices) {
    this.#services = services;
  }

  async prepare(chosen: ChosenImages): Promise<PreparedUndo> {
    const { images, isChosen, toolOf } = chosen;
    const present = new Map<string, PresentState>();
    for (const { path } of images.filter((image) => isChosen(image) && !image.isUndone))
      if (!present.has(path)) present.set(path, await presentState(this.#services.files(), path));
    const plan = planUndo({ images, isChosen, present, toolOf });
    const steps = plan.steps.filter((step) => this.#isIntact(step));
    const refused = [
      ...plan.steps
        .filter((step) => !steps.includes(step))
        .map(({ path }) => ({ path, reason: { code: 'damaged' } as const })),
      ...plan.refused,
      ...undoneAlready(images.filter(isChosen)),
    ];
    const taken = steps.flatMap((step) => step.images);
    return {
      count: steps.length,
      paths: steps.map(({ path }) => path),
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
      wasShown: this.#wasShown({ steps, refused }),
      previews: () => undoPreviews(steps, (step) => this.#bytesBefore(step)),
      carryOut: () => this.#carryOut(chosen.conversationId, { steps, refused }),
    };
  }

  #wasShown({ steps, refused }: UndoPlan): boolean {
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

  /** Undefined if the store of checkpoints fails: what is undone then can't be redone. */
  async #keepForRedo(conversationId: string, steps: readonly UndoStep[]): Promise<number | undefined> {
    const asked = {
      conversationId,
      calls: callsOf(steps),
      tools: steps.flatMap(({ images }) => images.map(({ num }) => num)),
      paths: steps.flatMap(({ path, target }) => [path, ...target.madeFolders]),
    };
    return this.#services.redo.keepForRedo(asked).catch(() => undefined);
  }

  async #carryOut(conversationId: string, plan: UndoPlan): Promise<Undone> {
    const done: UndoStep[] = [];
    const failed: UndoRefusal[] = [];
    const record = await this.#keepForRedo(conversationId, plan.steps);
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
    if (record !== undefined) await this.#services.redo.noteUndone(record).catch(() => undefined);
    const changes = done.flatMap((step) => [...step.images, ...step.overtaken]);
    return {
      paths: done.map(({ path }) => path),
      count: done.length,
      folders: 0,
      refused: [...failed, ...plan.refused],
      calls: callsOf(done),
      partly: [],
      images: changes.map(({ num }) => num),
      changes,
    };
  }
}

function callsOf(steps: readonly UndoStep[]): string[] {
  return [...new Set(steps.flatMap(({ images }) => images.map(({ callId }) => callId)))];
}

/** The names of the tools that made the calls. */
export function toolNames(events: readonly StoredEvent[]): ReadonlyMap<string, string> {
  return new Map(events.flatMap((event) => (event.type === 'tool_call' ? [[event.id, event.name]] : [])));
}

/** Files of which nothing is left to undo. */
function undoneAlready(chosen: readonly BeforeImage[]): UndoRefusal[] {
  const open = new Set(chosen.flatMap(({ path, isUndone }) => (isUndone ? [] : [path])));
  const paths = new Set(chosen.map(({ path }) => path).filter((path) => !open.has(path)));
  return [...paths].map((path) => ({ path, reason: { code: 'already_undone' } }));
}
