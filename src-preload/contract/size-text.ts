/** Writes a size for people: `831 bytes`, `12 kB`, `1.2 MB`, `4.7 GB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  // What would be rounded to a thousand is written in the next unit.
  if (bytes < 999_500) return `${Math.round(bytes / 1_000)} kB`;
  if (bytes < 999_950_000) return `${withOneDecimal(bytes / 1_000_000)} MB`;
  return `${withOneDecimal(bytes / 1_000_000_000)} GB`;
}

function withOneDecimal(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '');
}
