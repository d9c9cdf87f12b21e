import { TemplateId } from '../../src-preload/contract/servers.ts';
import { canonicalHash } from '../base/canonical-json.ts';
import type { Confirmations } from '../policy/permission-grants.ts';
import type { McpServerConfig } from '../settings/config-schema.ts';
import { templateKey } from '../settings/permission-grants.ts';
import { serverIdentity } from '../settings/server-identity.ts';

/**
 * Which entries of config.json Steward's own templates made. That is kept in the database, because any program can write
 * an entry that looks like one; and with a hash, because whoever changes the entry makes another program of it.
 */
export class TemplateEntries {
  readonly #confirmations: Pick<Confirmations, 'get' | 'set'>;

  constructor(confirmations: Pick<Confirmations, 'get' | 'set'>) {
    this.#confirmations = confirmations;
  }

  /**
   * The template that made this entry. Undefined if none did, or if anything that decides what runs was changed since.
   */
  madeBy(server: string, config: McpServerConfig): TemplateId | undefined {
    const kept = this.#confirmations.get(templateKey(server));
    return kept === undefined ? undefined : TemplateId.options.find((id) => entryHash(id, config) === kept);
  }

  /** Remembers the template of an entry. Call it only once the user has confirmed the entry. */
  remember(server: string, template: TemplateId, config: McpServerConfig): void {
    this.#confirmations.set(templateKey(server), entryHash(template, config));
  }
}

/** Command, arguments, values of variables, and the names of those whose values are in the keychain. */
function entryHash(template: TemplateId, config: McpServerConfig): string {
  const variables = Object.keys(config.env).sort();
  return canonicalHash({ template, transport: config.transport, identity: serverIdentity(config), variables });
}
