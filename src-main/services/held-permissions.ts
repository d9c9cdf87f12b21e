import { ownValue } from '../base/json.ts';
import type { HeldPermissions, ServerPermission } from '../policy/mcp/held-permissions.ts';
import { type Confirmations, grantHash } from '../policy/permission-grants.ts';
import type { RuleMatcher } from '../policy/rules.ts';
import type { McpServerConfig } from '../settings/config-schema.ts';
import { grantKeysOfServer, grantsOfServer, type PermissionGrant } from '../settings/permission-grants.ts';
import type { ServerEdit } from '../settings/server-entries.ts';
import type { Settings } from '../settings/settings.ts';
import type { McpDefinitions } from '../storage/records/mcp-definitions.ts';
import type { Rules } from '../storage/records/rules.ts';

export interface HeldPermissionsPorts {
  readonly settings: Pick<Settings, 'current' | 'editServer'>;
  readonly confirmations: Confirmations;
  readonly rules: Pick<Rules<RuleMatcher>, 'all' | 'revoke'>;
  readonly definitions: Pick<McpDefinitions, 'list' | 'forget'>;
}

/**
 * What the user allowed MCP servers: confirmed classes and text in config.json, rules and reviewed definitions in the
 * database.
 */
export function heldPermissions({
  settings,
  confirmations,
  rules,
  definitions,
}: HeldPermissionsPorts): HeldPermissions {
  const rulesOf = (server: string) =>
    rules.all().filter(({ matcher }) => matcher.kind === 'mcp-tool' && matcher.server === server);
  return {
    of: (server) => {
      const labels = rulesOf(server).map(({ label }) => label);
      const reviewed = definitions.list(server).length;
      return [
        ...inConfig(server),
        ...(labels.length === 0 ? [] : [{ kind: 'rules', labels } as const]),
        ...(reviewed === 0 ? [] : [{ kind: 'reviewed', definitions: reviewed } as const]),
      ];
    },
    end: async (server) => {
      const inFile = confirmedOf(server).filter(({ subject }) => subject === 'mcp-classes' || subject === 'mcp-text');
      const { classes = {} } = configOf(server) ?? {};
      const tools = toolsThatAskLess(classes);
      const isAll = tools.length === Object.keys(classes).length;
      for (const key of grantKeysOfServer(server)) confirmations.remove(key);
      for (const { id } of rulesOf(server)) rules.revoke(id);
      definitions.forget(server);
      const edits = inFile.flatMap(({ subject }): ServerEdit[] => {
        if (subject === 'mcp-text') return [{ path: ['text'], value: undefined }];
        if (isAll) return [{ path: ['classes'], value: undefined }];
        return tools.map((tool) => ({ path: ['classes', tool], value: undefined }));
      });
      if (edits.length > 0) await settings.editServer(server, edits);
      return inFile.map(({ key }) => key);
    },
  };

  function configOf(server: string): McpServerConfig | undefined {
    const { mcpServers } = settings.current;
    return ownValue(mcpServers, server);
  }

  function confirmedOf(server: string): readonly PermissionGrant[] {
    const config = configOf(server);
    const items = config === undefined ? [] : grantsOfServer(server, config);
    return items.filter((item) => confirmations.get(item.key) === grantHash(item));
  }

  function inConfig(server: string): readonly ServerPermission[] {
    const { classes = {}, text = 'outside' } = configOf(server) ?? {};
    return confirmedOf(server).flatMap(({ subject }): ServerPermission[] => {
      if (subject === 'mcp-text') return text === 'outside' ? [] : [{ kind: 'text', text }];
      if (subject !== 'mcp-classes') return [];
      return (['read', 'write'] as const).flatMap((each) => {
        const tools = toolsThatAskLess(classes).filter((tool) => ownValue(classes, tool) === each);
        return tools.length === 0 ? [] : [{ kind: 'class', class: each, tools }];
      });
    });
  }
}

/** A `send` class only makes a tool ask more. */
function toolsThatAskLess(classes: NonNullable<McpServerConfig['classes']>): readonly string[] {
  return Object.keys(classes).filter((tool) => ownValue(classes, tool) !== 'send');
}
