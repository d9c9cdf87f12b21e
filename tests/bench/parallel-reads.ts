import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConversationLog } from '../../src-main/assistant/conversation-log.ts';
import { ToolCalls } from '../../src-main/assistant/tool-calls.ts';
import { type RunningAssistant, startAssistant } from './assistant.ts';
import type { Bench } from './bench.ts';
import { comparison, figure } from './report.ts';
import { elapsedMs, interleaved } from './sampling.ts';

const CALLS = 20;
const LARGEST_BYTES = 5 * 1024 * 1024;
const SMALLEST_BYTES = 2 * 1024 * 1024;

/** The calls of one message, through registry, policy and log, against the one of them that takes longest alone. */
export const parallelReads: Bench = {
  name: 'parallel reads',
  run: async ({ isQuick }) => {
    const files = Object.fromEntries(
      Array.from({ length: CALLS }, (_, index) => [`part-${index}.txt`, content(index)]),
    );
    const small = Object.fromEntries(
      Array.from({ length: CALLS }, (_, index) => [`small-${index}.txt`, content(index).slice(0, 20_000)]),
    );
    const assistant = await startAssistant({ files: { ...files, ...small } });
    const options = { warmUps: isQuick ? 1 : 3, rounds: isQuick ? 3 : 12 };
    const names = Object.keys(files);
    const smallNames = Object.keys(small);
    const bare = (name: string) => readFile(join(assistant.workspace, name), 'utf8');

    const together = (of: readonly string[]) => async () => ({ wallMs: await readTogether(assistant, of) });
    const slowestAlone = (of: readonly string[]) => async () => {
      let wallMs = 0;
      for (const name of of) wallMs = Math.max(wallMs, await readTogether(assistant, [name]));
      return { wallMs };
    };
    try {
      const samples = await interleaved(
        {
          together: together(names),
          alone: slowestAlone(names),
          smallTogether: together(smallNames),
          smallAlone: slowestAlone(smallNames),
          bareTogether: async () => ({ wallMs: await elapsedMs(() => Promise.all(names.map(bare))) }),
          bareAlone: async () => {
            let wallMs = 0;
            for (const name of names) wallMs = Math.max(wallMs, await elapsedMs(() => bare(name)));
            return { wallMs };
          },
        },
        options,
      );
      const wallMs = (side: keyof typeof samples) => samples[side].map((sample) => sample.wallMs);
      return [
        comparison(
          { what: `${CALLS} files of 2 to 5 MB`, unit: 'ms', ours: wallMs('together') },
          { name: 'slowest alone', theirs: wallMs('alone') },
          { ratioAtMost: 1.5 },
        ),
        comparison(
          { what: `${CALLS} files of 20 kB`, unit: 'ms', ours: wallMs('smallTogether') },
          { name: 'slowest alone', theirs: wallMs('smallAlone') },
          { ratioAtMost: 1.5 },
        ),
        comparison(
          { what: 'what Node can do: 2 to 5 MB with fs.readFile', unit: 'ms', ours: wallMs('bareTogether') },
          { name: 'slowest alone', theirs: wallMs('bareAlone') },
        ),
        figure({
          what: 'ours beside that',
          unit: 'ms',
          ours: wallMs('together').map((ms, i) => ms - (wallMs('bareTogether')[i] ?? 0)),
        }),
      ];
    } finally {
      await assistant.stop();
    }
  },
};

async function readTogether(assistant: RunningAssistant, names: readonly string[]): Promise<number> {
  const { services, signal, newConversation } = assistant;
  let results = 0;
  const log = new ConversationLog(services.storage.events, newConversation(), randomUUID(), (event) => {
    if (event.type === 'tool_result' && !event.isError) results++;
  });
  const calls = names.map((name, index) => ({ id: `call_${index}`, name: 'read_file', input: { file_path: name } }));
  const wallMs = await elapsedMs(() => new ToolCalls(services.toolServices, log, signal).run(calls));
  if (results !== names.length) throw new Error(`${results} of ${names.length} reads succeeded`);
  return wallMs;
}

function content(index: number): string {
  const bytes = SMALLEST_BYTES + ((LARGEST_BYTES - SMALLEST_BYTES) * index) / (CALLS - 1);
  const line = `Line of part ${index}: the quick brown fox jumps over the lazy dog and goes home again.\n`;
  return line.repeat(Math.floor(bytes / line.length));
}
