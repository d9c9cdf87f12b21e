import { type Summary, summarize } from './sampling.ts';

export type Unit = 'ms' | 'µs' | 'MB' | 'kB' | 'questions' | 'tokens' | '% of a core';

/** One line of the table. */
export interface Row {
  readonly what: string;
  readonly unit: Unit;
  readonly ours: Summary;
  readonly against?: {
    readonly name: string;
    readonly summary: Summary;
    /** Our median by theirs. */
    readonly ratio: number;
    /** The same, round by round. */
    readonly ratioOfRounds: Summary;
  };
  /**
   * A goal is on the ratio, the largest sample, or the mean of all. If it is absent, the row is only for information.
   */
  readonly goal?: { readonly on: 'ratio' | 'max' | 'mean'; readonly atMost: number; readonly isMet: boolean };
}

export interface BenchResult {
  readonly bench: string;
  readonly rows: readonly Row[];
}

interface Measured {
  readonly what: string;
  readonly unit: Unit;
  readonly ours: readonly number[];
}

/** `theirs[n]` was measured right after `ours[n]`. */
export function comparison(
  { what, unit, ours }: Measured,
  { name, theirs }: { readonly name: string; readonly theirs: readonly number[] },
  { ratioAtMost }: { readonly ratioAtMost?: number } = {},
): Row {
  const summary = summarize(theirs);
  const ratio = summarize(ours).median / summary.median;
  const ratioOfRounds = summarize(ours.map((value, round) => value / (theirs[round] ?? Number.NaN)));
  return {
    what,
    unit,
    ours: summarize(ours),
    against: { name, summary, ratio, ratioOfRounds },
    ...(ratioAtMost === undefined
      ? {}
      : { goal: { on: 'ratio', atMost: ratioAtMost, isMet: ratio <= ratioAtMost } as const }),
  };
}

/** A figure that is compared with nothing; `atMost` is a goal for its largest sample, `meanAtMost` for their mean. */
export function figure(
  { what, unit, ours }: Measured,
  { atMost, meanAtMost }: { readonly atMost?: number; readonly meanAtMost?: number } = {},
): Row {
  const summary = summarize(ours);
  return {
    what,
    unit,
    ours: summary,
    ...(atMost === undefined ? {} : { goal: { on: 'max', atMost, isMet: summary.max <= atMost } as const }),
    ...(meanAtMost === undefined
      ? {}
      : { goal: { on: 'mean', atMost: meanAtMost, isMet: summary.mean <= meanAtMost } as const }),
  };
}

/** Writes one block for each bench, with aligned columns. */
export function asTable({ bench, rows }: BenchResult): string {
  const lines = [['', 'ours', 'against', 'ratio', 'goal'], ...rows.map(cellsOf)];
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  const shown = lines.map((line) => `  ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`);
  return `${bench}\n${shown.map((line) => line.trimEnd()).join('\n')}\n`;
}

/** What was measured, ours, the other side, the ratio and the goal, each as a text. Empty where there is none. */
export function cellsOf(row: Row): readonly string[] {
  const { what, ours, unit, against } = row;
  return [
    what,
    described(ours, unit),
    against === undefined ? '' : `${against.name}: ${described(against.summary, unit)}`,
    against === undefined
      ? ''
      : `${against.ratio.toFixed(2)}× (${against.ratioOfRounds.min.toFixed(2)}–${against.ratioOfRounds.max.toFixed(2)})`,
    verdict(row),
  ];
}

function described({ median, min, max }: Summary, unit: Unit): string {
  const digits = max < 10 ? 2 : max < 100 ? 1 : 0;
  return `${median.toFixed(digits)} ${unit} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
}

function verdict({ goal, unit, ours }: Row): string {
  if (goal === undefined) return '';
  const limits = {
    ratio: `≤ ${goal.atMost}×`,
    max: `never > ${goal.atMost} ${unit}`,
    mean: `on average ≤ ${goal.atMost} ${unit}; it is ${ours.mean.toFixed(2)}`,
  };
  return `${goal.isMet ? '✓' : '✗'} ${limits[goal.on]}`;
}
