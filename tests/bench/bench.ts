import type { Row } from './report.ts';

export interface Bench {
  readonly name: string;
  /** What the figures mean to a user, in one or two sentences. */
  readonly meaning: string;
  run(options: BenchOptions): Promise<readonly Row[]>;
}

export interface BenchOptions {
  /** Fewer rounds: to see that it runs, not to quote. */
  readonly isQuick: boolean;
  /** What stands behind the figures is wanted too. */
  readonly isVerbose: boolean;
  /** For what is no row. */
  show(text: string): void;
  /** Goes when everything was measured. */
  readonly temporaryFolder: string;
}
