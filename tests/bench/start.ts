import type { Bench } from './bench.ts';
import { startsIn } from './built-ask.ts';
import { msToExit, msToFirstByte } from './child-processes.ts';
import { comparison, figure } from './report.ts';
import { interleaved } from './sampling.ts';

const GOAL = { ratioAtMost: 2.5 };
/** Nothing of the assistant is needed for it. */
const ARGUMENTS_GOAL = { ratioAtMost: 1.5 };
const BARE = 'node -e 0, whole';

/** From the start of the process to the first byte of the answer, with the offline Guide on an existing profile. */
export const start: Bench = {
  name: 'start',
  meaning:
    'How long after pressing Enter in a terminal the first word appears, and how long help takes. The other side is Node doing nothing.',
  run: async ({ isQuick, temporaryFolder }) => {
    const { ask, script, npm, node } = await startsIn(temporaryFolder);
    const samples = await interleaved(
      {
        ask: async () => ({ ms: await msToFirstByte(ask('--model', 'guide', 'help')) }),
        bare: async () => ({ ms: await msToExit(node('-e', '0')) }),
        script: async () => ({ ms: await msToFirstByte(script('--model', 'guide', 'help')) }),
        help: async () => ({ ms: await msToExit(script('--help')) }),
        usageError: async () => ({ ms: await msToExit(script('--no-such-option'), 2) }),
        byDefault: async () => ({ ms: await msToFirstByte(ask('help')) }),
        oneByte: async () => ({ ms: await msToFirstByte(node('-e', 'process.stdout.write("x")')) }),
        askToEnd: async () => ({ ms: await msToExit(ask('--model', 'guide', 'help')) }),
      },
      { warmUps: isQuick ? 1 : 3, rounds: isQuick ? 3 : 20 },
    );
    const byNpm = await interleaved(
      { npm: async () => ({ ms: await msToExit(npm('--model', 'guide', 'help')) }) },
      { warmUps: 1, rounds: isQuick ? 1 : 5 },
    );
    const ms = (side: keyof typeof samples) => samples[side].map((sample) => sample.ms);
    return [
      comparison(
        { what: 'ask to its first token', unit: 'ms', ours: ms('ask') },
        { name: BARE, theirs: ms('bare') },
        GOAL,
      ),
      comparison(
        { what: 'scripts/ask.mjs to the first token', unit: 'ms', ours: ms('script') },
        { name: BARE, theirs: ms('bare') },
        GOAL,
      ),
      comparison(
        { what: 'scripts/ask.mjs --help, whole', unit: 'ms', ours: ms('help') },
        { name: BARE, theirs: ms('bare') },
        ARGUMENTS_GOAL,
      ),
      comparison(
        { what: 'scripts/ask.mjs with a usage error, whole', unit: 'ms', ours: ms('usageError') },
        { name: BARE, theirs: ms('bare') },
        ARGUMENTS_GOAL,
      ),
      comparison(
        { what: 'ask without --model (looks for a key)', unit: 'ms', ours: ms('byDefault') },
        { name: BARE, theirs: ms('bare') },
      ),
      comparison(
        { what: 'ask to its first token', unit: 'ms', ours: ms('ask') },
        { name: 'node -e write, first byte', theirs: ms('oneByte') },
      ),
      figure({ what: 'ask to its end', unit: 'ms', ours: ms('askToEnd') }),
      figure({ what: 'npm run ask to its end', unit: 'ms', ours: byNpm.npm.map((sample) => sample.ms) }),
    ];
  },
};
