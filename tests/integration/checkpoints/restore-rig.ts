import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { ABSENT, type EntryState, type Transition } from '../../../src-main/checkpoints/entry-state.ts';
import { carryOut, type Restoration, type Restored } from '../../../src-main/checkpoints/restore/carry-out.ts';
import { reverse } from '../../../src-main/checkpoints/restore/journal.ts';
import type { RestorePorts } from '../../../src-main/checkpoints/restore/journaled-work.ts';
import { presentEntry } from '../../../src-main/checkpoints/restore/present-entry.ts';
import { FolderTree } from '../../fixtures/folder-tree.ts';
import { ORIGIN, portsIn } from './restore-ports.ts';

/** Everything in a folder, by its path. */
export type Tree = ReadonlyMap<string, EntryState>;

export function treeOf(folder: string): Tree {
  return new Map([[folder, presentEntry(folder)], ...below(folder)]);
}

/** `readdirSync` with `recursive` would follow symlinks. */
function below(folder: string): [string, EntryState][] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    const state = presentEntry(path);
    return [[path, state], ...(state.kind === 'folder' ? below(path) : [])];
  });
}

export function keepAll(tree: Tree, { contents, store }: Pick<RestorePorts, 'contents' | 'store'>): void {
  store.transaction(() => {
    for (const [path, { kind }] of tree) if (kind === 'file') contents.keep(path);
  });
}

export function differences(from: Tree, to: Tree): Transition[] {
  const paths = new Set([...from.keys(), ...to.keys()]);
  return [...paths].flatMap((path) => {
    const transition = { path, from: from.get(path) ?? ABSENT, to: to.get(path) ?? ABSENT };
    return JSON.stringify(transition.from) === JSON.stringify(transition.to) ? [] : [transition];
  });
}

/**
 * Node sets times as floating-point numbers: nanoseconds, which are 256 apart, divided to seconds, which are 238 apart.
 * Both are rounded to the nearest, and the kernel cuts off the rest.
 */
const TIME_STEP_NS = 128n + 120n + 1n;

/** Everything is the same: kinds, contents, modes, targets, and times as far as Node can set them. */
export function expectSameTree(actual: Tree, expected: Tree): void {
  const rounded = [...actual].map(([path, state]) => [path, withTimeOf(expected.get(path), state)]);
  expect(Object.fromEntries(rounded)).toEqual(Object.fromEntries(expected));
}

function withTimeOf(expected: EntryState | undefined, state: EntryState): EntryState {
  if (expected === undefined || !('modified' in expected) || !('modified' in state)) return state;
  const difference = BigInt(state.modified) - BigInt(expected.modified);
  const isClose = -TIME_STEP_NS <= difference && difference <= TIME_STEP_NS;
  return isClose ? { ...state, modified: expected.modified } : state;
}

/** A folder that something was done to, and what undoes it. */
export class RestoreRig {
  readonly tree = new FolderTree();
  readonly root = this.tree.folder('root');
  readonly ports = portsIn(this.tree.at('profile'));
  #before: Tree = new Map();
  #isEnded = false;

  constructor() {
    onTestFinished(() => this.end());
  }

  /** Called when the test ends; a test with many rigs calls it earlier. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.ports.close();
    this.openFolders();
    this.tree.remove();
  }

  /** Only root can remove what is in a closed folder. */
  openFolders(): void {
    spawnSync('chmod', ['-R', 'u+rwX', this.root]);
  }

  at(...names: string[]): string {
    return join(this.root, ...names);
  }

  /** Keeps everything, as is done before a command. */
  keep(): void {
    this.#before = treeOf(this.root);
    keepAll(this.#before, this.ports);
  }

  get before(): Tree {
    return this.#before;
  }

  /** What leads from the present state to the kept one. */
  wayBack(): Transition[] {
    return differences(treeOf(this.root), this.#before);
  }

  carryOut(transitions: readonly Transition[], options: Partial<Restoration> = {}): Restored {
    return carryOut(transitions, { ...this.ports, operation: ORIGIN, allows: () => true, ...options });
  }

  reverse(operation: number): Transition[] {
    return reverse(this.ports.store, operation);
  }
}
