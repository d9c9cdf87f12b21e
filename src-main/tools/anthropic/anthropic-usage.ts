import { z } from 'zod';
import { isSuccess } from '../../network/http.ts';
import { joinBaseUrl } from '../../settings/endpoints.ts';
import { type ToolContext, ToolFailure, withFailurePrefix } from '../contract.ts';
import { defineTool } from '../define-tool.ts';
import { needsCredentials } from '../registry/gates.ts';
import { type Authorized, httpContext, requestAccess } from '../web/http-calls.ts';
import { costInUsd } from './cost-in-usd.ts';
import { usageCard } from './usage-card.ts';
import { isUsageAction, type UsageAction, usageActions, usagePath } from './usage-request.ts';

const PREFIX = 'Error querying Anthropic Admin API: ';

export const anthropicUsageGate = needsCredentials(
  'an Anthropic admin key (organisations only)',
  'ANTHROPIC_ADMIN_API_KEY',
);

/** Reports of the Admin API unchanged, except that costs are in dollars. Source: tool catalogue B.7. */
export const anthropicUsage = defineTool({
  name: 'anthropic_usage',
  access: 'network',
  errorPrefix: 'Error: ',
  description:
    "Usage and cost of the user's Anthropic organisation as JSON. Actions: usage (tokens), cost (US dollars), claude_code (activity per person on one day). One page; has_more says if there is more.",
  input: z.object({
    // No enum: an unknown action has its own error text.
    action: z.string().describe('usage, cost or claude_code'),
    starting_at: z
      .string()
      .describe('Start of the time span, RFC 3339 (2025-08-01T00:00:00Z); for claude_code the day, YYYY-MM-DD'),
    ending_at: z.string().optional().describe('End of the time span, RFC 3339; not for claude_code'),
    bucket_width: z.string().optional().describe('usage: 1m, 1h or 1d; cost: 1d; not for claude_code'),
    group_by: z
      .array(z.string())
      .optional()
      .describe(
        'usage: model, workspace_id, api_key_id, service_tier, context_window; cost: workspace_id, description',
      ),
    limit: z.number().optional().describe('How many time buckets (claude_code: records) at most'),
  }),
  strictParameters: ['ending_at'],
  words: {
    title: 'Anthropic usage',
    done: 'Read Anthropic usage:',
    icon: 'chart-column',
    about: ['action', 'starting_at'],
  },
  manual: {
    example: { action: 'cost', starting_at: '2025-08-01T00:00:00Z', group_by: ['description'] },
    limits: [
      'Organisation accounts only.',
      'One page of the API, `limit` long: usage gives 7 days (1d), 24 hours (1h) or 60 minutes (1m) if it is not said, cost 7 days, claude_code 20 records. `has_more` in the answer says if there is more; ask for it with a later starting_at.',
      'Costs are rounded to whole cents, half away from zero.',
      '30 seconds, 2,000,000 bytes.',
    ],
  },
  async assess({ action: given, ...query }, context) {
    const action = requireAction(given);
    return withFailurePrefix(PREFIX, async () => {
      const url = joinBaseUrl(context.vendors.baseUrlOf('anthropic'), usagePath(action, query));
      const { access, plan } = requestAccess({ url }, context, { service: 'account' });
      return { access, plan: { ...plan, url, action, groupBy: query.group_by ?? [] } };
    });
  },
  async execute({ action, groupBy, ...planned }, context) {
    return withFailurePrefix(PREFIX, async () => {
      const { parse, stringify } = await import('lossless-json');
      const report = readJson(parse, await ask(planned, context));
      const { heading } = usageActions[action];
      context.mark({ kind: 'private', source: `Anthropic ${heading}` });
      context.card(usageCard(action, report, groupBy));
      const shown = action === 'cost' ? await costInUsd(report) : report;
      return `${heading}:\n${stringify(shown, undefined, 2)}`;
    });
  },
});

function requireAction(action: string): UsageAction {
  if (isUsageAction(action)) return action;
  throw new ToolFailure(`Unknown action '${action}'. Must be one of: ${Object.keys(usageActions).join(', ')}.`);
}

async function ask({ url, authorized }: Authorized & { readonly url: string }, context: ToolContext): Promise<string> {
  const key = await context.vendors.keyOf('anthropic-admin-api-key');
  if (key === undefined) throw new Error('no admin key is set. Add it in Settings, or set ANTHROPIC_ADMIN_API_KEY');
  const request = {
    url,
    headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01', Accept: 'application/json' },
    // The key is sent only to the configured address.
    maxRedirects: 0,
  };
  const { status, body } = await context.http.request(request, httpContext({ authorized }, context));
  const text = body.toString('utf8');
  if (!isSuccess(status)) throw new ToolFailure(`Anthropic Admin API error: HTTP ${status} — ${text}`);
  return text;
}

function readJson(parse: (text: string) => unknown, text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new Error('the answer is not JSON', { cause: error });
  }
}
