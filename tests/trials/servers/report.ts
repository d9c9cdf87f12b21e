import { stringify } from 'lossless-json';
import { shortened } from '../../../src-main/base/text.ts';
import type { ChangedCall } from './compared.ts';
import type { SearchResult } from './searches.ts';
import type { StoryResult } from './stories/story.ts';
import type { ServerReport } from './trial.ts';

export interface TrialResult {
  readonly reports: readonly ServerReport[];
  readonly stories: readonly StoryResult[];
  readonly searches: SearchResult;
  /** ISO date. */
  readonly date: string;
  readonly versions: Readonly<Record<string, string>>;
}

/** Examples of a server's changed calls in the document. */
const MAX_EXAMPLES = 3;
const MAX_EXAMPLE_LENGTH = 160;

/** Nothing arrived changed, nothing is refused, both clients say the same. */
export function isSound(report: ServerReport): boolean {
  return report.problem === undefined && faultsOf(report).length === 0;
}

/** One line for the terminal, and one for each fault. */
export function describeReport(report: ServerReport): string {
  const { server, problem, listed, offered, generated, changed, harmless, different } = report;
  const name = `${server.package} ${server.version}`;
  if (problem !== undefined) return `- ${name}: not tried: ${problem}`;
  const figures = [
    `${offered} of ${listed} tools offered`,
    `${changed.length} of ${generated} calls changed`,
    `${harmless - different.length} of ${harmless} real calls alike`,
  ];
  const lines = [`${isSound(report) ? '✓' : '✗'} ${name}: ${figures.join(', ')}`, ...faultsOf(report)];
  return lines.join('\n    ');
}

export function describeStory({ asked, wanted, happened, fault }: StoryResult): string {
  return fault === undefined ? `✓ ${asked}: ${happened}` : `✗ ${asked}: wanted ${wanted}: ${fault}`;
}

/** `docs/INTEROPERABILITY.md`. */
export function markdownOf({ reports, stories, searches, date, versions }: TrialResult): string {
  const tried = reports.filter(({ problem }) => problem === undefined);
  const sum = (of: (report: ServerReport) => number) => tried.reduce((total, report) => total + of(report), 0);
  const faulty = tried.filter((report) => !isSound(report));
  const untried = reports.filter(({ problem }) => problem !== undefined);
  return `${[
    '# Interoperability',
    '',
    'MCP servers of other people, compared call by call with the official client. Written by `npm run servers`; change nothing here by hand.',
    '',
    `Tried on ${date} with ${Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ')}.`,
    '',
    '| what | result |',
    '|---|---|',
    `| servers that were tried | ${tried.length} of ${reports.length} |`,
    `| tools that they list, and that models are offered | ${sum(({ listed }) => listed)}, ${sum(({ offered }) => offered)} |`,
    `| schemas that Anthropic, OpenAI, Gemini or Ollama would refuse, as they are sent | ${sum(({ refusedSchemas }) => refusedSchemas.length)} |`,
    `| generated calls, and those that arrived changed or not at all | ${sum(({ generated }) => generated)}, ${sum(({ changed }) => changed.length)} |`,
    `| calls whose event shows something else than what was written | ${sum(({ shownChanged }) => shownChanged.length)} |`,
    `| calls to the real servers, and those that both clients made alike | ${sum(({ harmless }) => harmless)}, ${sum(({ harmless, different }) => harmless - different.length)} |`,
    `| replayed stories that end well | ${stories.filter(({ fault }) => fault === undefined).length} of ${stories.length} |`,
    `| plain requests whose tool \`find_tools\` has among the first five of ${searches.tools} | ${searches.found} of ${searches.asked} |`,
    '',
    '## How it is done',
    '',
    'Each server is installed from the registry without its scripts, outside the project, and started with a home folder of its own and placeholders for keys. Between it and each client stands a proxy that logs every line.',
    '',
    '- **Offered**: what the server wrote to the official client, and what the first request of `ask` defines. A server may list more to a client that can do more (be asked, sample).',
    '- **Schemas**: every tool in the form of each service, held against what the service is known to refuse.',
    '- **Calls**: arguments that fit each schema by type, with everything that may be left out and without it, null, large numbers, texts that look like something else, and parameters that the schema neither lists nor forbids. They go to a *mirror*: a server that lists the same tools, records what it receives and does nothing.',
    '- **Real calls**: up to three that only read, by both clients to the real server. Without keys most of them fail, in the same way for both.',
    '',
    '## Servers',
    '',
    '| server | version | listed | offered | calls | changed | real calls alike |',
    '|---|---|---|---|---|---|---|',
    ...tried.map(rowOf),
    '',
    ...section(
      'Not tried',
      untried.map(({ server, problem = '' }) => `- ${server.package} ${server.version}: ${escaped(problem)}`),
    ),
    ...section(
      'Faults',
      faulty.flatMap((report) => [
        `- ${report.server.package} ${report.server.version}`,
        ...faultsOf(report).map((fault) => `  - ${escaped(fault)}`),
      ]),
    ),
    ...section(
      'The official client refuses',
      tried
        .filter(({ refusedByClient }) => refusedByClient)
        .map(
          ({ server }) => `- the list of ${server.package} ${server.version}, because a schema has no type at its root`,
        ),
    ),
    '## Stories',
    '',
    'Calls that once destroyed something, replayed with the real servers; what they would reach is replaced by a recorder on this machine.',
    '',
    '| what the model asks for | what must happen | what happened |',
    '|---|---|---|',
    ...stories.map(
      ({ asked, wanted, happened, fault }) =>
        `| ${escaped(asked)} | ${escaped(wanted)} | ${escaped(fault === undefined ? happened : `**${fault}**`)} |`,
    ),
    '',
    ...section(
      'Requests whose tool was not among the first five',
      searches.missed.map(({ query, first }) => `- ${query} (found: ${first.join(', ')})`),
    ),
  ].join('\n')}\n`.replace(/\n+$/, '\n');
}

function rowOf({ server, listed, offered, generated, changed, harmless, different }: ServerReport): string {
  const alike = `${harmless - different.length} of ${harmless}`;
  return `| ${[server.package, server.version, listed, offered, generated, changed.length, alike].join(' | ')} |`;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`## ${title}`, '', ...lines, ''];
}

function faultsOf({ missing, refusedSchemas, changed, shownChanged, different }: ServerReport): readonly string[] {
  return [
    ...missing.map((name) => `not offered: ${name}`),
    ...refusedSchemas,
    ...examples(changed, 'arrived changed'),
    ...examples(shownChanged, 'shown changed'),
    ...different,
  ];
}

function examples(calls: readonly ChangedCall[], what: string): readonly string[] {
  const more = calls.length - MAX_EXAMPLES;
  const shown = calls.slice(0, MAX_EXAMPLES).map(({ tool, written, received, answer }) => {
    const instead = answer === undefined ? textOf(received) : `nothing: ${shortened(answer, MAX_EXAMPLE_LENGTH)}`;
    return `${what}: ${tool} ${textOf(written)} → ${instead}`;
  });
  return more > 0 ? [...shown, `and ${more} more`] : shown;
}

function textOf(value: unknown): string {
  return shortened(stringify(value) ?? 'nothing', MAX_EXAMPLE_LENGTH);
}

/** On one line, and read as text by Markdown. */
function escaped(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[|<\\`*_]/g, '\\$&');
}
