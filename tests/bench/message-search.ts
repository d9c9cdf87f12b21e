import { setTimeout as sleep } from 'node:timers/promises';
import { openStorage, type Storage } from '../../src-main/storage/storage.ts';
import type { Bench } from './bench.ts';
import { watchEventLoop } from './event-loop-watch.ts';
import { MESSAGES, messageDatabase, SEED } from './message-database.ts';
import { MessageTexts } from './message-texts.ts';
import { figure } from './report.ts';
import { elapsedMs, interleaved, quantile } from './sampling.ts';

const MAX_BLOCK_MS = 5;

interface Query {
  readonly kind: string;
  readonly text: string;
  readonly inOneConversation?: boolean;
}

/**
 * Each round opens the profile anew, so the search worker's start is in it, and asks every query once. Beside it, for
 * the same time, a round in which nothing is asked: what the clock says then is the machine's doing.
 */
export const messageSearch: Bench = {
  name: 'message search',
  meaning:
    'Whether typing into the search of all conversations ever makes the window stutter, and how soon results appear.',
  run: async ({ isQuick }) => {
    const directory = await messageDatabase();
    const queries = queriesFor(new MessageTexts(SEED));
    const timesByKind = new Map(queries.map(({ kind }) => [kind, [] as number[]]));
    let roundMs = 0;

    const searching = async () => {
      const storage = await openStorage({ directory });
      const conversationId = storage.conversations.latest()?.id ?? '';
      const times: number[] = [];
      const askAll = async (asked: readonly Query[]) => {
        const watch = watchEventLoop();
        for (const query of asked) {
          const ms = await elapsedMs(() => search(storage, query, conversationId));
          times.push(ms);
          timesByKind.get(query.kind)?.push(ms);
        }
        return watch.stop();
      };
      const starting = await askAll(queries.slice(0, 1));
      const running = await askAll(queries.slice(1));
      await storage.close();
      roundMs = times.reduce((sum, ms) => sum + ms, 0);
      const [first = 0, ...rest] = times;
      return {
        first,
        p50: quantile(rest, 0.5),
        p95: quantile(rest, 0.95),
        wallMs: Math.max(starting.wallMs, running.wallMs),
        cpuMs: Math.max(starting.cpuMs, running.cpuMs),
        startingMs: starting.wallMs,
        runningMs: running.wallMs,
      };
    };
    const idle = async () => {
      const watch = watchEventLoop();
      await sleep(roundMs);
      return { first: 0, p50: 0, p95: 0, startingMs: 0, runningMs: 0, ...watch.stop() };
    };

    const samples = await interleaved({ searching, idle }, { warmUps: 1, rounds: isQuick ? 3 : 12 });
    type Figure = keyof Awaited<ReturnType<typeof searching>>;
    const of = (side: keyof typeof samples, name: Figure) => samples[side].map((sample) => sample[name]);
    return [
      figure(
        { what: 'longest block of the event loop, by the clock', unit: 'ms', ours: of('searching', 'wallMs') },
        { atMost: MAX_BLOCK_MS },
      ),
      figure({ what: '- with nothing to do, for as long', unit: 'ms', ours: of('idle', 'wallMs') }),
      figure({ what: '- while the worker starts', unit: 'ms', ours: of('searching', 'startingMs') }),
      figure({ what: '- once it runs', unit: 'ms', ours: of('searching', 'runningMs') }),
      figure(
        { what: 'longest block, own computing only', unit: 'ms', ours: of('searching', 'cpuMs') },
        { atMost: MAX_BLOCK_MS },
      ),
      figure({
        what: `p50 of a round over ${MESSAGES.toLocaleString('en')} messages`,
        unit: 'ms',
        ours: of('searching', 'p50'),
      }),
      figure({ what: 'p95 of a round', unit: 'ms', ours: of('searching', 'p95') }),
      figure({ what: 'first search (starts the worker)', unit: 'ms', ours: of('searching', 'first') }),
      ...[...timesByKind].slice(1).map(([kind, ms]) => figure({ what: `- ${kind}`, unit: 'ms', ours: ms })),
    ];
  },
};

async function search(storage: Storage, query: Query, conversationId: string): Promise<void> {
  const hits = await storage.search(query.text, query.inOneConversation ? { conversationId } : {});
  const expectsNone = query.kind.endsWith('not there');
  if ((hits.length === 0) !== expectsNone) throw new Error(`${hits.length} hits for ${query.kind}: ${query.text}`);
}

function queriesFor(texts: MessageTexts): Query[] {
  const { question, answer } = texts.exchange();
  const word = (rank: number) => texts.word(rank);
  return [
    { kind: 'first', text: word(300) },
    { kind: 'a word in nearly all messages', text: word(0) },
    { kind: 'a common word', text: word(100) },
    { kind: 'a rare word', text: `${word(25_000)} ` },
    { kind: 'a word that is not there', text: 'qqxxqqxx' },
    { kind: 'one letter', text: word(0).slice(0, 1) },
    { kind: 'the beginning of a word', text: word(2_000).slice(0, 3) },
    { kind: 'two common words', text: `${word(1)} ${word(20)}` },
    { kind: 'a common and a rare word', text: `${word(0)} ${word(10_000)}` },
    { kind: 'three common words', text: `${word(0)} ${word(1)} ${word(2)}` },
    { kind: 'a phrase of common words', text: `"${word(0)} ${word(1)}"` },
    {
      kind: 'a long phrase that is not there',
      text: `"${Array.from({ length: 12 }, (_, rank) => word(rank)).join(' ')}"`,
    },
    { kind: 'a whole message', text: question },
    { kind: 'the beginning of a long message', text: answer.slice(0, 300) },
    { kind: 'one Han character', text: texts.han(0) },
    { kind: 'a rare Han character', text: texts.han(3_000) },
    { kind: 'two Han characters', text: texts.han(0) + texts.han(1) },
    { kind: 'four Han characters, not there', text: [0, 1, 2, 3].map((rank) => texts.han(rank * 700 + 5)).join('') },
    { kind: 'kana and Han', text: `の${texts.han(3)}` },
    { kind: 'a common word in one conversation', text: word(0), inOneConversation: true },
  ];
}
