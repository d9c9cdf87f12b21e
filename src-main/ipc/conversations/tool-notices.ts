import type { Notice } from '../../assistant/turn.ts';
import type { ToolRegistry } from '../../tools/registry/registry.ts';

/**
 * Tells a user who called an unavailable tool by name what is missing and where to provide it. The result of the call
 * is what a model would get, and says neither (tool catalogue A.4, A.5).
 */
export function toolNotices(registry: ToolRegistry, called: string): readonly Notice[] {
  const tool = registry.get(called);
  if (tool === undefined) {
    const closed = registry.missing(called);
    if (closed === undefined) return [];
    const needs = `${closed.tool.name} needs ${closed.needs}.`;
    return closed.setIn === 'accounts'
      ? [{ code: 'tool_needs_account', message: `${needs} Set it up in Settings, under Accounts.` }]
      : [{ code: 'tool_needs_key', message: `${needs} Add keys in Settings, under Models and keys.` }];
  }
  if (registry.isEnabled(tool)) return [];
  if (registry.isLeftOutByProfile(tool))
    return [{ code: 'tool_left_out', message: `${tool.name} is left out by the "lean" tool profile in config.json.` }];
  const message = `${tool.name} is switched off. You can switch it on in Settings, under Tools.`;
  return [{ code: 'tool_switched_off', message }];
}
