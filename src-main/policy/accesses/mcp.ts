import { hostKey } from '../../network/address-keys.ts';
import { marksOfServer, type TextOrigin } from '../mark-sources.ts';
import { soundsLikeChange } from '../mcp/change-words.ts';
import type { McpClass, McpClassSource, McpContent } from '../mcp/mcp-class.ts';
import type { RuleDraft, RuleMatcher } from '../rules.ts';
import type { TouchedKind } from './access-kind.ts';
import { MAX_NAME_LENGTH, shownName } from './title-words.ts';
import { asks, byRuleBesideOutsideText, has, isMarkedBoth, type JudgeInput, type Verdict } from './verdict.ts';

/** A call of a server's tool. Addresses in its arguments are separate accesses. */
export interface McpAccess {
  readonly kind: 'mcp';
  /** With `classFrom: 'none'` the effects are unknown and `write` is assumed. */
  readonly class: McpClass;
  readonly classFrom: McpClassSource;
  /** The server's name in config.json. */
  readonly server: string;
  /** The tool's name as the server gives it. Untrusted. The same as `content` if no tool is called. */
  readonly tool: string;
  /** Set if the server's resources or prompts are listed or read, and no tool is called. */
  readonly content?: McpContent;
  /** Whose text the results are. */
  readonly text: TextOrigin;
  /** The host of a remote server, as written in URLs, or null for a server on this machine. */
  readonly remoteHost: string | null;
}

export const mcpKind: TouchedKind<McpAccess> = {
  // A server's claim about its own tool is not trusted: `delete_all` with `readOnlyHint` would run without a question.
  effectiveClass: (access) => (access.classFrom === 'claim' && access.class === 'read' ? 'write' : access.class),
  judge,
  isCovered,
  rules: mcpRules,
  leastFlag: () => 'reads',
  remembered: (access, call, { code }) => {
    if (code === 'mcp_remote_marked') return { services: remoteServices(access, call) };
    return code === 'mcp_claim' ? { services: claimedServices(access, call) } : {};
  },
  marks: ({ server, tool, text }) => marksOfServer({ source: `${tool} of the MCP server ${server}`, whose: text }),
  consequences: () => ({ consequences: [] }),
  hosts: ({ remoteHost }) => (remoteHost === null ? [] : [remoteHost]),
  passesOnInput: (access) => access.class === 'send',
  title: serverQuestion,
  nameOf: ({ tool }) => tool,
  describe,
  shownClass: ({ class: mcpClass, classFrom, content }) => {
    if (classFrom === 'table' || classFrom === 'user' || mcpClass === 'send') return mcpClass;
    return content === undefined ? 'unverified' : 'unreviewed';
  },
};

/** Source: design section 4 ("MCP calls"). */
function judge(input: JudgeInput, access: McpAccess): Verdict {
  const { server, class: mcpClass, classFrom } = access;
  if (mcpClass === 'send') return asks({ code: 'send' }, 'send');
  const isUntrusted = has(input, 'untrusted');
  if (mcpClass === 'write' && isUntrusted) return asks({ code: 'mcp_write_untrusted', server }, 'write');
  const rule = byRuleBesideOutsideText(input, (matcher) => isCovered(matcher, access));
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

/**
 * A tool that claims to read is asked about once per tool and conversation. Once text from outside is there, only a yes
 * that was given beside it counts.
 */
function isAllowedClaim(input: JudgeInput, access: McpAccess): boolean {
  const claim = claimToRead(access);
  return claim !== undefined && input.allowedServices.has(has(input, 'untrusted') ? besideOutsideText(claim) : claim);
}

function remoteServices(access: McpAccess, input: Pick<JudgeInput, 'marks'>): string[] {
  return isMarkedBoth(input) ? [serviceOfServer(access)] : [];
}

function claimedServices(access: McpAccess, input: Pick<JudgeInput, 'marks'>): string[] {
  const claim = claimToRead(access);
  if (claim === undefined) return [];
  return has(input, 'untrusted') ? [claim, besideOutsideText(claim)] : [claim];
}

/**
 * The key of a claimed read among the allowed services; it can't be mistaken for a host. Undefined if no answer covers
 * another call, because the name of the tool contradicts the claim, or because it is not about a tool.
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
function carriesOff(input: JudgeInput, { server, remoteHost }: McpAccess): boolean {
  if (remoteHost === null || !isMarkedBoth(input)) return false;
  return (
    !input.namedHosts.has(hostKey(remoteHost)) && !input.allowedServices.has(serviceOfServer({ server, remoteHost }))
  );
}

/**
 * The key of the server among the allowed services. It includes the host, so that a yes doesn't follow the name to
 * another one, and it can't be mistaken for a host.
 */
export function serviceOfServer({ server, remoteHost }: Pick<McpAccess, 'server' | 'remoteHost'>): string {
  return `mcp ${remoteHost ?? ''} ${server}`;
}

function isCovered(matcher: RuleMatcher, access: McpAccess): boolean {
  return (
    matcher.kind === 'mcp-tool' &&
    access.class === matcher.class &&
    access.server === matcher.server &&
    access.tool === matcher.tool &&
    access.content === matcher.content
  );
}

function mcpRules({ server, tool, class: mcpClass, content }: McpAccess): RuleDraft[] {
  if (mcpClass === 'send') return [];
  if (content !== undefined) {
    const label = `read ${content} of the MCP server ${server}`;
    return [{ label, tool: null, matcher: { kind: 'mcp-tool', server, tool, class: mcpClass, content } }];
  }
  const label = `use ${tool} of the MCP server ${server}`;
  return [{ label, tool: null, matcher: { kind: 'mcp-tool', server, tool, class: mcpClass } }];
}

/** The title leaves out the addresses in the arguments, which are shown below it. */
function serverQuestion(calls: readonly McpAccess[]): string {
  const contents = calls.filter(({ content }) => content !== undefined);
  if (contents.length === calls.length) {
    const [{ server = '', content = 'resources' } = {}] = contents;
    const one = `${content} of ${shownName(server)}`;
    return contents.length > 1 || one.length > MAX_NAME_LENGTH ? `Read ${content} of MCP servers?` : `Read ${one}?`;
  }
  const names = calls.map(({ server, tool }) => `${shownName(tool)} of ${shownName(server)}`);
  const [name = ''] = names;
  if (new Set(names).size > 1) return `Use ${names.length} tools of servers?`;
  return name.length > MAX_NAME_LENGTH ? 'Use a tool of a server?' : `Use ${name}?`;
}

function describe({ class: mcpClass, classFrom, server, tool, content, remoteHost }: McpAccess): string {
  const where = remoteHost === null ? '' : `, which runs at ${remoteHost}`;
  if (content !== undefined) {
    const reviewed = classFrom === 'user' ? 'You have reviewed this server.' : 'You have not reviewed this server.';
    return `read ${content} of the MCP server ${server}${where}\n${reviewed}`;
  }
  return `use ${tool} of the MCP server ${server}${where}\n${CLASS_SOURCES[classFrom](CLASSES[mcpClass])}`;
}

const CLASSES: Readonly<Record<McpClass, string>> = {
  read: 'only reads',
  write: 'changes something',
  send: 'reaches other people',
};

const CLASS_SOURCES: Readonly<Record<McpClassSource, (does: string) => string>> = {
  table: (does) => `Steward knows that this tool ${does}.`,
  user: (does) => `You said that this tool ${does}.`,
  claim: (does) => `The server claims that this tool ${does}. This is unverified.`,
  none: () => 'Nothing says what this tool does.',
};
