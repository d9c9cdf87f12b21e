import { descriptionsOfClient } from '../../../src-preload/contract/mark-text.ts';
import type { ClientAccess } from '../access.ts';
import { asks, has, type PolicyInput, type Verdict } from './verdict.ts';

/** Source: design section 4 ("Client tools"). No rule covers it: a program can give itself any name. */
export function judgeClient(input: PolicyInput, access: ClientAccess): Verdict {
  const { client, requiresPermission } = access;
  if (requiresPermission) return asks({ code: 'client_permission', client }, 'execute');
  // A client's tools are no less trusted than it: what it says about them is no reason to ask about them.
  const beside = input.marks.filter(({ source }) => source !== descriptionsOfClient(client));
  if (!has({ marks: beside }, 'untrusted')) return { kind: 'allow', reason: { code: 'client_tool', client } };
  return input.allowedServices.has(serviceOfClient(access))
    ? { kind: 'allow', reason: { code: 'client_tool_allowed', client } }
    : asks({ code: 'client_untrusted', client }, 'write');
}

/** The tool's key among the services that were allowed in a conversation. */
export function serviceOfClient({ client, pairing, tool }: Pick<ClientAccess, 'client' | 'pairing' | 'tool'>): string {
  return `client ${JSON.stringify([pairing ?? null, client, tool])}`;
}
