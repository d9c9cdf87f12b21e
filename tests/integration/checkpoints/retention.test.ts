import { execFileSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ContentStore } from '../../../src-main/checkpoints/content-store.ts';
import { look } from '../../../src-main/checkpoints/look.ts';
import { forgetOld } from '../../../src-main/checkpoints/retention.ts';
import { checkpointPlace, ranIn } from '../../fixtures/checkpoint-place.ts';
import { needPosix } from '../../fixtures/machine-needs.ts';

const DAY_MS = 24 * 3_600_000;

function kept(place: ReturnType<typeof checkpointPlace>): string[] {
  const rows = place.store.statement<{ digest: string }>('SELECT digest FROM contents').all();
  return rows.map(({ digest }) => digest);
}

test('after thirty days a change is forgotten, with the contents that only it needed', async () => {
  const place = checkpointPlace();
  writeFileSync(join(place.root, 'small'), 'before');
  writeFileSync(join(place.root, 'large'), 'x'.repeat(400_000));
  await ranIn(place, 'echo after > small; rm large');
  expect(kept(place)).toHaveLength(3);
  forgetOld(place, new Date(Date.now() + 29 * DAY_MS));
  expect(kept(place)).toHaveLength(3);
  forgetOld(place, new Date(Date.now() + 31 * DAY_MS));
  expect(kept(place)).toHaveLength(1);
  expect(place.store.statement('SELECT 1 FROM changes').all()).toEqual([]);
  const { changes } = await ranIn(place, 'rm small');
  expect(changes.files).toMatchObject([{ change: 'deleted', removed: 1 }]);
});

test('what the store has no room for is named, and kept once there is room', async () => {
  const place = checkpointPlace();
  writeFileSync(join(place.root, 'a'), 'x'.repeat(600));
  writeFileSync(join(place.root, 'b'), 'y'.repeat(600));
  const contents = new ContentStore(place.store, join(place.profile, 'checkpoints/contents'), { maxBytes: 1_000 });
  const { notKept } = look({ ...place, contents }, place.root);
  expect(notKept.map(({ why }) => why)).toEqual([{ code: 'no_space' }]);
  const { changes } = await ranIn({ ...place, contents }, 'rm a b');
  expect(changes.files.map(({ isLost = false }) => isLost).sort()).toEqual([false, true]);
});

test('nobody else can read what is kept', async (context) => {
  needPosix(context);
  const place = checkpointPlace();
  execFileSync('bash', ['-c', 'head -c 400000 /dev/zero > key; chmod 644 key; echo secret > .env'], {
    cwd: place.root,
  });
  look(place, place.root);
  const folder = join(place.profile, 'checkpoints');
  const [large = ''] = kept(place).filter((digest) =>
    statSync(join(folder, 'contents', digest), { throwIfNoEntry: false }),
  );
  const modes = [folder, join(folder, 'contents'), join(folder, 'contents', large), join(folder, 'store.db')].map(
    (path) => statSync(path).mode & 0o777,
  );
  expect(modes).toEqual([0o700, 0o700, 0o600, 0o600]);
});
