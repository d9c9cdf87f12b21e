import { setTimeout as wait } from 'node:timers/promises';
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
/** Each kind of waiting: for the user twice, for a model, for a program, for a service. */
const STATES = [
  'consent-command',
  'chat-model-question-choices',
  'chat-streaming',
  'chat-card-terminal-live',
  'settings-server-doctor-running',
];
const STATES_OF_QUICK_RUN = 1;

/** What the processes of a page take while nothing happens in it. */
export const idle: Bench = {
  name: 'idle',
  meaning: 'What the app costs while nothing happens: battery and fan.',
  run: async ({ isQuick }) => {
    if (process.platform !== 'linux') return skipped('it is measured on Linux only');
    const prepared = await prepareElectronMachine((line) => process.stderr.write(`${line}\n`));
    if ('missing' in prepared) return skipped(prepared.missing);
    const [machine] = prepared.machines;
    if (machine === undefined) return skipped('there is no screen');
    const gallery = await Gallery.open(machine);
    try {
      const rows: Row[] = [];
      for (const name of isQuick ? STATES.slice(0, STATES_OF_QUICK_RUN) : STATES) {
        const scene = scenes.find((each) => each.name === name);
        if (scene === undefined) throw new Error(`The gallery has no scene ${name}.`);
        rows.push(figure({ what: name, unit: '% of a core', ours: [await measured(gallery, scene)] }, { atMost: 1 }));
      }
      return rows;
    } finally {
      await gallery.close();
      await prepared.stop();
    }
  },
};

async function measured(gallery: Gallery, scene: Scene): Promise<number> {
  let percent = 0;
  await gallery.enter(scene, async (page) => {
    await page.setViewportSize(SMALL_VIEW);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await wait(SETTLES_IN_MS);
    const [since, before] = [performance.now(), processorTimeOfTree(gallery.pid)];
    await wait(LOOKS_FOR_MS);
    const taken = processorTimeOfTree(gallery.pid) - before;
    percent = (100 * taken) / (performance.now() - since);
  });
  return percent;
}

function skipped(reason: string): [] {
  process.stderr.write(`The bench "idle" is skipped: ${reason}\n`);
  return [];
}
