import { addressesIn } from '../../src-main/policy/mcp/argument-addresses.ts';
import { hostsInTexts } from '../../src-main/policy/mcp/hosts-in-text.ts';
import { loadIsPublicHost } from '../../src-main/policy/mcp/mentioned-addresses.ts';
import { IncrementalBlocks } from '../../src-renderer/chat/markdown/incremental-blocks.ts';
import { hostileMarkdown } from '../fixtures/hostile-markdown.ts';
import type { Bench } from './bench.ts';
import { comparison, figure } from './report.ts';

const LENGTH = 100_000;
/** Linear, with room for what a machine does besides. With the square it would be four. */
const RATIO_OF_DOUBLE = 3;
const PARTS = ['"', "'", '`', '>', '<', 'a.', '%25', '//', 'a@', '[', ' ', '\\', 'http://'];

/** Texts made to keep a parser busy: how the time grows when they become twice as long, and the longest block. */
export const hostileTexts: Bench = {
  name: 'hostile texts',
  meaning:
    'Whether a text that was made to be slow can hold up the window: twice the text should take about twice the time.',
  run: async ({ isQuick }) => {
    const rounds = isQuick ? 2 : 7;
    const isPublicHost = await loadIsPublicHost();
    const search = (length: number) => {
      for (const part of PARTS) {
        const input = { a: `${part.repeat(length / part.length)}x` };
        addressesIn(input);
        // Its search is over when it returns; only files are looked up after that.
        void hostsInTexts(input, { isPublicHost, wasFile: async () => false });
      }
    };
    search(LENGTH / 10);
    const half: number[] = [];
    const whole: number[] = [];
    for (let round = 0; round < rounds; round++) {
      whole.push(elapsed(() => search(2 * LENGTH)));
      half.push(elapsed(() => search(LENGTH)));
    }
    const parsing = [...hostileMarkdown(isQuick ? 50 : 1_000, 20_000)].map((text) =>
      elapsed(() => new IncrementalBlocks().parse(text, true)),
    );
    const what = 'an argument of one part, twice as long';
    return [
      comparison(
        { what, unit: 'ms', ours: whole },
        { name: 'half of it', theirs: half },
        { ratioAtMost: RATIO_OF_DOUBLE },
      ),
      figure({ what: 'Markdown of up to 20,000 characters, a frame', unit: 'ms', ours: parsing }),
    ];
  },
};

function elapsed(work: () => void): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}
