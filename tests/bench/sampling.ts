import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What a number of samples of one figure look like. */
export interface Summary {
  readonly samples: number;
  readonly median: number;
  readonly mean: number;
  readonly min: number;
  readonly max: number;
}

export interface SamplingOptions {
  /** Rounds that are thrown away: caches fill, code is compiled. */
  readonly warmUps: number;
  readonly rounds: number;
}

type Sample<Figure extends string> = Readonly<Record<Figure, number>>;

/**
 * Measures several ways to do the same in turns (A B A B …), so that whatever else the machine does falls on all alike.
 * Each `run` measures itself and returns its figures. Gives the samples of each side, round by round.
 */
export async function interleaved<Side extends string, Figure extends string>(
  sides: Readonly<Record<Side, () => Promise<Sample<Figure>>>>,
  { warmUps, rounds }: SamplingOptions,
): Promise<Readonly<Record<Side, readonly Sample<Figure>[]>>> {
  const names = Object.keys(sides) as Side[];
  const samples = Object.fromEntries(names.map((name) => [name, [] as Sample<Figure>[]])) as Record<
    Side,
    Sample<Figure>[]
  >;
  for (let round = -warmUps; round < rounds; round++) {
    for (const name of names) {
      // One side's garbage is not to be collected in the other's time.
      collectGarbage();
      const sample = await sides[name]();
      if (round >= 0) samples[name].push(sample);
    }
  }
  return samples;
}

export function summarize(samples: readonly number[]): Summary {
  if (samples.length === 0) throw new Error('Nothing was measured');
  return {
    samples: samples.length,
    median: quantile(samples, 0.5),
    mean: samples.reduce((sum, sample) => sum + sample, 0) / samples.length,
    min: quantile(samples, 0),
    max: quantile(samples, 1),
  };
}

/** `share` of the samples are at most this; between two samples the line through them. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? 0;
  const above = sorted[Math.ceil(place)] ?? below;
  return below + (above - below) * (place - Math.floor(place));
}

export async function elapsedMs(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
