import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { ConversationLog } from '../../src-main/assistant/conversation-log.ts';
import { ToolCalls } from '../../src-main/assistant/tool-calls.ts';
import { defineTool } from '../../src-main/tools/define-tool.ts';
import { type RunningAssistant, startAssistant } from '../fixtures/running-assistant.ts';
import type { Bench } from './bench.ts';
import { comparison, type Row } from './report.ts';
import { elapsedMs, interleaved, quantile } from './sampling.ts';

const CALLS = 20;
const MAX_BYTES = 5 * 1024 * 1024;
const SMALLEST_BYTES = 2 * 1024 * 1024;
const SMALL_BYTES = 20_000;
const WAIT_MS = 50;
const GOAL = { ratioAtMost: 1.5 };

/**
 * The calls of one message, through registry, policy and log, against the one of them that takes longest alone. Reads
 * that wait (for a slow disk, a server) show what the loop does at the same time; reads of cached files are computing,
 * which one thread does one after the other: what Node itself makes of them stands below.
 */
export const parallelReads: Bench = {
  name: 'parallel reads',
  meaning: 'Whether several files read at once take longer than the largest of them alone.',
  run: async ({ isQuick }) => {
    const large = filesOf('large', (index) => SMALLEST_BYTES + ((MAX_BYTES - SMALLEST_BYTES) * index) / (CALLS - 1));
    const small = filesOf('small', () => SMALL_BYTES);
    const assistant = await startAssistant({ files: { ...large, ...small } });
    const { registry } = assistant.services;
    registry.register({ tool: readSlowly, category: 'client' });
    registry.buildAll();
    const options = { warmUps: isQuick ? 1 : 2, rounds: isQuick ? 2 : 7 };

    const compare = async (
      what: string,
      run: (indices: readonly number[]) => Promise<unknown>,
      goal: { readonly ratioAtMost?: number },
    ): Promise<Row> => {
      const every = Array.from({ length: CALLS }, (_, index) => index);
      const alone = every.map((): number[] => []);
      const samples = await interleaved(
        {
          together: async () => ({ wallMs: await elapsedMs(() => run(every)) }),
          alone: async () => {
            for (const index of every) alone[index]?.push(await elapsedMs(() => run([index])));
            return { wallMs: 0 };
          },
        },
        options,
      );
      // Not the slowest of each round: of twenty, one is always held up by something else.
      const measured = alone.map((times) => times.slice(options.warmUps));
      const slowest = measured.reduce((a, b) => (quantile(b, 0.5) > quantile(a, 0.5) ? b : a));
      const together = samples.together.map((sample) => sample.wallMs);
      return comparison({ what, unit: 'ms', ours: together }, { name: 'slowest alone', theirs: slowest }, goal);
    };
    const readsOf = (prefix: string) => (indices: readonly number[]) =>
      runCalls(
        assistant,
        'read_file',
        indices.map((index) => ({ file_path: `${prefix}-${index}.txt` })),
      );
    const bare = (indices: readonly number[]) =>
      Promise.all(indices.map((index) => readFile(join(assistant.workspace, `large-${index}.txt`), 'utf8')));
    try {
      return [
        await compare(
          `${CALLS} reads that wait ${WAIT_MS} ms each`,
          (indices) =>
            runCalls(
              assistant,
              readSlowly.name,
              indices.map(() => ({})),
            ),
          GOAL,
        ),
        await compare(`${CALLS} files of 20 kB`, readsOf('small'), GOAL),
        await compare(`${CALLS} files of 2 to 5 MB`, readsOf('large'), GOAL),
        await compare('the same with nothing but fs.readFile', bare, {}),
      ];
    } finally {
      await assistant.stop();
    }
  },
};

/** What reading is like where the time goes into waiting. */
const readSlowly = defineTool({
  name: 'read_slowly',
  access: 'read',
  description: 'Waits as a slow server makes one wait.',
  input: z.object({}),
  words: { title: 'Read slowly', done: 'Read slowly', icon: 'file-text', about: [] },
  assess: async () => ({ access: [], plan: {} }),
  async execute() {
    await sleep(WAIT_MS);
    return 'It came at last.';
  },
});

async function runCalls(assistant: RunningAssistant, name: string, inputs: readonly object[]): Promise<void> {
  const { services, signal, newConversation } = assistant;
  let results = 0;
  const id = newConversation();
  const log = new ConversationLog(services.storage.events, id, randomUUID(), (event) => {
    if (event.type === 'tool_result' && !event.isError) results++;
  });
  const calls = inputs.map((input, index) => ({ id: `call_${index}`, name, input }));
  await new ToolCalls(services.toolServicesOf(id), log, 'model', signal).run(calls);
  if (results !== inputs.length) throw new Error(`${results} of ${inputs.length} calls of ${name} succeeded`);
}

function filesOf(prefix: string, bytes: (index: number) => number): Record<string, string> {
  const line = 'The quick brown fox jumps over the lazy dog and goes home again.\n';
  return Object.fromEntries(
    Array.from({ length: CALLS }, (_, index) => [
      `${prefix}-${index}.txt`,
      line.repeat(Math.floor(bytes(index) / line.length)),
    ]),
  );
}
