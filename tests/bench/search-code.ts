import { rgPath } from '@vscode/ripgrep';
import { bareEnvironment, startAssistant } from '../fixtures/running-assistant.ts';
import type { Bench } from './bench.ts';
import { outputOf } from './child-processes.ts';
import { comparison, type Row } from './report.ts';
import { elapsedMs, interleaved } from './sampling.ts';
import { COMMON_LINES, COMMON_QUERY, RARE_LINES, RARE_QUERY, sourceTree } from './source-tree.ts';

/**
 * What search_code means, said to ripgrep as briefly as it can be: hidden and ignored files too, no pictures and
 * archives.
 */
const SAME_MEANING = ['--no-config', '--no-ignore', '--hidden', '--fixed-strings', '--ignore-case', '--line-number'];
const NEVER_SEARCHED = ['.git', '*.png', '*.jpg', '*.jpeg', '*.gif', '*.bmp', '*.pdf', '*.zip'];

/** As the user's `/search_code` runs it: lookup, validation, policy, ripgrep, sorting, two events on disk. */
export const searchCode: Bench = {
  name: 'search_code',
  meaning: 'How long the assistant looks for a text in a large folder. The other side is ripgrep alone.',
  run: async ({ isQuick }) => {
    const workspace = sourceTree();
    const assistant = await startAssistant({ workspace });
    const options = { warmUps: isQuick ? 1 : 3, rounds: isQuick ? 3 : 15 };

    const ours = async (query: string, lines: number) => {
      let found = 0;
      const wallMs = await elapsedMs(() =>
        assistant.turn({ kind: 'tool', name: 'search_code', input: JSON.stringify({ query }) }, (event) => {
          if (event.type === 'tool_result') found = lineCount(event.text);
        }),
      );
      requireLines(found, lines);
      return { wallMs };
    };
    const ripgrep = async (query: string, lines: number) => {
      const skipped = NEVER_SEARCHED.map((glob) => `--iglob=!${glob}`);
      const args = [...SAME_MEANING, ...skipped, '--', query, './'];
      let output = '';
      const wallMs = await elapsedMs(async () => {
        output = await outputOf({ program: rgPath, args, cwd: workspace, env: bareEnvironment(workspace) });
      });
      requireLines(lineCount(output), lines);
      return { wallMs };
    };
    const compare = async (what: string, query: string, lines: number): Promise<Row> => {
      const samples = await interleaved(
        { ours: () => ours(query, lines), ripgrep: () => ripgrep(query, lines) },
        options,
      );
      const wallMs = (side: keyof typeof samples) => samples[side].map((sample) => sample.wallMs);
      return comparison(
        { what: `${what} (${lines} lines) in 20,000 files`, unit: 'ms', ours: wallMs('ours') },
        { name: 'rg', theirs: wallMs('ripgrep') },
        { ratioAtMost: 1.1 },
      );
    };

    try {
      return [
        await compare('a common word', COMMON_QUERY, COMMON_LINES),
        await compare('a rare word', RARE_QUERY, RARE_LINES),
      ];
    } finally {
      await assistant.stop();
    }
  },
};

function lineCount(text: string): number {
  return text.split('\n').filter((line) => line !== '').length;
}

function requireLines(found: number, expected: number): void {
  if (found !== expected)
    throw new Error(`${found} lines were found instead of ${expected}: the tree is not as it was made`);
}
