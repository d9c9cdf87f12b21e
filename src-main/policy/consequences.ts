import { byGravity, type Consequence, isGrave } from '../../src-preload/contract/consequence.ts';
import type { DecisionReason } from '../../src-preload/contract/decision-reason.ts';
import { canonicalHash } from '../base/canonical-json.ts';
import type { Access, AccessClass } from './access.ts';
import { shownClass } from './access-text.ts';
import { commandEffects } from './commands/command-effects.ts';
import { openedPath } from './commands/openers.ts';
import type { EffectsPlace } from './commands/touched-paths.ts';
import { hostOf } from './effective-access.ts';

/** The parts of a question that determine its consequences. */
export interface AskedCall {
  readonly access: readonly Access[];
  /** The access classes of the whole call. */
  readonly classes: readonly AccessClass[];
  /** Why Steward asks. */
  readonly reason: DecisionReason;
}

/** The steps of a shell line. */
export interface CommandSteps {
  /** Where each ends in the line, in UTF-16 units. None: the command has no steps of its own. */
  readonly ends: readonly number[];
  /** Indices of the steps with grave consequences. */
  readonly grave: readonly number[];
}

export interface CallConsequences {
  /** Without duplicates, gravest first. */
  readonly consequences: readonly Consequence[];
  /** One for each command among the accesses, in their order. */
  readonly steps: readonly CommandSteps[];
}

/** The consequences of allowing it, as far as they can be determined; the rest is reported as unknown. Pure except for resolving paths. */
export function consequencesOf(call: AskedCall, place: EffectsPlace): CallConsequences {
  const found: Consequence[] = [];
  const steps: CommandSteps[] = [];
  for (const access of call.access) {
    if (access.class === 'execute') {
      if (access.reading !== undefined) {
        steps.push({ ends: [], grave: [] });
        continue;
      }
      if (openedPath(access) !== undefined) {
        found.push({ code: 'opens_in_program' });
        steps.push({ ends: [], grave: [] });
        continue;
      }
      const { effects, stepEnds } = commandEffects(access, place);
      found.push(...effects.map(({ consequence }) => consequence));
      const grave = effects.flatMap(({ consequence, step }) => (isGrave(consequence) ? [step] : []));
      steps.push({ ends: stepEnds, grave: [...new Set(grave)] });
    } else if ('path' in access && access.class === 'write' && access.outsideRoots)
      found.push({ code: 'changes_outside_workspace' });
    else if ('kind' in access && access.kind === 'account' && access.class === 'write')
      found.push({ code: 'changes_account', account: access.account, isShared: access.calendar !== undefined });
  }
  found.push(...sent(call), ...carried(call));
  const saysNothing = call.access.length === 0 || call.access.some(isUnreviewedTool);
  if (saysNothing && !call.classes.includes('send')) found.push({ code: 'unknown_effects', of: 'tool' });
  return { consequences: eachOnce(found), steps };
}

/** A tool of a server or client, whose effects at most they themselves have stated. */
function isUnreviewedTool(access: Access): boolean {
  if ('kind' in access && access.kind === 'client') return true;
  if (access.class === 'execute') return false;
  const shown = shownClass(access);
  return shown === 'unreviewed' || shown === 'unverified';
}

function sent({ access, classes }: AskedCall): Consequence[] {
  if (!classes.includes('send')) return [];
  const recipients = new Set(access.flatMap((each) => ('recipients' in each ? each.recipients : [])));
  // A server that sends may send anywhere, whatever addresses it is given.
  const hosts = [
    ...new Set(access.flatMap((each) => ('host' in each && each.isArgument !== true ? [hostOf(each)] : []))),
  ];
  const external = new Set(access.flatMap((each) => ('recipients' in each ? (each.external ?? []) : []))).size;
  if (recipients.size > 0)
    return [
      { code: 'reaches_people', count: recipients.size, ...(external === 0 ? {} : { external }) },
      undoOf(access),
    ];
  if (hosts.length > 0) return [{ code: 'sends_data', hosts }, { code: 'cannot_be_undone' }];
  return [{ code: 'unknown_effects', of: 'tool' }, { code: 'cannot_be_undone' }];
}

/** Mail waits a moment before it is sent. */
function undoOf(access: readonly Access[]): Consequence {
  const seconds = access.map((each) => ('recipients' in each ? (each.undoSeconds ?? 0) : 0));
  const shortest = Math.min(...seconds);
  return shortest > 0 ? { code: 'undo_for', seconds: shortest } : { code: 'cannot_be_undone' };
}

const CARRIES: ReadonlySet<DecisionReason['code']> = new Set([
  ...(['address_composed', 'address_not_named', 'link_carries', 'link_while_secret', 'links_followed'] as const),
  ...(['service_marked', 'other_model_marked', 'mcp_remote_marked'] as const),
]);

function carried({ access, reason }: AskedCall): Consequence[] {
  const asked = reason.code === 'changed_while_asked' ? reason.asked : reason;
  if (!CARRIES.has(asked.code)) return [];
  const hosts = [...new Set(access.flatMap(hostsOf))];
  return hosts.length === 0 ? [] : [{ code: 'may_send_private_text', hosts }];
}

function hostsOf(access: Access): readonly string[] {
  if ('host' in access) return [hostOf(access)];
  const isRemote = 'kind' in access && access.kind === 'mcp' && access.remoteHost !== null;
  return isRemote ? [access.remoteHost] : [];
}

/** Only if something is grave. */
const BESIDE_THE_POINT: ReadonlySet<Consequence['code']> = new Set(['changes_files', 'fetches']);

function eachOnce(found: readonly Consequence[]): readonly Consequence[] {
  const different = [...new Map(found.map((each) => [canonicalHash(each), each])).values()];
  const said = different.some(isGrave) ? different.filter(({ code }) => !BESIDE_THE_POINT.has(code)) : different;
  return said.sort(byGravity);
}
