import {
  cachedShare,
  inputOf,
  type RequestsUsage,
  type RequestUsage,
  type TurnUsage,
  usageByModel,
} from '../../conversation/turn-usage.ts';
import { costAtLeastText, costText, tokensText } from '../../ui/amounts.ts';

/**
 * A short line for the end of a turn, and one for each other model: `claude-sonnet-5-5 · 12k in, 80% cached · 830 out ·
 * $0.041`.
 */
export function usageLines(usage: TurnUsage): readonly string[] {
  return usageByModel(usage).map(usageLine);
}

function usageLine(usage: RequestsUsage): string {
  const [request] = usage.requests;
  if (request === undefined) return '';
  const isOwn = request.inside === undefined && request.server === undefined;
  const name = isOwn ? request.model : requestName(request);
  const read = inputOf(usage);
  // The Guide uses no tokens and costs nothing, so its name is enough.
  if (read + usage.output === 0) return name;
  const cached = usage.cacheRead === 0 ? '' : `, ${cachedShare(usage)} cached`;
  const parts = [name, `${tokensText(read)} in${cached}`, `${tokensText(usage.output)} out`];
  const cost = usageCost(usage);
  if (cost !== null) parts.push(cost);
  return parts.join(' · ');
}

/** All details of all requests together, for the tooltip. */
export function usageDetails(usage: TurnUsage): string {
  const n = (count: number) => count.toLocaleString('en');
  const requests = usage.requests.length;
  const lines = [
    ...(usageByModel(usage).length > 1 ? ['All models together:'] : []),
    `${n(usage.input)} input tokens`,
    `${n(usage.output)} output tokens`,
    `${n(usage.cacheRead)} read from the cache`,
    `${n(usage.cacheWrite)} written to the cache`,
    `${n(requests)} ${requests === 1 ? 'request' : 'requests'}`,
  ];
  if (usage.costUsd !== undefined) lines.push(`$${usage.costUsd.toFixed(6)}`);
  const unpriced = usage.requests.filter(({ costUsd }) => costUsd === undefined).length;
  if (unpriced > 0 && inputOf(usage) + usage.output > 0)
    lines.push(`No price is known for ${unpriced === requests ? 'this model' : `${unpriced} of the requests`}`);
  return lines.join('\n');
}

/** The model that a request went to, and the purpose: `openai: gpt-5, asked by the model`. */
export function requestName({ provider, model, inside, server }: RequestUsage): string {
  const name = provider === undefined || provider === model ? model : `${provider}: ${model}`;
  if (inside !== undefined) return `${name}, asked by the model`;
  return server === undefined ? name : `${name}, for the MCP server ${server}`;
}

function usageCost({ costUsd, requests }: RequestsUsage): string | null {
  if (costUsd === undefined) return null;
  const isWhole = requests.every((request) => request.costUsd !== undefined);
  return isWhole ? costText(costUsd) : costAtLeastText(costUsd);
}
