import { basename } from 'node:path';
import { byGravity, type Consequence, isGrave } from '../../src-preload/contract/consequence.ts';
import type { DecisionReason } from '../../src-preload/contract/decision-reason.ts';
import { canonicalHash } from '../base/canonical-json.ts';
import { type Access, type AccessClass, isMessage } from './access.ts';
import { shownClass } from './access-text.ts';
import type { CommandSteps } from './accesses/access-kind.ts';
import { kindOf } from './accesses/access-kinds.ts';
import { connectedHost } from './accesses/connection.ts';
import { hostOf } from './accesses/request-host.ts';
import type { EffectsPlace } from './commands/touched-paths.ts';

/** The parts of a question that determine its consequences. */
export interface AskedCall {
  readonly access: readonly Access[];
  /** The access classes of the whole call. */
  readonly classes: readonly AccessClass[];
  /** The reason why Steward asks. */
  readonly reason: DecisionReason;
}

export interface CallConsequences {
  /** Without duplicates, gravest first. */
  readonly consequences: readonly Consequence[];
  /** The steps of each command among the accesses, in order. */
  readonly steps: readonly CommandSteps[];
}

/**
 * The consequences of allowing the call, as far as they can be determined. The rest is reported as unknown. It is pure
 * except for resolving paths.
 */
export function consequencesOf(call: AskedCall, place: EffectsPlace): CallConsequences {
  const found: Consequence[] = [];
  const steps: CommandSteps[] = [];
  for (const access of call.access) {
    const of = kindOf(access).consequences(access, place);
    found.push(...of.consequences);
    if (of.steps !== undefined) steps.push(of.steps);
  }
  found.push(...sent(call), ...connected(call), ...carried(call), ...shown(call));
  const saysNothing = call.access.length === 0 || call.access.some(isUnreviewedTool);
  if (saysNothing && !call.classes.includes('send')) found.push({ code: 'unknown_effects', of: 'tool' });
  return { consequences: eachOnce(found), steps };
}

/** Whether this is a tool of a server or client about whose effects nobody else has said anything. */
function isUnreviewedTool(access: Access): boolean {
  if (access.kind === 'client') return true;
  if (access.kind === 'command') return false;
  const shown = shownClass(access);
  return shown === 'unreviewed' || shown === 'unverified';
}

function sent({ access, classes }: AskedCall): Consequence[] {
  if (!classes.includes('send')) return [];
  const recipients = new Set(access.flatMap((each) => (isMessage(each) ? each.recipients : [])));
  // A server that sends may send anywhere, whatever addresses it is given.
  const hosts = [
    ...new Set(access.flatMap((each) => (each.kind === 'request' && each.isArgument !== true ? [hostOf(each)] : []))),
  ];
  const external = new Set(access.flatMap((each) => (isMessage(each) ? (each.external ?? []) : []))).size;
  if (recipients.size > 0)
    return [
      { code: 'reaches_people', count: recipients.size, ...(external === 0 ? {} : { external }) },
      undoOf(access),
    ];
  if (hosts.length > 0) return [{ code: 'sends_data', hosts }, { code: 'cannot_be_undone' }];
  return [{ code: 'unknown_effects', of: 'tool' }, { code: 'cannot_be_undone' }];
}

/** Mail can be taken back for a moment, because it is held before it is sent. */
function undoOf(access: readonly Access[]): Consequence {
  const seconds = access.map((each) => (each.kind === 'mail' ? (each.undoSeconds ?? 0) : 0));
  const shortest = Math.min(...seconds);
  return shortest > 0 ? { code: 'undo_for', seconds: shortest } : { code: 'cannot_be_undone' };
}

function connected({ access }: AskedCall): Consequence[] {
  const wanted = access.flatMap((each) => (each.kind === 'connection' ? [each] : []));
  const folders = new Set(wanted.map(({ folder }) => folder));
  return [...folders].map((folder) => {
    const hosts = wanted.filter((each) => each.folder === folder).map(connectedHost);
    return { code: 'can_carry_off', hosts, folder: basename(folder) };
  });
}

const CARRIES: ReadonlySet<DecisionReason['code']> = new Set([
  ...(['address_composed', 'address_not_named', 'link_carries', 'link_while_secret', 'links_followed'] as const),
  ...(['mail_link', 'service_marked', 'other_model_marked', 'mcp_remote_marked'] as const),
]);

function carried({ access, reason }: AskedCall): Consequence[] {
  const { code } = firstReason(reason);
  if (!CARRIES.has(code)) return [];
  const hosts = [...new Set(access.flatMap((each) => kindOf(each).hosts(each)))];
  return hosts.length === 0
    ? []
    : [{ code: LEAKS.has(code) ? 'may_leak_private_text' : 'may_send_private_text', hosts }];
}

function shown({ reason }: AskedCall): Consequence[] {
  const { code } = firstReason(reason);
  if (code === 'secret_file') return [{ code: 'shows_secret', of: 'file' }];
  return code === 'secret_variable' ? [{ code: 'shows_secret', of: 'variable' }] : [];
}

function firstReason(reason: DecisionReason): DecisionReason {
  return reason.code === 'changed_while_asked' ? firstReason(reason.asked) : reason;
}

/** With these reasons, what is sent could hold a whole file: the rest carries a query or the choice of an address. */
const LEAKS: ReadonlySet<DecisionReason['code']> = new Set(['link_carries', 'link_while_secret']);

/** These are left out if something is grave, so that it stands out. */
const BESIDE_THE_POINT: ReadonlySet<Consequence['code']> = new Set(['changes_files', 'fetches']);

function eachOnce(found: readonly Consequence[]): readonly Consequence[] {
  const different = [...new Map(found.map((each) => [canonicalHash(each), each])).values()];
  const said = different.some(isGrave) ? different.filter(({ code }) => !BESIDE_THE_POINT.has(code)) : different;
  return said.sort(byGravity);
}
