import { basename, join } from 'node:path';
import { allowAll } from '../fixtures/allow-all.ts';
import { ToolHarness } from '../fixtures/tool-harness.ts';
import type { Bench } from './bench.ts';
import { manyFiles } from './many-files.ts';
import { comparison, figure, type Row } from './report.ts';
import { elapsedMs, interleaved } from './sampling.ts';

const FEW = 20;
const MANY = 200_000;
/** It takes no time of its own. */
const COMMAND = 'true';
/** The sandbox needs files to be found and mounts to be made. That must not be noticed. */
const ADDED_AT_MOST_MS = 40;
const MANY_BY_FEW_AT_MOST = 1.1;
const OFF = { sandbox: 'off', reason: 'It is measured.' };

/**
 * One command in the sandbox and as the user, through the same tool. Without checkpoints, which both need alike, and
 * with a user who allows everything at once.
 */
export const sandbox: Bench = {
  name: 'sandbox',
  meaning: 'How much longer a command takes in the sandbox. The other side is the same command outside.',
  run: async ({ isQuick }) => {
    const few = toolsIn(manyFiles(FEW));
    const many = toolsIn(manyFiles(MANY));
    try {
      if (!(await few.environment.sandbox.canHold(few.environment.files.realRoots))) {
        process.stderr.write('The bench "sandbox" is skipped: commands can’t be held here\n');
        return [];
      }
      const samples = await interleaved(
        {
          readOnlyFew: () => sample(few, { sandbox: 'read-only' }, 'default'),
          bareFew: () => sample(few, OFF, 'user'),
          folderFew: () => sample(few, {}, 'grant'),
          readOnlyMany: () => sample(many, { sandbox: 'read-only' }, 'default'),
          bareMany: () => sample(many, OFF, 'user'),
          folderMany: () => sample(many, {}, 'grant'),
        },
        { warmUps: isQuick ? 1 : 3, rounds: isQuick ? 3 : 21 },
      );
      const wallMs = (side: keyof typeof samples) => samples[side].map((each) => each.wallMs);
      const held = (where: string, ours: readonly number[], theirs: readonly number[]): readonly Row[] => {
        const added = ours.map((value, round) => value - (theirs[round] ?? Number.NaN));
        return [
          comparison({ what: where, unit: 'ms', ours }, { name: 'outside', theirs }),
          figure({ what: `${where}: added`, unit: 'ms', ours: added }, { meanAtMost: ADDED_AT_MOST_MS }),
        ];
      };
      const grown = (where: string, ours: readonly number[], theirs: readonly number[]): Row =>
        comparison(
          { what: `${where}, with 200,000 files`, unit: 'ms', ours },
          { name: 'with 20', theirs },
          { ratioAtMost: MANY_BY_FEW_AT_MOST },
        );
      return [
        ...held('read-only, 20 files', wallMs('readOnlyFew'), wallMs('bareFew')),
        ...held('folder, 20 files', wallMs('folderFew'), wallMs('bareFew')),
        ...held('read-only, 200,000 files', wallMs('readOnlyMany'), wallMs('bareMany')),
        ...held('folder, 200,000 files', wallMs('folderMany'), wallMs('bareMany')),
        grown('read-only', wallMs('readOnlyMany'), wallMs('readOnlyFew')),
        grown('folder', wallMs('folderMany'), wallMs('folderFew')),
      ];
    } finally {
      await Promise.all([few.dispose(), many.dispose()]);
    }
  },
};

/** Tools in a folder that stays, in which they may work freely. */
function toolsIn(tree: string): ToolHarness {
  const tools = new ToolHarness({ consent: allowAll, remembers: true, workspace: join('..', basename(tree)) });
  const path = tools.workspace;
  tools.rules.add({ label: `work freely in ${path}`, tool: null, matcher: { kind: 'work-freely', path } }, null);
  return tools;
}

async function sample(tools: ToolHarness, more: object, by: string): Promise<{ readonly wallMs: number }> {
  let allowedBy = '';
  const wallMs = await elapsedMs(async () => {
    const { decision, result } = await tools.turn('bash', { command: COMMAND, ...more });
    allowedBy = decision.by;
    if (result.isError || result.exitCode !== 0) throw new Error(`the command failed: ${result.text}`);
  });
  if (allowedBy !== by) throw new Error(`the command was allowed by ${allowedBy} instead of ${by}`);
  return { wallMs };
}
