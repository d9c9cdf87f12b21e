import { parseArgs } from 'node:util';
import { charsets } from './charsets.ts';
import { mails } from './mails.ts';
import { pages } from './pages.ts';
import { type Trial, type TrialResult, writePage } from './report.ts';
import { word } from './word.ts';

const TRIALS: readonly Trial[] = [mails, charsets, pages, word];

const { values } = parseArgs({
  options: { only: { type: 'string', multiple: true }, verbose: { type: 'boolean', default: false } },
});
const unknown = values.only?.filter((name) => !TRIALS.some((trial) => trial.name === name)) ?? [];
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. --only takes pages, word, mails or charsets.`);
  process.exit(1);
}

const results = new Map<Trial['name'], TrialResult>();
for (const trial of TRIALS.filter(({ name }) => values.only?.includes(name) ?? true)) {
  const result = await trial.run((line) => console.error(`  ${line}`));
  results.set(trial.name, result);
  console.log(trial.name);
  for (const [what, measured, goal] of result.rows)
    console.log(`  ${what}: ${measured}${goal === '' ? '' : ` (goal: ${goal})`}`);
  for (const line of result.missing) console.log(`  not compared: ${line}`);
  const shown = values.verbose ? result.findings : result.findings.slice(0, 5);
  for (const line of shown) console.log(`  ! ${line}`);
  if (shown.length < result.findings.length)
    console.log(`  ! ${result.findings.length - shown.length} more with --verbose`);
}
await writePage(results, new Date().toISOString().slice(0, 10));
