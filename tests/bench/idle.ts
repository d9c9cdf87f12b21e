import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright';
import { Gallery } from '../fixtures/gallery/gallery.ts';
import type { Scene } from '../fixtures/gallery/scene.ts';
import { scenes } from '../fixtures/gallery/scenes/index.ts';
import { prepareElectronMachine } from '../fixtures/prepare-electron-machine.ts';
import type { Bench } from './bench.ts';
import { processorTimeOfTree } from './process-memory.ts';
import { figure, type Row } from './report.ts';

/** What opening the page set going has ended by then. */
const SETTLES_IN_MS = 2_000;
const LOOKS_FOR_MS = 5_000;
const SMALL_VIEW = { width: 1100, height: 760 };
const STATES_OF_QUICK_RUN = 3;
/** Runs in the page. */
const MOVES_WITHOUT_END = `document.getAnimations().some(({ playState, effect }) =>
  playState === 'running' && effect?.getComputedTiming().endTime === Infinity)`;

/** What the processes of a page take while nothing happens, in each state of the gallery in which something moves. */
export const idle: Bench = {
  name: 'idle',
  run: async ({ isQuick, isVerbose, show }) => {
    if (process.platform !== 'linux') return skipped('it is measured on Linux only');
    const prepared = await prepareElectronMachine((line) => process.stderr.write(`${line}\n`));
    if ('missing' in prepared) return skipped(prepared.missing);
    const [machine] = prepared.machines;
    if (machine === undefined) return skipped('there is no screen');
    const gallery = await Gallery.open(machine);
    try {
      const found: { readonly name: string; readonly percent: number }[] = [];
      let still: number | undefined;
      for (const scene of scenes) {
        if (isQuick && found.length >= STATES_OF_QUICK_RUN) break;
        const { moves, percent } = await measured(gallery, scene, still === undefined);
        if (moves) found.push({ name: scene.name, percent });
        else still ??= percent;
      }
      if (isVerbose) show(found.map(({ name, percent }) => `- ${percent.toFixed(1)} %: ${name}`).join('\n'));
      const row = (what: string, percents: readonly number[]): Row[] =>
        percents.length === 0 ? [] : [figure({ what, unit: '% of a core', ours: percents }, { atMost: 1 })];
      return [
        ...row('a state in which nothing moves', still === undefined ? [] : [still]),
        ...row(
          'states in which something moves',
          found.map(({ percent }) => percent),
        ),
      ];
    } finally {
      await gallery.close();
      await prepared.stop();
    }
  },
};

interface Measured {
  readonly moves: boolean;
  /** 0 if it was not measured, because nothing moves. */
  readonly percent: number;
}

async function measured(gallery: Gallery, scene: Scene, measuresStill: boolean): Promise<Measured> {
  let result: Measured = { moves: false, percent: 0 };
  await gallery.enter(scene, async (page) => {
    await page.setViewportSize(SMALL_VIEW);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    const moves = await movesWithoutEnd(page);
    if (!moves && !measuresStill) return;
    await wait(SETTLES_IN_MS);
    const [since, before] = [performance.now(), processorTimeOfTree(gallery.pid)];
    await wait(LOOKS_FOR_MS);
    const taken = processorTimeOfTree(gallery.pid) - before;
    result = { moves, percent: (100 * taken) / (performance.now() - since) };
  });
  return result;
}

function movesWithoutEnd(page: Page): Promise<boolean> {
  return page.evaluate(MOVES_WITHOUT_END);
}

function skipped(reason: string): [] {
  process.stderr.write(`The bench "idle" is skipped: ${reason}\n`);
  return [];
}
