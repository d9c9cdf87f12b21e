import type { AccessClass } from '../../../src-preload/contract/access-class.ts';
import { hostKey } from '../../network/address-keys.ts';
import { type Peer, peerName } from '../../network/peer.ts';
import { isRegistry, REGISTRIES_TEXT } from '../command-hosts.ts';
import type { RuleDraft, RuleMatcher } from '../rules.ts';
import type { TouchedKind } from './access-kind.ts';
import { named } from './title-words.ts';
import { allows, asks, byRule, byRuleBesideOutsideText, has, type JudgeInput, type Verdict } from './verdict.ts';

/**
 * A connection that a command wants while it runs in the sandbox of a folder. What goes through it is not known: whoever
 * is at the other end can be sent anything that the command can read.
 */
export interface ConnectionAccess {
  readonly kind: 'connection';
  /** Judged by the host as written, until it is looked up; that happens only once it was allowed. */
  readonly class: 'network' | 'network-private';
  readonly peer: Peer;
  /** The host, or an address that it resolves to, serves a cloud machine's credentials. */
  readonly isMetadata?: true;
  /** The real path of the root that the command can write. */
  readonly folder: string;
  /** The command, as one would type it. */
  readonly line: string;
}

export const connectionKind: TouchedKind<ConnectionAccess> = {
  effectiveClass: (access) => access.class,
  judge,
  isCovered,
  rules,
  leastFlag: () => 'all',
  // A yes beside text from outside holds only for what was named or is kept anyway.
  remembered: (access, _call, { code }) => (code === 'connection_marked' ? { services: [serviceOf(access)] } : {}),
  // What the command prints is marked once the connection was there.
  marks: () => [],
  // One for all hosts of the call.
  consequences: () => ({ consequences: [] }),
  hosts: ({ peer }) => [peer.host],
  passesOnInput: () => true,
  title: (wanted) => named('Let a command connect to', wanted.map(connectedHost), 'host', 'hosts'),
  nameOf: connectedHost,
  describe,
  shownClass: (access) => access.class,
};

function judge(input: JudgeInput, access: ConnectionAccess): Verdict {
  const isOfOwnNetwork = access.class === 'network-private';
  if (input.allowPrivateNetwork === 'never' && isOfOwnNetwork)
    return { kind: 'deny', reason: { code: 'private_network_off' } };
  if (access.isMetadata === true) return asks({ code: 'private_network' }, 'network-private');
  const covers = (matcher: RuleMatcher) => isCovered(matcher, access, access.class);
  // Who names a host means its pages or repositories, and not its mail or its database.
  const isNamed = access.peer.host === connectedHost(access) && input.namedHosts.has(hostKey(access.peer.host));
  const standing = isNamed ? allows('connection_named') : byRule(input, covers);
  const host = connectedHost(access);
  if (!has(input, 'untrusted'))
    return (
      standing ?? asks(isOfOwnNetwork ? { code: 'private_network' } : { code: 'connection', host }, access.class, true)
    );
  // What is kept is asked about once more: the text may be why it is wanted, and the command has the whole folder to
  // send, whether or not any of it was read in the conversation.
  const isAllowedBeside = input.allowedServices.has(serviceOf(access));
  const shown = byRuleBesideOutsideText(input, covers);
  return (
    shown ?? (isAllowedBeside ? standing : undefined) ?? asks({ code: 'connection_marked', host }, access.class, true)
  );
}

/** The host as people are shown it. */
export function connectedHost({ peer, class: own }: Pick<ConnectionAccess, 'peer' | 'class'>): string {
  return peerName(peer, own);
}

/** Its key among the services that were allowed in a conversation. */
function serviceOf(access: ConnectionAccess): string {
  const isOfRegistry = access.class === 'network' && isRegistry(access.peer.host);
  return `connection ${JSON.stringify([access.folder, access.class, isOfRegistry ? 'registries' : connectedHost(access)])}`;
}

function isCovered(
  matcher: RuleMatcher,
  { peer, folder, isMetadata }: ConnectionAccess,
  effective: AccessClass,
): boolean {
  if (matcher.kind !== 'connection' || matcher.path !== folder || isMetadata === true) return false;
  if (matcher.to === 'registries') return effective === 'network' && isRegistry(peer.host);
  return matcher.class === effective && peerName(matcher.to, effective) === peerName(peer, effective);
}

function rules(access: ConnectionAccess): RuleDraft[] {
  const { peer, folder, class: own } = access;
  if (access.isMetadata === true) return [];
  const where = own === 'network' ? connectedHost(access) : `${connectedHost(access)} on your own machine or network`;
  const one: RuleDraft = {
    label: `let commands in ${folder} connect to ${where}`,
    tool: null,
    matcher: { kind: 'connection', class: own, path: folder, to: peer },
  };
  const registries: RuleDraft = {
    label: `let commands in ${folder} connect to ${REGISTRIES_TEXT}`,
    tool: null,
    matcher: { kind: 'connection', class: 'network', path: folder, to: 'registries' },
  };
  return own === 'network' && isRegistry(peer.host) ? [registries, one] : [one];
}

function describe(access: ConnectionAccess): string {
  const { isMetadata, class: own } = access;
  const where = own === 'network-private' ? 'your own machine or network: ' : '';
  const secrets = isMetadata === true ? ', which gives out a cloud machine’s credentials' : '';
  return `connect to ${where}${connectedHost(access)}${secrets}`;
}
