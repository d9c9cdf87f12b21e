/** Numbers in [0, 1) that are the same in every run (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A rank in [0, count): rank r comes up about 1/r as often as the first, as words do in texts (Zipf). */
export function zipfRank(count: number, random: () => number): number {
  return Math.floor(Math.exp(random() * Math.log(count + 1))) - 1;
}

/** Between the two, small ones more often: the logarithm is evenly spread, as the sizes of files and messages are. */
export function logUniform(least: number, most: number, random: () => number): number {
  return Math.round(least * (most / least) ** random());
}
