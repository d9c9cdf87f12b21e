import { isRecord } from '../../base/json.ts';

/** Fields of a service's answer, read without trust: anything of another type counts as absent. */
export type JsonRecord = Readonly<Record<string, unknown>>;

export function record(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** More than any model takes or gives. The limit keeps sums exact, even of counts that a service made up. */
const MAX_TOKENS = 1_000_000_000;

export function tokenCount(value: unknown): number | undefined {
  const tokens = count(value);
  return tokens === undefined ? undefined : Math.min(Math.trunc(tokens), MAX_TOKENS);
}

/** Reads an integer from 0 to the largest that is exact. */
export function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
    ? Math.min(value, Number.MAX_SAFE_INTEGER)
    : undefined;
}
