import { createHash } from 'node:crypto';

/**
 * The SHA-256 (hex) of a JSON-like value. The order of keys doesn't matter, and a member that is undefined counts as
 * absent.
 */
export function canonicalHash(value: unknown): string {
  return createHash('sha256').update(canonicalText(value)).digest('hex');
}

export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => `${JSON.stringify(key)}:${canonicalText(member)}`);
    return `{${members.join(',')}}`;
  }
  if (typeof value === 'bigint') return String(value);
  // JSON would turn NaN and the infinities into null.
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return JSON.stringify(value) ?? 'undefined';
}
