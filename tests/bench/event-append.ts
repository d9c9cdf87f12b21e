import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { startAssistant } from '../fixtures/running-assistant.ts';
import type { Bench } from './bench.ts';
import { comparison, figure } from './report.ts';
import { interleaved, quantile } from './sampling.ts';

const APPENDS = 2_000;
const DELTA = { type: 'text_delta', text: 'and so the answer goes on for a while. ' } as const;

/** What it costs that a piece of streamed text is committed before it is shown. */
export const eventAppend: Bench = {
  name: 'event append',
  meaning: 'How long each piece of an answer takes to be safely on disk.',
  run: async ({ isQuick, temporaryFolder }) => {
    const assistant = await startAssistant();
    const file = openSync(join(temporaryFolder, 'lines.jsonl'), 'a');
    const { events } = assistant.services.storage;
    try {
      const samples = await interleaved(
        {
          append: async () => {
            const conversationId = assistant.newConversation();
            return timesOf(() => events.appendAll(conversationId, 'turn', [DELTA]));
          },
          writeLine: async () => timesOf(() => writeSync(file, `${JSON.stringify(DELTA)}\n`)),
        },
        { warmUps: 1, rounds: isQuick ? 2 : 8 },
      );
      const { append, writeLine } = samples;
      return [
        comparison(
          { what: `a text_delta, median of ${APPENDS}`, unit: 'µs', ours: append.map(({ median }) => median) },
          { name: 'a line to a file', theirs: writeLine.map(({ median }) => median) },
        ),
        figure({ what: 'a text_delta, 99th percentile', unit: 'µs', ours: append.map(({ p99 }) => p99) }),
        figure({ what: 'a text_delta, longest', unit: 'µs', ours: append.map(({ longest }) => longest) }),
      ];
    } finally {
      closeSync(file);
      await assistant.stop();
    }
  },
};

function timesOf(work: () => void): { median: number; p99: number; longest: number } {
  const times = Array.from({ length: APPENDS }, () => {
    const startedAt = performance.now();
    work();
    return (performance.now() - startedAt) * 1_000;
  });
  return { median: quantile(times, 0.5), p99: quantile(times, 0.99), longest: quantile(times, 1) };
}
