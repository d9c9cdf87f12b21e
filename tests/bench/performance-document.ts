import type { Bench } from './bench.ts';
import { type BenchResult, cellsOf, type Row } from './report.ts';

/** What was measured, on which machine. */
export interface Measurement {
  readonly machine: {
    /** With its `v`. */
    readonly node: string;
    readonly platform: string;
    readonly processors: string;
    /** ISO 8601. */
    readonly measuredAt: string;
  };
  readonly results: readonly BenchResult[];
}

/** Writes `docs/PERFORMANCE.md`: every bench with what it means, and each row with its ratio and goal. */
export function performanceDocument({ machine, results }: Measurement, benches: readonly Bench[]): string {
  const goals = results.flatMap(({ rows }) => rows).flatMap(({ goal }) => goal ?? []);
  const met = goals.filter(({ isMet }) => isMet).length;
  const sections = results.map(({ bench, rows }) => {
    const meaning = benches.find(({ name }) => name === bench)?.meaning ?? '';
    return [`## ${capitalized(bench)}`, '', meaning, '', ...table(rows)].join('\n');
  });
  return `${[
    '# Performance',
    [
      `Measured on ${machine.measuredAt.slice(0, 10)} with Node ${machine.node.slice(1)} on ${machine.platform},`,
      `${machine.processors}, by \`npm run bench -- --document\`, which writes this page. ${met} of ${goals.length} goals`,
      'are met. Each figure is the median with the smallest and largest sample. *Ratio* is ours divided by the other side,',
      'measured in turns with it; ratios can be compared between machines, milliseconds can’t. A row without a goal is for',
      'information.',
    ].join('\n'),
    ...sections,
  ].join('\n\n')}\n`;
}

function table(rows: readonly Row[]): readonly string[] {
  return [['What', 'Ours', 'Against', 'Ratio', 'Goal'], ['---', '---', '---', '---', '---'], ...rows.map(cellsOf)].map(
    (line) => `| ${line.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
  );
}

function capitalized(name: string): string {
  if (name === 'mcp') return 'MCP';
  // Names of tools stay as they are.
  return name.includes('_') ? name : `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
