import type { TurnUsage } from '../../conversation/turn.svelte.ts';

function tokens(count: number): string {
  if (count < 1_000) return String(count);
  return `${(count / 1_000).toFixed(count < 10_000 ? 1 : 0).replace(/\.0$/, '')}k`;
}

/** Amounts below a cent are shown as `< $0.01`: four digits would look exact. */
function cost(usd: number): string {
  if (usd === 0) return '$0';
  return usd < 0.01 ? '< $0.01' : `$${usd.toFixed(usd < 1 ? 3 : 2)}`;
}

/** One short line for the end of a turn: `claude-sonnet-5-5 · 12k in · 830 out · $0.041`. */
export function usageLine(usage: TurnUsage): string {
  const read = usage.input + usage.cacheRead + usage.cacheWrite;
  const parts = [usage.model];
  // The Guide uses no tokens and costs nothing, so its name is enough.
  if (read + usage.output === 0) return usage.model;
  parts.push(`${tokens(read)} in`, `${tokens(usage.output)} out`);
  if (usage.costUsd !== undefined) parts.push(cost(usage.costUsd));
  return parts.join(' · ');
}

/** All details, for the tooltip. */
export function usageDetails(usage: TurnUsage): string {
  const n = (count: number) => count.toLocaleString('en');
  const lines = [
    `${n(usage.input)} input tokens`,
    `${n(usage.output)} output tokens`,
    `${n(usage.cacheRead)} read from the cache`,
    `${n(usage.cacheWrite)} written to the cache`,
    `${n(usage.rounds)} ${usage.rounds === 1 ? 'request' : 'requests'}`,
  ];
  if (usage.costUsd !== undefined) lines.push(`$${usage.costUsd.toFixed(6)}`);
  return lines.join('\n');
}
