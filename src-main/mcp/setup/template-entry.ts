import { isDeepStrictEqual } from 'node:util';
import type { TemplateId } from '../../../src-preload/contract/servers.ts';
import { ownValue } from '../../base/json.ts';
import type { McpServerConfig } from '../../settings/config-schema.ts';
import type { FoundServer } from './found-server.ts';

/** A form as one of Steward's templates filled it. */
export interface FilledTemplate {
  readonly id: TemplateId;
  readonly server: FoundServer;
}

/**
 * Whether an entry starts what the template filled in: the same program and arguments, the same variables, and the same
 * values in those that the template gave one.
 */
export function isAsFilled({ transport, command, args, env, url }: McpServerConfig, filled: FoundServer): boolean {
  const names = filled.env.map(({ name }) => name).sort();
  return (
    transport === 'stdio' &&
    url === undefined &&
    command === filled.command &&
    isDeepStrictEqual(args, filled.args) &&
    isDeepStrictEqual(Object.keys(env).sort(), names) &&
    filled.env.every(({ name, value }) => value === '' || ownValue(env, name) === value)
  );
}
