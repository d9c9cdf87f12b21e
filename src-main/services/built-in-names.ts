import { DESKTOP_TOOLS } from '../../src-preload/contract/desktop-tools.ts';
import { lookAlikesOf } from '../base/look-alikes.ts';
import { READ_SKILL_DOCUMENT } from '../client-tools/skill-documents.ts';
import { BUNDLED_LIST } from '../mcp/bundled-server.ts';
import { BUNDLED_SERVER_NAME } from '../settings/spelling.ts';
import type { ToolRegistry } from '../tools/registry/registry.ts';

/** Tools that no registry has: of the window, of skills, and of the server that comes with Steward. */
const OTHERS = [
  ...DESKTOP_TOOLS,
  READ_SKILL_DOCUMENT,
  ...BUNDLED_LIST.tools.map(({ name }) => `${BUNDLED_SERVER_NAME}__${name}`),
];

/**
 * Whether people would read a tool's name, as it is offered, as that of one of Steward's own: somebody else's
 * `reаd_file` (with a Cyrillic letter), `read-file` or `read__file` would be taken for ours. Those that are switched off
 * or lack a key count too.
 */
export function looksBuiltIn(registry: Pick<ToolRegistry, 'ownNames'>): (offered: string) => boolean {
  return lookAlikesOf(() => [...registry.ownNames(), ...OTHERS]);
}
