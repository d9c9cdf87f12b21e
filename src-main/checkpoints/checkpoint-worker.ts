import { serveJobs } from '../base/serve-jobs.ts';
import { openCheckpointFolder } from './checkpoint-folder.ts';
import type { CheckpointAnswer, CheckpointJob } from './checkpoint-jobs.ts';
import { abandonCommand, beginCommand, endCommand } from './commands.ts';
import { ContentStore } from './content-store.ts';
import { openIndex } from './index-database.ts';
import { type LookPlace, look } from './look.ts';
import { openStore } from './store-database.ts';

const places = new Map<string, LookPlace>();

serveJobs<CheckpointJob, CheckpointAnswer>(async (job) => {
  const place = placeOf(job.profile);
  switch (job.kind) {
    case 'look':
      return job.roots.map((root) => look(place, root));
    case 'begin':
      return beginCommand(place, job);
    case 'abandon':
      return abandonCommand(place, job.nums);
    case 'end':
      return endCommand(place, job.nums);
  }
});

function placeOf(profile: string): LookPlace {
  const known = places.get(profile);
  if (known !== undefined) return known;
  const files = openCheckpointFolder(profile);
  const store = openStore(files.store);
  const place = {
    store,
    index: openIndex(files.index),
    contents: new ContentStore(store, files.contents),
    leftOut: new Set([profile]),
  };
  places.set(profile, place);
  return place;
}
