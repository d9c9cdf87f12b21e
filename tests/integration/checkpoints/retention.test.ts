import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openCheckpointFolder } from '../../../src-main/checkpoints/checkpoint-folder.ts';
import { Checkpoints } from '../../../src-main/checkpoints/checkpoints.ts';
import { beginCommand, endCommand, keepLonger } from '../../../src-main/checkpoints/commands.ts';
import { ContentStore } from '../../../src-main/checkpoints/content-store.ts';
import { type LookPlace, look } from '../../../src-main/checkpoints/look.ts';
import { clearKept, forgetOld, keptAmount } from '../../../src-main/checkpoints/retention.ts';
import { checkpointPlace, leasesIn, nothingHeld, ranIn } from '../../fixtures/checkpoint-place.ts';
import { KEPT_LIMITS } from '../../fixtures/kept-limits.ts';
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
  forgetOld(place, KEPT_LIMITS, new Date(Date.now() + 29 * DAY_MS));
  expect(kept(place)).toHaveLength(3);
  forgetOld(place, KEPT_LIMITS, new Date(Date.now() + 31 * DAY_MS));
  expect(kept(place)).toHaveLength(0);
  expect(place.store.statement('SELECT 1 FROM changes').all()).toEqual([]);
  const { changes } = await ranIn(place, 'rm small');
  expect(changes.files).toMatchObject([{ change: 'deleted', removed: 1 }]);
});

test('a mass deletion can be undone for thirty days, whatever the limits say', async () => {
  const place = checkpointPlace();
  writeFileSync(join(place.root, 'a'), 'before');
  await ranIn(place, 'rm a');
  keepLonger(place, [1]);
  const limits = { maxBytes: 0, maxDays: 1 };
  forgetOld(place, limits, new Date(Date.now() + 29 * DAY_MS));
  expect(kept(place)).toHaveLength(1);
  forgetOld(place, limits, new Date(Date.now() + 31 * DAY_MS));
  expect(kept(place)).toHaveLength(0);
});

/** The numbers of the commands that are kept. */
function commands(place: LookPlace): unknown[] {
  return place.store
    .statement('SELECT num FROM commands ORDER BY num')
    .all()
    .map(({ num }) => num);
}

/** Three commands, two of them days ago, that each changed a file of 600 bytes. */
async function threeCommands() {
  const place = checkpointPlace();
  for (const name of ['a', 'b', 'c']) writeFileSync(join(place.root, name), name.repeat(600));
  for (const [name, days] of [
    ['a', 10],
    ['b', 5],
    ['c', 0],
  ] as const) {
    await ranIn(place, `echo > ${name}`);
    const at = new Date(Date.now() - days * DAY_MS).toISOString();
    place.store.statement('UPDATE commands SET started_at = ? WHERE num = (SELECT max(num) FROM commands)').run(at);
  }
  return place;
}

test('what takes more room than the limit goes, the oldest first, and never what undoes the last day', async () => {
  const place = await threeCommands();
  const forget = (limits: Partial<typeof KEPT_LIMITS>) => forgetOld(place, { ...KEPT_LIMITS, ...limits }, new Date());
  expect(forget({})).toBe(false);
  expect(forget({ maxBytes: 1_500 })).toBe(true);
  expect([commands(place), place.contents.bytes]).toEqual([[2, 3], 1_201]);
  expect(forget({ maxDays: 3 })).toBe(true);
  expect(forget({ maxBytes: 1, maxDays: 1 })).toBe(false);
  expect([commands(place), place.contents.bytes]).toEqual([[3], 601]);
});

test('what was in a folder that nothing works in any more goes in the same way', async () => {
  const place = checkpointPlace();
  writeFileSync(join(place.root, 'a'), 'x'.repeat(600));
  look(place, place.root);
  forgetOld(place, KEPT_LIMITS, new Date(Date.now() + 29 * DAY_MS));
  expect(kept(place)).toHaveLength(1);
  forgetOld(place, { ...KEPT_LIMITS, maxBytes: 500 }, new Date(Date.now() + 2 * DAY_MS));
  expect(kept(place)).toEqual([]);
  const { changes } = await ranIn(place, 'rm a');
  expect(changes.files).toMatchObject([{ change: 'deleted', removed: 1 }]);
});

test('a full store makes room for what is there now', async () => {
  const place = await threeCommands();
  place.contents.maxBytes = 2_000;
  place.makeRoom = () => forgetOld(place, { ...KEPT_LIMITS, maxBytes: 1_500 }, new Date());
  writeFileSync(join(place.root, 'd'), 'd'.repeat(600));
  expect(look(place, place.root).notKept).toEqual([]);
  expect(commands(place)).toEqual([2, 3]);
});

test('clearing leaves nothing of what files contained, and the next command can be undone again', async () => {
  const place = checkpointPlace();
  const { lock } = openCheckpointFolder(place.profile);
  writeFileSync(join(place.root, '.env'), 'KEY=remarkable-secret');
  writeFileSync(join(place.root, 'large'), 'x'.repeat(400_000));
  await ranIn(place, 'echo > .env; rm large');
  expect(keptAmount(place)).toMatchObject({ commands: 1 });
  expect(clearKept({ ...place, lock })).toBe(true);
  expect(keptAmount(place)).toEqual({ bytes: 0, commands: 0 });
  const folder = join(place.profile, 'checkpoints');
  expect(readdirSync(join(folder, 'contents'))).toEqual([]);
  for (const name of readdirSync(folder).filter((each) => each.includes('.db')))
    expect(readFileSync(join(folder, name), 'latin1'), name).not.toContain('remarkable');
  const { changes } = await ranIn(place, 'rm .env');
  expect(changes.files).toMatchObject([{ change: 'deleted' }]);
  expect(changes.files[0]).not.toHaveProperty('isLost');
});

test.each([
  ['forgets', (place: LookPlace) => forgetOld(place, KEPT_LIMITS, new Date(Date.now() + 31 * DAY_MS))],
  ['clears', (place: LookPlace & { readonly lock: string }) => clearKept(place)],
])('what fails while it %s loses no content', async (_how, fail) => {
  const place = checkpointPlace();
  const { lock, contents } = openCheckpointFolder(place.profile);
  writeFileSync(join(place.root, 'large'), 'x'.repeat(400_000));
  await ranIn(place, 'rm large');
  const [digest = ''] = kept(place);
  vi.spyOn(place.index, 'transaction').mockImplementationOnce((work) => {
    work();
    throw new Error('disk I/O error');
  });
  expect(() => fail({ ...place, lock })).toThrow('disk I/O error');
  expect(place.contents.get(digest)).toEqual({ file: join(contents, digest) });
  fail({ ...place, lock });
  expect(readdirSync(contents)).toEqual([]);
});

test('a large content whose file is gone is lost, until it is kept again', () => {
  const place = checkpointPlace();
  const { contents } = openCheckpointFolder(place.profile);
  writeFileSync(join(place.root, 'large'), 'x'.repeat(400_000));
  look(place, place.root);
  const [digest = ''] = kept(place);
  rmSync(join(contents, digest));
  expect(place.contents.has(digest)).toBe(false);
  place.contents.keep(join(place.root, 'large'));
  expect(place.contents.has(digest)).toBe(true);
});

test('nothing is cleared while a command needs it', async () => {
  const place = checkpointPlace();
  const { lock } = openCheckpointFolder(place.profile);
  writeFileSync(join(place.root, 'a'), 'x');
  const begun = beginCommand(place, { conversationId: 'c', turnId: 't', callId: 'k', roots: [place.root] });
  expect(clearKept({ ...place, lock })).toBe(false);
  expect(kept(place)).toHaveLength(1);
  endCommand(place, { nums: begun.nums, findsMadeAgain: false });
  expect(clearKept({ ...place, lock })).toBe(true);
});

test('what the store has no room for is named', async () => {
  const place = checkpointPlace();
  writeFileSync(join(place.root, 'a'), 'x'.repeat(600));
  writeFileSync(join(place.root, 'b'), 'y'.repeat(600));
  const contents = new ContentStore(place.store, join(place.profile, 'checkpoints/contents'), 1_000);
  const { notKept } = look({ ...place, contents }, place.root);
  expect(notKept.map(({ why }) => why)).toEqual([{ code: 'no_space' }]);
  const { changes } = await ranIn({ ...place, contents }, 'rm a b');
  expect(changes.files.map(({ isLost = false }) => isLost).sort()).toEqual([false, true]);
});

test('what there was no room for is kept as soon as there is room', async () => {
  const place = checkpointPlace();
  writeFileSync(join(place.root, 'a'), 'x'.repeat(600));
  place.contents.maxBytes = 500;
  expect(look(place, place.root).notKept).toHaveLength(1);
  expect(look(place, place.root).notKept).toMatchObject([{ why: { code: 'no_space' } }]);
  place.contents.maxBytes = 1_000;
  expect(look(place, place.root).notKept).toEqual([]);
  const { changes } = await ranIn(place, 'rm a');
  expect(changes.files[0]).not.toHaveProperty('isLost');
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

test('a limit that is lowered takes effect without another command', async () => {
  const place = await threeCommands();
  let limits = KEPT_LIMITS;
  const checkpoints = new Checkpoints(place.profile, {
    limits: () => limits,
    leases: leasesIn(place.profile),
    heldByGit: nothingHeld,
  });
  onTestFinished(() => checkpoints.close());
  checkpoints.followLimits();
  expect(await checkpoints.kept()).toMatchObject({ commands: 3 });
  limits = { ...KEPT_LIMITS, maxDays: 3 };
  checkpoints.followLimits();
  await vi.waitFor(() => expect(commands(place)).toEqual([3]), { timeout: 30_000 });
});
