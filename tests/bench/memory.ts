import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Bench } from './bench.ts';
import { startsIn } from './built-ask.ts';
import { type Command, outputOf } from './child-processes.ts';
import { comparison } from './report.ts';
import { interleaved } from './sampling.ts';

/** The most memory that a process had resident, as its system counts it at the end. */
export const memory: Bench = {
  name: 'memory',
  meaning: 'How much memory one question in the terminal takes.',
  run: async ({ isQuick, temporaryFolder }) => {
    const { ask, node } = await startsIn(temporaryFolder);
    const file = join(temporaryFolder, 'peak-memory');
    const peak = async (command: Command) => {
      const preloaded = pathToFileURL(join(import.meta.dirname, 'peak-memory.mjs')).href;
      const env = { ...command.env, PEAK_MEMORY_FILE: file };
      await outputOf({ ...command, args: ['--import', preloaded, ...command.args], env });
      const kilobytes = Number(await readFile(file, 'utf8'));
      await rm(file);
      return { megabytes: kilobytes / 1024 };
    };
    const samples = await interleaved(
      { ask: () => peak(ask('--model', 'guide', 'help')), bare: () => peak(node('-e', '0')) },
      { warmUps: 1, rounds: isQuick ? 2 : 5 },
    );
    const megabytes = (side: keyof typeof samples) => samples[side].map((sample) => sample.megabytes);
    return [
      comparison(
        { what: 'ask, peak resident memory', unit: 'MB', ours: megabytes('ask') },
        { name: 'node -e 0', theirs: megabytes('bare') },
        { ratioAtMost: 1.5 },
      ),
    ];
  },
};
