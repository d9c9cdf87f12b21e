import { bundleSizes } from '../../scripts/bundle-sizes.mjs';
import type { Bench } from './bench.ts';
import { builtOutput } from './built-ask.ts';
import { electronWindows, missingForWindows } from './electron-windows.ts';
import { comparison, figure } from './report.ts';
import { interleaved } from './sampling.ts';

const BLANK = 'a window with one paragraph';
/** V8's compiled code is written at the second load of a page and read from the third on. */
const WARM_UPS = 3;

/** From the start of Electron to a window that takes what is typed, and what all its processes hold in memory. */
export const window: Bench = {
  name: 'window',
  meaning:
    'How long the app takes from its start until one can type, and the memory that it takes then. The other side is a blank Electron window.',
  run: async ({ isQuick }) => {
    const missing = missingForWindows();
    if (missing !== undefined) return skipped(missing);
    const output = await builtOutput();
    const windows = await electronWindows(output);
    if ('missing' in windows) return skipped(windows.missing);
    const { ours, blank, close } = windows;
    try {
      const samples = await interleaved({ ours, blank }, { warmUps: isQuick ? 1 : WARM_UPS, rounds: isQuick ? 2 : 5 });
      const of = (side: keyof typeof samples, name: 'ms' | 'megabytes') => samples[side].map((sample) => sample[name]);
      const sizes = bundleSizes(output);
      const size = (what: string, kilobytes: number) => figure({ what, unit: 'kB', ours: [kilobytes] });
      return [
        comparison(
          { what: 'cold start to an interactive window', unit: 'ms', ours: of('ours', 'ms') },
          { name: BLANK, theirs: of('blank', 'ms') },
          { ratioAtMost: 1.15 },
        ),
        comparison(
          { what: 'all processes, proportional memory (PSS)', unit: 'MB', ours: of('ours', 'megabytes') },
          { name: BLANK, theirs: of('blank', 'megabytes') },
          { ratioAtMost: 1.12 },
        ),
        size('main.js', sizes.mainAlone),
        size('main.js with its static imports', sizes.main),
        size('JavaScript of the chat page before it shows', sizes.renderer),
        size('preload of the chat page', sizes.preload),
      ];
    } finally {
      await close();
    }
  },
};

function skipped(reason: string): [] {
  process.stderr.write(`The bench "window" is skipped: ${reason}\n`);
  return [];
}
