import { hostKey } from '../../network/address-keys.ts';
import type { McpAccess } from '../access.ts';
import { ruleAnswers } from '../rule-matching.ts';
import { asks, has, holdsBesideOutsideText, isMarkedBoth, type PolicyInput, type Verdict } from './verdict.ts';

/** Source: design section 4 ("MCP calls"). `send` is decided before this. */
export function judgeMcp(input: PolicyInput, access: McpAccess): Verdict {
  const { server, class: mcpClass, classFrom } = access;
  const isUntrusted = has(input, 'untrusted');
  if (mcpClass === 'write' && isUntrusted) return asks({ code: 'mcp_write_untrusted', server }, 'write');
  const rule = ruleFor(input, access);
  const isKnownToRead = mcpClass === 'read' && classFrom !== 'claim';
  if (rule === undefined && !isKnownToRead) {
    const { content } = access;
    const reason =
      content === undefined
        ? { code: whyNotAllowed(access), server }
        : ({ code: 'mcp_content', server, content } as const);
    return asks(reason, 'write', true);
  }
  if (carriesOff(input, access)) return asks({ code: 'mcp_remote_marked', server }, 'network');
  return rule ?? { kind: 'allow', reason: { code: 'mcp_read', server } };
}

function whyNotAllowed({ class: mcpClass, classFrom }: McpAccess): 'mcp_write' | 'mcp_claim' | 'mcp_unknown' {
  if (classFrom === 'none') return 'mcp_unknown';
  return mcpClass === 'read' ? 'mcp_claim' : 'mcp_write';
}

/** The arguments could leak text to a remote server; one confirmation covers the server for this conversation. */
function carriesOff(input: PolicyInput, { server, remoteHost }: McpAccess): boolean {
  if (remoteHost === null || !isMarkedBoth(input)) return false;
  return (
    !input.namedHosts.has(hostKey(remoteHost)) && !input.allowedServices.has(serviceOfServer({ server, remoteHost }))
  );
}

/** The server's key among the allowed services: a yes doesn't follow the name to another host. It can't be mistaken for a host. */
export function serviceOfServer({ server, remoteHost }: Pick<McpAccess, 'server' | 'remoteHost'>): string {
  return `mcp ${remoteHost ?? ''} ${server}`;
}

function ruleFor(input: PolicyInput, access: McpAccess): Verdict | undefined {
  const rule = input.rules.find(
    (each) => ruleAnswers(each, input.tool, access, access.class) && holdsBesideOutsideText(input, each),
  );
  return rule && { kind: 'rule', rule };
}
