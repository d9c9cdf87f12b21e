import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planUndo } from '../../../src-main/assistant/undo/undo-plan.ts';
import type { BeforeImage } from '../../../src-main/storage/records/before-images.ts';
import type { PresentState } from '../../../src-main/tools/files/put-back.ts';

/** A file's content, which is its own hash here; `null`: there is none. */
type Content = string | null;

interface Change {
  readonly turnId: string;
  readonly path: string;
  readonly before: Content;
  readonly after: string;
  readonly isDropped?: boolean;
  readonly isUndone?: boolean;
}

function imageOf(
  { turnId, path, before, after, isDropped = false, isUndone = false }: Change,
  num: number,
): BeforeImage {
  return {
    num,
    turnId,
    path,
    afterHash: after,
    madeFolders: [],
    isDropped,
    isUndone,
    callId: `call-${num}`,
    before: before === null ? null : { hash: before, size: before.length, mode: 0o644 },
  };
}

function stateOf(content: Content): PresentState {
  if (content === null) return { kind: 'absent' };
  return { kind: 'file', hash: content, size: content.length, mode: 0o644, bytes: Buffer.from(content) };
}

const plan = (images: BeforeImage[], isChosen: (image: BeforeImage) => boolean, files: Record<string, Content>) =>
  planUndo({
    images,
    isChosen,
    present: new Map(Object.entries(files).map(([path, content]) => [path, stateOf(content)])),
    toolOf: (callId) => `tool of ${callId}`,
  });

const contents = fc.constantFrom('x', 'y', 'z');
const paths = fc.constantFrom('a', 'b');
const turns = fc.constantFrom('t1', 't2', 't3');

test('restored changes lead from the current to the earlier state, and none is skipped silently', () => {
  const change = fc.record({
    turnId: turns,
    path: paths,
    before: fc.option(contents),
    after: contents,
    isDropped: fc.boolean(),
    isUndone: fc.boolean(),
  });
  const files = fc.record({ a: fc.option(contents), b: fc.option(contents) });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 8 }), files, turns, (changes, present, turn) => {
      const images = changes.map(imageOf);
      const isChosen = (image: BeforeImage) => image.turnId === turn;
      const { steps, refused } = plan(images, isChosen, present);
      for (const { path, images: taken, target } of steps) {
        let now: Content = present[path as 'a' | 'b'];
        for (const image of taken) {
          expect(isChosen(image) && !image.isUndone && image.path === path).toBe(true);
          if (now === (image.before?.hash ?? null)) continue;
          expect(image.isDropped).toBe(false);
          expect(image.afterHash).toBe(now);
          now = image.before?.hash ?? null;
        }
        expect(now).toBe(target.before?.hash ?? null);
        expect(now).not.toBe(present[path as 'a' | 'b']);
      }
      const chosen = new Set(images.filter((image) => isChosen(image) && !image.isUndone).map(({ path }) => path));
      expect(new Set([...steps, ...refused].map(({ path }) => path))).toEqual(chosen);
    }),
    { numRuns: 2000 },
  );
});

test('whatever was written, undoing the turns from the last to the first gives the beginning', () => {
  const write = fc.record({ path: paths, content: contents });
  const turnOfWrites = fc.array(write, { minLength: 1, maxLength: 4 });
  const beginning = fc.record({ a: fc.option(contents), b: fc.option(contents) });
  fc.assert(
    fc.property(fc.array(turnOfWrites, { maxLength: 5 }), beginning, (writes, start) => {
      const files: Record<string, Content> = { ...start };
      const changes: Change[] = [];
      for (const [index, turn] of writes.entries())
        for (const { path, content } of turn) {
          changes.push({ turnId: `t${index}`, path, before: files[path] ?? null, after: content });
          files[path] = content;
        }
      const undone = new Set<number>();
      for (let turn = writes.length - 1; turn >= 0; turn -= 1) {
        const images = changes.map((each, num) => imageOf({ ...each, isUndone: undone.has(num) }, num));
        const { steps, refused } = plan(images, ({ turnId }) => turnId === `t${turn}`, files);
        for (const { reason } of refused) expect(reason).toEqual({ code: 'as_before' });
        for (const { path, images: taken, target, overtaken } of steps) {
          files[path] = target.before?.hash ?? null;
          for (const { num } of [...taken, ...overtaken]) undone.add(num);
        }
      }
      expect(files).toEqual(start);
    }),
  );
});

test('a later change blocks undo, unless its whole turn reverted itself', () => {
  const changes: Change[] = [
    { turnId: 't1', path: 'a', before: 'x', after: 'y' },
    { turnId: 't2', path: 'a', before: 'y', after: 'z' },
    { turnId: 't2', path: 'a', before: 'z', after: 'y' },
  ];
  const first = (image: BeforeImage) => image.num === 0;
  expect(plan(changes.map(imageOf), first, { a: 'y' }).steps.map(({ target }) => target.num)).toEqual([0]);
  const reason = { code: 'changed_by_call', tool: 'tool of call-2' };
  for (const others of [
    ['t1', 't1', 't1'],
    ['t1', 't2', 't3'],
  ]) {
    const images = changes.map((change, num) => imageOf({ ...change, turnId: others[num] ?? '' }, num));
    expect(plan(images, first, { a: 'y' })).toEqual({ steps: [], refused: [{ path: 'a', reason }] });
  }
});

test('a change that was dropped or too large is named, and those after it still go back', () => {
  const images = [
    imageOf({ turnId: 't1', path: 'a', before: 'x', after: 'y', isDropped: true }, 1),
    imageOf({ turnId: 't1', path: 'a', before: 'y', after: 'z' }, 2),
  ];
  const { steps, refused } = plan(images, () => true, { a: 'z' });
  expect(steps.map(({ target }) => target.num)).toEqual([2]);
  expect(refused).toEqual([{ path: 'a', reason: { code: 'not_kept' } }]);
});

test('a write prevented by a crash is not a change, and does not hide an older one', () => {
  const images = [
    imageOf({ turnId: 't1', path: 'a', before: 'x', after: 'y' }, 1),
    imageOf({ turnId: 't2', path: 'a', before: 'y', after: 'z' }, 2),
  ];
  expect(plan(images, ({ turnId }) => turnId === 't2', { a: 'y' })).toEqual({
    steps: [],
    refused: [{ path: 'a', reason: { code: 'as_before' } }],
  });
  expect(plan(images, ({ turnId }) => turnId === 't1', { a: 'y' }).steps.map(({ target }) => target.num)).toEqual([1]);
});
