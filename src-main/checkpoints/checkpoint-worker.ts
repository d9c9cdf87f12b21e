import { isDeepStrictEqual } from 'node:util';
import { serveJobs } from '../base/serve-jobs.ts';
import { openCheckpointFolder } from './checkpoint-folder.ts';
import type { CheckpointAnswer, CheckpointJob } from './checkpoint-jobs.ts';
import { abandonCommand, beginCommand, endCommand, forgetInterrupted, keepLonger, recoverCommand } from './commands.ts';
import { ContentStore } from './content-store.ts';
import { openIndex } from './index-database.ts';
import { look } from './look.ts';
import { recoverOperations } from './restore/recover.ts';
import { clearKept, forgetOld, type KeptLimits, keptAmount } from './retention.ts';
import { openStore } from './store-database.ts';
import { changeOf } from './undo/change-of.ts';
import { keepForRedo, noteUndone } from './undo/tool-undos.ts';
import { carriedRedo, carriedUndo, plannedRedo, plannedUndo, type UndoPlace } from './undo/undo-work.ts';

/** A full store is emptied to this part of its limit, so that not every look has to. */
const FULL_AGAIN_LATER = 0.8;

const places = new Map<string, LimitedPlace>();

interface LimitedPlace extends UndoPlace {
  readonly limits: KeptLimits;
}

serveJobs<CheckpointJob, CheckpointAnswer>(async (job) => {
  const place = placeOf(job);
  switch (job.kind) {
    case 'look':
      return job.roots.map((root) => look(place, root));
    case 'begin':
      return beginCommand(place, job);
    case 'abandon':
      return abandonCommand(place, job.nums);
    case 'end':
      return endCommand(place, job);
    case 'keep-longer':
      return keepLonger(place, job.nums);
    case 'recover':
      return recoverCommand(place, job.nums) ?? null;
    case 'plan-undo':
      return plannedUndo(place, job);
    case 'carry-out-undo':
      return carriedUndo(place, job);
    case 'plan-redo':
      return plannedRedo(place, job) ?? null;
    case 'carry-out-redo':
      return carriedRedo(place, job);
    case 'keep-for-redo':
      return keepForRedo(place, job);
    case 'note-undone':
      return noteUndone(place, job.operation);
    case 'change-of':
      return changeOf(place, job);
    case 'kept':
      return keptAmount(place);
    case 'clear':
      return clearKept(place);
  }
});

/** Keeps to the limits at once when they are new. */
function placeOf({ profile, limits }: CheckpointJob): UndoPlace {
  const known = places.get(profile);
  if (known !== undefined && isDeepStrictEqual(known.limits, limits)) return known;
  const place = { ...(known ?? opened(profile, limits)), limits };
  place.contents.maxBytes = limits.maxBytes;
  place.makeRoom = () => forgetOld(place, { ...limits, maxBytes: limits.maxBytes * FULL_AGAIN_LATER }, new Date());
  forgetOld(place, limits, new Date());
  places.set(profile, place);
  return place;
}

function opened(profile: string, { maxBytes }: KeptLimits): UndoPlace {
  const files = openCheckpointFolder(profile);
  const store = openStore(files.store);
  const place = {
    store,
    index: openIndex(files.index),
    contents: new ContentStore(store, files.contents, maxBytes),
    leftOut: new Set([profile]),
    lock: files.lock,
    makeRoom: () => false,
  };
  // All code is loaded by now. In what follows Electron would take an archive `x.asar` for a folder, and a folder of
  // that name for an archive.
  process.noAsar = true;
  // What a process that died had begun to restore.
  recoverOperations(place);
  forgetInterrupted(place, profile);
  return place;
}
