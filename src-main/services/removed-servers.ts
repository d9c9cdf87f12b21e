import { withBundledServer } from '../mcp/bundled-server.ts';
import type { PinnedDefinitions } from '../policy/mcp/pinned-definitions.ts';
import type { RuleMatcher } from '../policy/rules.ts';
import { wasRead } from '../settings/problems.ts';
import type { Settings } from '../settings/settings.ts';
import type { Rules } from '../storage/records/rules.ts';
import type { EffectiveSettings } from './effective-settings.ts';

export interface RemovedServersPorts {
  readonly settings: Pick<Settings, 'problems' | 'serversAsWritten'>;
  readonly effective: Pick<EffectiveSettings, 'config' | 'keptServers'>;
  readonly definitions: Pick<PinnedDefinitions, 'forgetRemoved'>;
  readonly rules: Pick<Rules<RuleMatcher>, 'all' | 'revoke'>;
}

/** What the user allowed a server ends once config.json no longer names it: a new one may take its name. */
export function endPermissionsOfRemoved({ settings, effective, definitions, rules }: RemovedServersPorts): void {
  if (!wasRead(settings.problems)) return;
  // An invalid entry is not a removed one, and the removal of another may be undone.
  const named = new Set([...Object.keys(settings.serversAsWritten), ...effective.keptServers]);
  const servers = withBundledServer(effective.config.mcpServers);
  definitions.forgetRemoved(named);
  for (const { id, matcher } of rules.all()) {
    if (matcher.kind !== 'mcp-tool' || named.has(matcher.server) || Object.hasOwn(servers, matcher.server)) continue;
    rules.revoke(id);
  }
}
