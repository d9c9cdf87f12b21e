import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Bench } from './bench.ts';
import { eventAppend } from './event-append.ts';
import { findFiles } from './find-files.ts';
import { findTools } from './find-tools.ts';
import { firstToken } from './first-token.ts';
import { google } from './google.ts';
import { hostileTexts } from './hostile-texts.ts';
import { idle } from './idle.ts';
import { manyServers } from './many-servers.ts';
import { mcp } from './mcp.ts';
import { memory } from './memory.ts';
import { memorySearch } from './memory-search.ts';
import { messageSearch } from './message-search.ts';
import { parallelReads } from './parallel-reads.ts';
import { type Measurement, performanceDocument } from './performance-document.ts';
import { questionCards } from './question-cards.ts';
import { questions } from './questions.ts';
import { asTable, type BenchResult } from './report.ts';
import { sandbox } from './sandbox.ts';
import { searchCode } from './search-code.ts';
import { start } from './start.ts';
import { turn } from './turn.ts';
import { usageTotals } from './usage-totals.ts';
import { webFetch } from './web-fetch.ts';
import { window } from './window.ts';

/** Processes first: what is measured in this one makes it larger, and so slower to start others from. */
const BENCHES: readonly Bench[] = [
  start,
  manyServers,
  memory,
  window,
  searchCode,
  findFiles,
  sandbox,
  webFetch,
  google,
  turn,
  firstToken,
  parallelReads,
  mcp,
  findTools,
  eventAppend,
  messageSearch,
  memorySearch,
  usageTotals,
  hostileTexts,
  questions,
  questionCards,
  idle,
];
const DEFAULT_FILE = resolve(import.meta.dirname, '../../out/bench.json');
const DOCUMENT = resolve(import.meta.dirname, '../../docs/PERFORMANCE.md');

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    json: { type: 'string', default: DEFAULT_FILE },
    quick: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    document: { type: 'boolean', default: false },
  },
});
const chosen = chooseBenches(values.only);
if (chosen.length === 0) {
  process.stderr.write(`--only takes part of a name: ${BENCHES.map(({ name }) => name).join(', ')}\n`);
  process.exitCode = 2;
} else if (values.document && (values.quick || chosen.length < BENCHES.length)) {
  process.stderr.write('--document needs every bench in full: leave out --only and --quick\n');
  process.exitCode = 2;
} else {
  await runAll(chosen, values);
}

function chooseBenches(names: readonly string[]): readonly Bench[] {
  if (names.length === 0) return BENCHES;
  return BENCHES.filter(({ name }) => names.some((part) => name.includes(part)));
}

interface Wanted {
  readonly json: string;
  readonly quick: boolean;
  readonly verbose: boolean;
  readonly document: boolean;
}

async function runAll(benches: readonly Bench[], { json, quick, verbose, document }: Wanted): Promise<void> {
  const startedAt = performance.now();
  const results: BenchResult[] = [];
  const temporaryFolder = mkdtempSync(join(tmpdir(), 'steward-bench-'));
  try {
    for (const { name, run } of benches) {
      const show = (text: string) => void process.stdout.write(`${text}\n`);
      const result = { bench: name, rows: await run({ isQuick: quick, isVerbose: verbose, show, temporaryFolder }) };
      results.push(result);
      process.stdout.write(`${asTable(result)}\n`);
    }
  } finally {
    rmSync(temporaryFolder, { recursive: true, force: true });
  }
  const goals = results.flatMap(({ rows }) => rows).flatMap(({ goal }) => (goal === undefined ? [] : [goal]));
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  process.stdout.write(`${goals.filter(({ isMet }) => isMet).length} of ${goals.length} goals met, ${seconds} s\n`);
  mkdirSync(dirname(resolve(json)), { recursive: true });
  const measurement: Measurement = { machine: machine(), results };
  writeFileSync(json, `${JSON.stringify({ ...measurement, isQuick: quick }, null, 2)}\n`);
  if (document) writeFileSync(DOCUMENT, performanceDocument(measurement, benches));
}

function machine() {
  return {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    processors: `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}`,
    measuredAt: new Date().toISOString(),
  };
}
