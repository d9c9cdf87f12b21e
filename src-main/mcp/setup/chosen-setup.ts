import type { PasteFormat, PasteProblem, UnreadEntry } from '../../../src-preload/contract/pasted-text.ts';
import type { PastedSetup } from '../../../src-preload/contract/servers.ts';
import type { FoundServer } from './found-server.ts';

export type PastedServers =
  | {
      readonly servers: readonly FoundServer[];
      readonly unread: readonly UnreadEntry[];
      readonly setups: readonly PastedSetup<FoundServer>[];
      readonly chosen: number;
    }
  | { readonly problem: PasteProblem };

export type Setup = PastedSetup<FoundServer>;
/** What was found in one part of a text. */
export type Outcome = Setup | PasteProblem;

export function hasServers(outcome: Outcome): boolean {
  return 'servers' in outcome && outcome.servers.length > 0;
}

/** All set-ups of a text, the plainest of them preselected; or the most telling of its problems. */
export function resultOf(outcomes: readonly Outcome[]): PastedServers {
  const setups = withoutRepeated(
    outcomes.filter((outcome): outcome is Setup => 'servers' in outcome && outcome.servers.length > 0),
  );
  if (setups.length === 0) return { problem: problemOf(outcomes) };
  const costs = setups.map(costOf);
  const chosen = costs.indexOf(Math.min(...costs));
  const { servers = [], unread = [] } = setups[chosen] ?? {};
  return { servers, unread, setups, chosen };
}

function withoutRepeated(setups: readonly Setup[]): readonly Setup[] {
  const seen = new Set<string>();
  return setups.filter(({ servers }) => {
    const key = JSON.stringify(servers.map(({ name: _name, remarks: _remarks, ...rest }) => rest));
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

const FORMAT_COSTS: Readonly<Partial<Record<PasteFormat, number>>> = {
  link: 2,
  command: 2,
  'add-command': 2,
  address: 3,
  yaml: 1,
  goose: 1,
};

/** The less there is to install, fill in and understand, the plainer. */
function costOf({ format, servers, unread }: Setup): number {
  const ofServers = servers.map(({ command, parts, env, remarks }) => {
    const open = [...parts, ...env].filter(
      ({ blank, value }) => blank !== undefined && !blank.isOptional && value === '',
    ).length;
    const isBuilt = /(?:^|[\\/])(?:node|python[\d.]*|uv|go|cargo|dotnet|java)(?:\.exe)?$/i.test(command);
    const isHeavy = /(?:docker|podman)(?:\.exe)?$|^cmd|^(?:ba)?sh$/i.test(command);
    return (
      open * 1.5 +
      (isBuilt ? 3 : 0) +
      (isHeavy ? 4 : 0) +
      (remarks.some(({ code }) => code === 'relative_path' || code === 'shell') ? 3 : 0)
    );
  });
  return (
    (FORMAT_COSTS[format] ?? 0) +
    unread.length * 2 +
    ofServers.reduce((sum, cost) => sum + cost, 0) +
    (servers.length - 1)
  );
}

/** The most telling comes first. */
const TELLING: readonly PasteProblem['code'][] = [
  ...(['other_program', 'bad_json', 'bad_syntax', 'unclosed_quote', 'bad_link', 'only_installs'] as const),
  ...(['unknown_link', 'not_an_object', 'no_servers'] as const),
];

function problemOf(outcomes: readonly Outcome[]): PasteProblem {
  const entries = outcomes.flatMap((outcome) => ('servers' in outcome ? outcome.unread : []));
  if (entries.length > 0) return { code: 'bad_entries', entries };
  const problems = outcomes.filter((outcome): outcome is PasteProblem => 'code' in outcome);
  return (
    TELLING.map((code) => problems.find((each) => each.code === code)).find((each) => each !== undefined) ?? {
      code: 'no_servers',
    }
  );
}
