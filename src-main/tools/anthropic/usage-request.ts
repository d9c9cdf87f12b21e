/** The requests that the Admin API supports, and the texts of results. Source: tool catalogue B.7. */
export const usageActions = {
  usage: { path: '/v1/organizations/usage_report/messages', heading: 'Token Usage Report' },
  cost: { path: '/v1/organizations/cost_report', heading: 'Cost Report' },
  claude_code: { path: '/v1/organizations/usage_report/claude_code', heading: 'Claude Code Usage Report' },
} as const;

export type UsageAction = keyof typeof usageActions;

export interface UsageQuery {
  readonly starting_at: string;
  readonly ending_at?: string | undefined;
  readonly bucket_width?: string | undefined;
  readonly group_by?: readonly string[] | undefined;
  readonly limit?: number | undefined;
}

export function isUsageAction(action: string): action is UsageAction {
  return Object.hasOwn(usageActions, action);
}

/**
 * The path and query of a report. Only parameters that the report supports are sent: claude_code covers one day, cost
 * whole days.
 */
export function usagePath(action: UsageAction, query: UsageQuery): string {
  const isOneDay = action === 'claude_code';
  const startingAt = query.starting_at.trim();
  const parameters: [string, string | undefined][] = [
    ['starting_at', isOneDay ? dateOf(startingAt) : startingAt],
    ['ending_at', isOneDay ? undefined : query.ending_at?.trim()],
    ['bucket_width', isOneDay ? undefined : bucketWidth(action, query.bucket_width)],
    ...(isOneDay ? [] : (query.group_by ?? [])).map((field): [string, string] => ['group_by[]', field.trim()]),
    ['limit', query.limit === undefined ? undefined : String(query.limit)],
  ];
  // The brackets are not encoded, as in the vendor's documentation.
  const sent = parameters.flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [`${name}=${encodeURIComponent(wellFormed(value))}`],
  );
  return `${usageActions[action].path}?${sent.join('&')}`;
}

function bucketWidth(action: UsageAction, width: string | undefined): string | undefined {
  return action === 'cost' && width !== undefined ? '1d' : width?.trim();
}

function dateOf(time: string): string {
  return /^\d{4}-\d{2}-\d{2}/.test(time) ? time.slice(0, 'YYYY-MM-DD'.length) : time;
}

/** A lone surrogate cannot be encoded. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
