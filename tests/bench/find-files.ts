import { rgPath } from '@vscode/ripgrep';
import { bareEnvironment, startAssistant } from '../fixtures/running-assistant.ts';
import type { Bench } from './bench.ts';
import { outputOf } from './child-processes.ts';
import { MANY_FILES, manyFiles, TS_FILES } from './many-files.ts';
import { comparison, type Row } from './report.ts';
import { elapsedMs, interleaved } from './sampling.ts';

interface Listing {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The same, said to ripgrep, which knows nothing of links. */
  readonly ripgrep: readonly string[];
  readonly files: number;
}

const LISTINGS: readonly Listing[] = [
  { tool: 'glob', input: { pattern: '**/*.ts' }, ripgrep: ['--glob=*.ts'], files: TS_FILES },
  { tool: 'glob', input: { pattern: '**/*' }, ripgrep: [], files: MANY_FILES },
  { tool: 'list_files', input: { recursive: true }, ripgrep: ['--hidden'], files: MANY_FILES },
];

/** As the user's `/glob` and `/list_files` run them: policy, walk, sorting, two events on disk. */
export const findFiles: Bench = {
  name: 'find files',
  meaning: 'How long it takes to list or find files by name in a large folder. The other side is ripgrep alone.',
  run: async ({ isQuick }) => {
    const workspace = manyFiles(MANY_FILES);
    const assistant = await startAssistant({ workspace });
    const options = { warmUps: isQuick ? 1 : 3, rounds: isQuick ? 3 : 15 };

    const ours = async ({ tool, input, files }: Listing) => {
      let found = 0;
      const wallMs = await elapsedMs(() =>
        assistant.turn({ kind: 'tool', name: tool, input: JSON.stringify(input) }, (event) => {
          if (event.type === 'tool_result') found = event.text.split('\n').length;
        }),
      );
      requireFiles(found, files);
      return { wallMs };
    };
    const ripgrep = async ({ ripgrep: args, files }: Listing) => {
      const all = ['--no-config', '--no-ignore', '--files', ...args, './'];
      let output = '';
      const wallMs = await elapsedMs(async () => {
        output = await outputOf({ program: rgPath, args: all, cwd: workspace, env: bareEnvironment(workspace) });
      });
      requireFiles(output.split('\n').length - 1, files);
      return { wallMs };
    };

    try {
      const rows: Row[] = [];
      for (const listing of LISTINGS) {
        const samples = await interleaved({ ours: () => ours(listing), ripgrep: () => ripgrep(listing) }, options);
        const wallMs = (side: keyof typeof samples) => samples[side].map((sample) => sample.wallMs);
        const what = `${listing.tool} ${JSON.stringify(listing.input)}: ${listing.files} of ${MANY_FILES} files`;
        rows.push(
          comparison(
            { what, unit: 'ms', ours: wallMs('ours') },
            { name: 'rg --files', theirs: wallMs('ripgrep') },
            { ratioAtMost: 1.2 },
          ),
        );
      }
      return rows;
    } finally {
      await assistant.stop();
    }
  },
};

function requireFiles(found: number, expected: number): void {
  if (found !== expected)
    throw new Error(`${found} files were found instead of ${expected}: the tree is not as it was made`);
}
