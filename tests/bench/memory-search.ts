import { openStorage } from '../../src-main/storage/storage.ts';
import type { Bench } from './bench.ts';
import { watchEventLoop } from './event-loop-watch.ts';
import { FACTS, factKey, MEMORIES, MEMORY_SEED, memoryDatabase } from './memory-database.ts';
import { MESSAGES } from './message-database.ts';
import { MessageTexts } from './message-texts.ts';
import { figure } from './report.ts';
import { elapsedMs, interleaved, quantile } from './sampling.ts';

const P95_MS = 15;
const FACTS_READ = 1_000;

/** Each round opens the profile anew, asks every question once after the worker has started, and reads facts. */
export const memorySearch: Bench = {
  name: 'memory search',
  meaning: 'How soon the assistant finds what it was asked to remember.',
  run: async ({ isQuick }) => {
    const directory = await memoryDatabase();
    const queries = queriesFor(new MessageTexts(MEMORY_SEED));
    const timesByKind = new Map(queries.map(({ kind }) => [kind, [] as number[]]));

    const round = async () => {
      const storage = await openStorage({ directory });
      const ask = async (text: string) => {
        const hits = await storage.memory.searchMemory(text, { limit: 5, exceptConversation: null });
        if ((hits.length === 0) !== (text === NOWHERE)) throw new Error(`${hits.length} hits for ${text}`);
      };
      const first = await elapsedMs(() => ask(queries[0]?.text ?? ''));
      const watch = watchEventLoop();
      const times: number[] = [];
      for (const { kind, text } of queries) {
        const ms = await elapsedMs(() => ask(text));
        times.push(ms);
        timesByKind.get(kind)?.push(ms);
      }
      const { wallMs, cpuMs } = watch.stop();
      const facts = Array.from({ length: FACTS_READ }, (_, index) => {
        const startedAt = performance.now();
        storage.memory.getFact(factKey((index * 7) % FACTS));
        return (performance.now() - startedAt) * 1_000;
      });
      await storage.close();
      return {
        first,
        wallMs,
        cpuMs,
        p50: quantile(times, 0.5),
        p95: quantile(times, 0.95),
        fact50: quantile(facts, 0.5),
        fact95: quantile(facts, 0.95),
      };
    };

    const { asking } = await interleaved({ asking: round }, { warmUps: 1, rounds: isQuick ? 3 : 12 });
    const of = (name: keyof Awaited<ReturnType<typeof round>>) => asking.map((sample) => sample[name]);
    const size = `${MEMORIES.toLocaleString('en')} memories and ${MESSAGES.toLocaleString('en')} messages`;
    return [
      figure({ what: `p50 of a round over ${size}`, unit: 'ms', ours: of('p50') }),
      figure({ what: 'p95 of a round', unit: 'ms', ours: of('p95') }, { atMost: P95_MS }),
      figure({ what: 'longest block of the main thread, by the clock', unit: 'ms', ours: of('wallMs') }),
      figure({ what: 'longest block, own computing only', unit: 'ms', ours: of('cpuMs') }),
      figure({ what: 'first search (starts the worker)', unit: 'ms', ours: of('first') }),
      figure({ what: `a fact of ${FACTS.toLocaleString('en')}, p50`, unit: 'µs', ours: of('fact50') }),
      figure({ what: 'a fact, p95', unit: 'µs', ours: of('fact95') }),
      ...[...timesByKind].map(([kind, ms]) => figure({ what: `- ${kind}`, unit: 'ms', ours: ms })),
    ];
  },
};

const NOWHERE = 'qqxxqqxx';

function queriesFor(texts: MessageTexts): readonly { readonly kind: string; readonly text: string }[] {
  const { question, answer } = texts.exchange();
  const words = (...ranks: number[]) => ranks.map((rank) => texts.word(rank)).join(' ');
  return [
    { kind: 'a word in nearly all texts', text: words(0) },
    { kind: 'a common word', text: words(100) },
    { kind: 'a rare word', text: words(25_000) },
    { kind: 'a word that is not there', text: NOWHERE },
    { kind: 'two common words', text: words(1, 20) },
    { kind: 'three common words', text: words(0, 1, 2) },
    { kind: 'five words, from common to rare', text: words(1, 10, 100, 1_000, 10_000) },
    { kind: 'eight middling words', text: words(200, 300, 400, 500, 600, 700, 800, 900) },
    { kind: 'a phrase of common words', text: `"${words(0, 1)}"` },
    { kind: 'a whole message', text: question },
    { kind: 'the beginning of a long message', text: answer.slice(0, 300) },
    { kind: 'one Han character', text: texts.han(0) },
    { kind: 'two Han characters', text: texts.han(0) + texts.han(1) },
    { kind: 'four Han characters', text: [0, 1, 2, 3].map((rank) => texts.han(rank)).join(' ') },
  ];
}
