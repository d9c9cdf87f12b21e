import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export interface TrialResult {
  /** What could not be compared, and what to install for it. */
  readonly missing: readonly string[];
  /** What, measured, goal. */
  readonly rows: readonly (readonly [string, string, string])[];
  /** Single files that are not as they should be. */
  readonly findings: readonly string[];
}

export interface Trial {
  readonly name: 'pages' | 'word' | 'mails' | 'charsets';
  run(tell: (line: string) => void): Promise<TrialResult>;
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(share > 0 && share < 0.001 ? 3 : 2).replace(/\.?0+$/, '')} %`;
}

const PAGE = fileURLToPath(new URL('../../../docs/READING.md', import.meta.url));
const HEADINGS = { pages: 'Pages', word: 'Word documents', mails: 'Mails', charsets: 'Character sets' } as const;
const COMPARED = {
  pages: 'Pages of documentation packages, against `innerText` of a browser without styles and scripts.',
  word: 'Against `pandoc -t plain`.',
  mails: 'Messages of test suites, against Python’s `email` package.',
  charsets:
    'Translated messages of a package, in the encodings that were in use for their language, without a mark. Right: the text is the same.',
} as const;

/** Replaces the parts of the page whose trials were run, and leaves the others with their dates. */
export async function writePage(results: ReadonlyMap<Trial['name'], TrialResult>, date: string): Promise<void> {
  const before = await readFile(PAGE, 'utf8').catch(() => '');
  const parts = (Object.keys(HEADINGS) as Trial['name'][]).map((name) => {
    const result = results.get(name);
    return result === undefined ? partOf(before, HEADINGS[name]) : rendered(name, result, date);
  });
  await writeFile(PAGE, `${INTRODUCTION}\n${parts.filter((part) => part !== '').join('\n')}`);
}

const INTRODUCTION = `# What is read is what is there

\`npm run reading\` (\`--only pages|word|mails|charsets\`, may be repeated) reads files of public packages as the tools do, and compares them
with references that are installed on the machine. The packages are listed in \`tests/bench/reading/packages.ts\`; they are downloaded into
the cache folder of the user, and nothing of them is in the repository. \`--verbose\` names each file that is not as it should be.
`;

function partOf(page: string, heading: string): string {
  const start = page.indexOf(`## ${heading}\n`);
  if (start === -1) return '';
  const end = page.indexOf('\n## ', start + 1);
  return end === -1 ? page.slice(start) : page.slice(start, end + 1);
}

function rendered(name: Trial['name'], { missing, rows }: TrialResult, date: string): string {
  const table = ['| what | measured | goal |', '|---|---|---|', ...rows.map((row) => `| ${row.join(' | ')} |`)];
  const left = missing.map((line) => `- Not compared: ${line}`);
  return `${[`## ${HEADINGS[name]}`, '', `${COMPARED[name]} Measured on ${date}.`, '', ...(rows.length === 0 ? [] : [...table, '']), ...(left.length === 0 ? [] : [...left, ''])].join('\n')}`;
}
