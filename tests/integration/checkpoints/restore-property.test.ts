import { chmodSync, lutimesSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSameEntry } from '../../../src-main/checkpoints/entry-state.ts';
import { needPosix } from '../../fixtures/machine-needs.ts';
import { repetitions } from '../../fixtures/repetitions.ts';
import { expectSameTree, RestoreRig, type Tree, treeOf } from './restore-rig.ts';

type Planted =
  | { readonly kind: 'file'; readonly text: string; readonly mode: number; readonly seconds: number }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'folder'; readonly mode: number; readonly seconds: number; readonly entries: Planting };
type Planting = { readonly [name: string]: Planted };

const name = fc.constantFrom('a', 'b', 'c', 'a b', 'ü', '-n', "it's", 'two\nlines', '"', 'X'.repeat(200));
const seconds = fc.double({ min: 1e9, max: 2e9, noNaN: true });
const planting = fc.letrec<{ entries: Planting; planted: Planted }>((tie) => ({
  entries: fc.dictionary(name, tie('planted'), { maxKeys: 4, noNullPrototype: true }),
  planted: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({
      kind: fc.constant('file' as const),
      text: fc.constantFrom('', 'one', 'two', 'x'.repeat(300_000)),
      mode: fc.constantFrom(0o644, 0o755, 0o400, 0o600, 0o4755),
      seconds,
    }),
    fc.record({ kind: fc.constant('link' as const), target: fc.constantFrom('a', '../b', '/nowhere', '.') }),
    fc.record({
      kind: fc.constant('folder' as const),
      mode: fc.constantFrom(0o755, 0o700, 0o555, 0o1777),
      seconds,
      entries: tie('entries'),
    }),
  ),
})).entries;

function plant(folder: string, entries: Planting): void {
  for (const [name, planted] of Object.entries(entries)) {
    const path = join(folder, name);
    if (planted.kind === 'link') symlinkSync(planted.target, path);
    else if (planted.kind === 'file') writeFileSync(path, planted.text);
    else {
      mkdirSync(path);
      plant(path, planted.entries);
    }
    if (planted.kind === 'link') lutimesSync(path, 1e9, 1e9);
    else {
      chmodSync(path, planted.mode);
      utimesSync(path, planted.seconds, planted.seconds);
    }
  }
}

/** A tree without the times of files that both trees have with the same content and permissions: they are not changed. */
function withoutTouched(tree: Tree, one: Tree, other: Tree): Tree {
  const isTouched = (path: string) => {
    const [before, after] = [one.get(path), other.get(path)];
    return before?.kind === 'file' && after !== undefined && isSameEntry(before, after);
  };
  return new Map([...tree].map(([path, state]) => [path, isTouched(path) ? { ...state, modified: '0' } : state]));
}

const file = { kind: 'file', text: 'one', mode: 0o644 } as const;
/** Two trees that differ in a time alone. */
const TOUCHED: [Planting, Planting] = [{ a: { ...file, seconds: 1e9 } }, { a: { ...file, seconds: 1.5e9 } }];

test('from any tree to any other and back, exactly', (context) => {
  needPosix(context);
  fc.assert(
    fc.property(planting, planting, (one, other) => {
      const rig = new RestoreRig();
      plant(rig.root, one);
      rig.keep();
      rig.openFolders();
      rmSync(rig.root, { recursive: true });
      mkdirSync(rig.root);
      plant(rig.root, other);
      const changed = treeOf(rig.root);

      const undone = rig.carryOut(rig.wayBack());
      expect(undone.refused).toEqual([]);
      const comparable = (tree: Tree) => withoutTouched(tree, rig.before, changed);
      expectSameTree(comparable(treeOf(rig.root)), comparable(rig.before));
      const redone = rig.carryOut(rig.reverse(undone.operation));
      expect(redone.refused).toEqual([]);
      expectSameTree(comparable(treeOf(rig.root)), comparable(changed));
      rig.end();
    }),
    { numRuns: repetitions(40, 1_000), examples: [TOUCHED] },
  );
});
