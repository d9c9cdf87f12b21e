import { isRecord } from '../../base/json.ts';

/**
 * Prepares an earlier call for a service that reads numbers as doubles, or whose SDK makes the JSON: integers that
 * would not be kept become texts, with all their digits.
 */
export function withIntegersAsText(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, asText(value)]));
}

function asText(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return value.map(asText);
  return isRecord(value) ? withIntegersAsText(value) : value;
}
