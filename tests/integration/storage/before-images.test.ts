import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createConversations } from '../../../src-main/storage/conversations/conversations.ts';
import { openDatabase } from '../../../src-main/storage/database/open-database.ts';
import { openProfileFolder } from '../../../src-main/storage/database/profile-folder.ts';
import { MIGRATIONS } from '../../../src-main/storage/database/schema.ts';
import { createBeforeImages, type NewBeforeImage } from '../../../src-main/storage/records/before-images.ts';
import { storageIn, temporaryFolder } from '../../fixtures/temporary-profile.ts';

const image = (path: string, bytes: Uint8Array | null, size = bytes?.length ?? 0): NewBeforeImage => ({
  turnId: 'turn',
  callId: `call-${path}`,
  path,
  afterHash: 'after',
  madeFolders: ['/w/x', '/w/x/y'],
  before: { hash: bytes === null ? null : 'before', size, mode: 0o751 },
  bytes,
});
const kilobytes = (count: number) => Buffer.alloc(count * 1000, 'x');

async function withLimits(perConversation: number, perProfile: number) {
  const context = { now: () => new Date(), notice: () => undefined, migrations: MIGRATIONS };
  const database = await openDatabase(openProfileFolder(temporaryFolder()), context);
  onTestFinished(() => database.close());
  const conversations = createConversations(database);
  const create = () => conversations.create({ workspace: '/w', model: 'guide' }).id;
  return { create, images: createBeforeImages(database, undefined, { perConversation, perProfile }) };
}

test('stored bytes are returned unchanged, also after reopening the database', async () => {
  const folder = temporaryFolder();
  const storage = await storageIn(folder);
  const { id } = storage.conversations.create({ workspace: '/w', model: 'guide' });
  const bytes = Buffer.from([0, 255, 10, 13, 0]);
  const { num } = storage.beforeImages.add(id, image('/w/a', bytes));
  const empty = storage.beforeImages.add(id, image('/w/empty', Buffer.alloc(0)));
  const absent = storage.beforeImages.add(id, { ...image('/w/new', null), before: null });
  const tooLarge = storage.beforeImages.add(id, image('/w/large', null, 999_999_999));
  await storage.close();

  const { beforeImages } = await storageIn(folder);
  expect(beforeImages.list(id)).toEqual([
    {
      num,
      turnId: 'turn',
      callId: 'call-/w/a',
      path: '/w/a',
      afterHash: 'after',
      madeFolders: ['/w/x', '/w/x/y'],
      before: { hash: 'before', size: 5, mode: 0o751 },
      isDropped: false,
      isUndone: false,
    },
    expect.objectContaining({ num: empty.num, isDropped: false }),
    expect.objectContaining({ num: absent.num, before: null, isDropped: false }),
    expect.objectContaining({
      num: tooLarge.num,
      before: { hash: null, size: 999_999_999, mode: 0o751 },
      isDropped: true,
    }),
  ]);
  expect([num, empty.num, absent.num, tooLarge.num].map((each) => beforeImages.bytes(each))).toEqual([
    new Uint8Array(bytes),
    new Uint8Array(),
    undefined,
    undefined,
  ]);
  beforeImages.markUndone([num]);
  beforeImages.remove(empty.num);
  expect(beforeImages.list(id).map((each) => [each.num, each.isUndone])).toEqual([
    [num, true],
    [absent.num, false],
    [tooLarge.num, false],
  ]);
  // After a redo it is undone once more.
  expect(beforeImages.bytes(num)).toEqual(new Uint8Array(bytes));
  beforeImages.markRedone([num]);
  expect(beforeImages.list(id)[0]).toMatchObject({ num, isUndone: false });
});

test('a conversation keeps so much: the oldest goes first, and is named', async () => {
  const { create, images } = await withLimits(10_000, 100_000);
  const [mine, other] = [create(), create()];
  images.add(other, image('/w/other', kilobytes(9)));
  expect(images.add(mine, image('/w/a', kilobytes(4))).dropped).toEqual([]);
  expect(images.add(mine, image('/w/b', kilobytes(6))).dropped).toEqual([]);
  const third = images.add(mine, image('/w/c', kilobytes(5)));
  expect(third.dropped).toEqual([
    { path: '/w/a', conversationId: mine },
    { path: '/w/b', conversationId: mine },
  ]);
  expect(images.list(mine).map(({ path, isDropped }) => [path, isDropped])).toEqual([
    ['/w/a', true],
    ['/w/b', true],
    ['/w/c', false],
  ]);
  expect(images.list(other)).toMatchObject([{ isDropped: false }]);
});

test('a profile keeps so much over all conversations; what was undone takes no room', async () => {
  const { create, images } = await withLimits(100_000, 10_000);
  const [first, second] = [create(), create()];
  const { num } = images.add(first, image('/w/a', kilobytes(6)));
  images.add(first, image('/w/b', kilobytes(3)));
  images.markUndone([num]);
  expect(images.add(second, image('/w/c', kilobytes(7))).dropped).toEqual([]);
  expect(images.add(second, image('/w/d', kilobytes(1))).dropped).toEqual([{ path: '/w/b', conversationId: first }]);
});

test('a conversation that does not exist keeps nothing', async () => {
  const { images } = await withLimits(1, 1);
  expect(() => images.add('none', image('/w/a', kilobytes(1)))).toThrow('There is no conversation none');
  expect(images.list('none')).toEqual([]);
});

test('all bytes can be cleared, and nothing of them stays in the database', async () => {
  const folder = temporaryFolder();
  const storage = await storageIn(folder);
  const { id } = storage.conversations.create({ workspace: '/w', model: 'guide' });
  const paths = Array.from({ length: 12 }, (_, index) => `/w/${index}`);
  for (const path of paths) storage.beforeImages.add(id, image(path, Buffer.from(`remarkable ${path}`)));
  expect(storage.beforeImages.amount()).toMatchObject({ calls: 12 });
  await storage.beforeImages.clear();
  expect(storage.beforeImages.amount()).toEqual({ bytes: 0, calls: 0 });
  expect(storage.beforeImages.list(id).every(({ isDropped }) => isDropped)).toBe(true);
  await storage.close();
  expect(readFileSync(join(folder, 'steward.db'), 'latin1')).not.toContain('remarkable');
});
