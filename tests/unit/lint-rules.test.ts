import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const EXAMPLES = join(ROOT, 'tests/fixtures/lint-rules');
const CLEAN = 'clean.ts';
/** Rules of our own: the linter reports them all as `plugin`. */
const OWN_RULES = 'scripts/lint-rules';
const ownRuleExamples = ['literalSpread.ts', 'ownKeyCollected.ts', 'ownKeyRead.ts', 'ownKeyWritten.ts'];
const files = await readdir(EXAMPLES);
let project: string;
let complaints: ReadonlyMap<string, readonly string[]>;

// The examples are ignored where they lie, so they are linted in a copy that looks like the repository.
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'steward-lint-rules-'));
  await copyFile(join(ROOT, 'biome.json'), join(project, 'biome.json'));
  await cp(join(ROOT, OWN_RULES), join(project, OWN_RULES), { recursive: true });
  for (const folder of ['src-main/policy', 'scripts', 'tests/bench']) {
    await mkdir(join(project, folder), { recursive: true });
    for (const file of files) await copyFile(join(EXAMPLES, file), join(project, folder, file));
  }
  complaints = await lint(project);
});

afterAll(() => rm(project, { recursive: true, force: true }));

describe('the linter refuses', () => {
  test.each(files.filter((file) => file !== CLEAN))('%s', (file) => {
    const rule = ownRuleExamples.includes(file) ? 'plugin' : basename(file, '.ts');
    expect(complaints.get(`src-main/policy/${file}`)).toEqual([rule]);
  });
});

test('the examples include the habits that the design forbids', () => {
  expect(files).toEqual(
    expect.arrayContaining(['noExplicitAny.ts', 'noNonNullAssertion.ts', 'noDefaultExport.ts', 'noConsole.ts']),
  );
});

test('a clean file passes', () => {
  expect(complaints.get(`src-main/policy/${CLEAN}`)).toBeUndefined();
});

test('a script and a benchmark may print with console, product code may not', () => {
  expect(complaints.get('scripts/noConsole.ts')).toBeUndefined();
  expect(complaints.get('tests/bench/noConsole.ts')).toBeUndefined();
  expect(complaints.get('src-main/policy/noConsole.ts')).toEqual(['noConsole']);
});

/** File, relative to the folder, → names of the rules that refuse it. */
function lint(folder: string): Promise<Map<string, string[]>> {
  const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
  const args = [biome, 'lint', '--vcs-enabled=false', '--reporter=json', '.'];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd: folder }, (_, stdout, stderr) => {
      try {
        const report: { diagnostics: { category: string; severity: string; location: { path: string } }[] } =
          JSON.parse(stdout);
        const byFile = new Map<string, string[]>();
        for (const { category, severity, location } of report.diagnostics) {
          if (severity !== 'error') continue;
          const rules = byFile.get(location.path) ?? [];
          byFile.set(location.path, [...rules, category.split('/').at(-1) ?? category]);
        }
        resolve(byFile);
      } catch (cause) {
        reject(new Error(`biome gave no report: ${stderr}`, { cause }));
      }
    });
  });
}
