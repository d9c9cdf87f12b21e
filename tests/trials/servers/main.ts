import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pLimit from 'p-limit';
import packageJson from '../../../package.json' with { type: 'json' };
import { describeReport, describeStory, isSound, markdownOf } from './report.ts';
import { searched } from './searches.ts';
import { replayedStories } from './stories/stories.ts';
import { SERVERS } from './table.ts';
import { tried } from './trial.ts';

const FILE = join(import.meta.dirname, '../../../docs/INTEROPERABILITY.md');

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    /** By default, the servers' own trials are left out. */
    stories: { type: 'boolean', default: false },
  },
});
const chosen = SERVERS.filter(
  (server) => values.only.length === 0 || values.only.some((part) => server.package.includes(part)),
);
if (chosen.length === 0) {
  process.stderr.write(
    `--only takes part of a package's name: ${SERVERS.map((server) => server.package).join(', ')}\n`,
  );
  process.exit(2);
}

/** Each is several processes, which mostly wait for each other. */
const AT_ONCE = 3;

const oneOfFew = pLimit(AT_ONCE);
const reports = await Promise.all(
  (values.stories ? [] : chosen).map((server) =>
    oneOfFew(async () => {
      const report = await tried(server);
      process.stdout.write(`${describeReport(report)}\n`);
      return report;
    }),
  ),
);
const stories = await replayedStories(chosen.map((server) => server.package));
for (const story of stories) process.stdout.write(`${describeStory(story)}\n`);
const searches = await searched(reports);
for (const { query, first } of searches.missed) process.stdout.write(`✗ ${query}: ${first.join(', ')}\n`);

const isComplete = values.only.length === 0 && !values.stories;
if (isComplete) {
  const versions = {
    Steward: packageJson.version,
    Node: process.versions.node,
    '@modelcontextprotocol/client': packageJson.dependencies['@modelcontextprotocol/client'],
  };
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(FILE, markdownOf({ reports, stories, searches, date, versions }));
  process.stdout.write(`Written: ${FILE}\n`);
}
const isGood = reports.every((report) => report.problem !== undefined || isSound(report));
process.exitCode = isGood && stories.every(({ fault }) => fault === undefined) ? 0 : 1;
