import { hostKey } from '../../network/address-keys.ts';
import type { McpAccess } from '../access.ts';
import { soundsLikeChange } from '../mcp/change-words.ts';
import { ruleAnswers } from '../rule-matching.ts';
import { asks, has, holdsBesideOutsideText, isMarkedBoth, type PolicyInput, type Verdict } from './verdict.ts';

/** Source: design section 4 ("MCP calls"). `send` is decided before this. */
export function judgeMcp(input: PolicyInput, access: McpAccess): Verdict {
  const { server, class: mcpClass, classFrom } = access;
  const isUntrusted = has(input, 'untrusted');
  if (mcpClass === 'write' && isUntrusted) return asks({ code: 'mcp_write_untrusted', server }, 'write');
  const rule = ruleFor(input, access);
  const isKnownToRead = mcpClass === 'read' && (classFrom !== 'claim' || isAllowedClaim(input, access));
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

function whyNotAllowed(access: McpAccess): 'mcp_write' | 'mcp_claim' | 'mcp_claim_doubtful' | 'mcp_unknown' {
  if (access.classFrom === 'none') return 'mcp_unknown';
  if (access.class !== 'read') return 'mcp_write';
  return claimToRead(access) === undefined ? 'mcp_claim_doubtful' : 'mcp_claim';
}

/** A claim to read asks once per tool and conversation. Once text from outside is there, only a yes that was given beside it counts. */
function isAllowedClaim(input: PolicyInput, access: McpAccess): boolean {
  const claim = claimToRead(access);
  return claim !== undefined && input.allowedServices.has(has(input, 'untrusted') ? besideOutsideText(claim) : claim);
}

/**
 * The key of a claimed read among the allowed services; it can't be mistaken for a host. `undefined` if no answer covers another call: the
 * name of the tool contradicts the claim, or it is not about a tool.
 */
export function claimToRead(access: McpAccess): string | undefined {
  const { server, tool, remoteHost, content, class: mcpClass, classFrom } = access;
  if (mcpClass !== 'read' || classFrom !== 'claim' || content !== undefined || soundsLikeChange(tool)) return undefined;
  return `mcp read ${JSON.stringify([server, remoteHost, tool])}`;
}

export function besideOutsideText(claim: string): string {
  return `${claim} beside text from outside`;
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
