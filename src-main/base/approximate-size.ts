/** Deeper than any real request; counting must not overflow the stack. */
const MAX_DEPTH = 64;
const BYTES_OF_A_SMALL_VALUE = 8;

/**
 * Approximate size of a request's input in bytes, without scanning its strings. Stops counting beyond `limit`. Values
 * that no request contains (maps, sets, deep nesting) count as infinite.
 */
export function sizeOf(input: unknown, limit: number): number {
  let total = 0;
  const count = (value: unknown, depth: number): void => {
    if (total > limit) return;
    if (typeof value === 'string') total += value.length + 2;
    else if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) total += value.byteLength;
    else if (typeof value !== 'object' || value === null) total += BYTES_OF_A_SMALL_VALUE;
    else if (depth > MAX_DEPTH || !(Array.isArray(value) || isPlain(value))) total = Number.POSITIVE_INFINITY;
    else {
      total += BYTES_OF_A_SMALL_VALUE;
      for (const [key, member] of Object.entries(value)) {
        total += key.length;
        count(member, depth + 1);
        if (total > limit) return;
      }
    }
  };
  count(input, 0);
  return total;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}
