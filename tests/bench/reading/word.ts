import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { docxText } from '../../../src-main/tools/files/docx/docx-text.ts';
import { filesOf, unpacked } from './corpus.ts';
import { PAGES, WORD_DOCUMENTS } from './packages.ts';
import { percent, type Trial } from './report.ts';
import { lossOf, quantile, recallOf } from './words.ts';

const execute = promisify(execFile);
const ENOUGH = 0.99;
const GOAL = 0.95;
const PER_PACKAGE = 100;
/** Pages that become Word documents, of each package. */
const CONVERTED = 3;
const MAX_BYTES = 64 * 1024 * 1024;

/** Documents of packages, and pages that pandoc converts to documents: with notes, lists, tables and links. */
export const word: Trial = {
  name: 'word',
  async run(tell) {
    try {
      await execute('pandoc', ['--version']);
    } catch {
      return { missing: ['pandoc: install the Debian package pandoc'], rows: [], findings: [] };
    }
    const [documents, sources] = [await unpacked(WORD_DOCUMENTS), await unpacked(PAGES)];
    const recalls: number[] = [];
    const findings: string[] = [];
    const compare = async (where: string, bytes: Buffer) => {
      const reference = await pandoc(['-f', 'docx', '-t', 'plain', '--wrap=none'], bytes).catch(() => undefined);
      // Pandoc can't read the document either, so there is nothing to compare.
      if (reference === undefined) return;
      try {
        const loss = lossOf(
          reference.toString('utf8'),
          await docxText(bytes, { signal: new AbortController().signal }),
        );
        recalls.push(recallOf(loss));
        if (recallOf(loss) < ENOUGH)
          findings.push(`${where}: ${percent(recallOf(loss))}: ${loss.lost.slice(0, 12).join(' ')}`);
      } catch (error) {
        recalls.push(0);
        findings.push(`${where}: ${error instanceof Error ? error.message : String(error)}`);
      }
    };
    for (const each of documents.packages) {
      const files = await filesOf(each, (path) => /\.docx$/i.test(path), PER_PACKAGE);
      for (const file of files) await compare(`${file.package} ${file.path}`, file.bytes);
      tell(`${each.name} ${each.version}: ${files.length} documents`);
    }
    for (const each of sources.packages) {
      const files = await filesOf(each, (path) => /\.x?html?$/i.test(path), CONVERTED);
      for (const file of files.filter(({ bytes }) => bytes.length < 200_000)) {
        const made = await pandoc(['-f', 'html', '-t', 'docx', '-o', '-'], file.bytes).catch(() => undefined);
        if (made !== undefined) await compare(`${file.package} ${file.path}, converted`, made);
      }
      tell(`${each.name} ${each.version}: pages converted`);
    }
    const enough = recalls.filter((recall) => recall >= ENOUGH).length;
    return {
      missing: [...documents.missing, ...sources.missing],
      findings,
      rows: [
        ['documents', String(recalls.length), ''],
        [`documents with recall of at least ${ENOUGH}`, percent(enough / recalls.length), `at least ${percent(GOAL)}`],
        ['recall, median', quantile(recalls, 0.5).toFixed(4), ''],
        ['recall, worst document', Math.min(1, ...recalls).toFixed(4), ''],
      ],
    };
  },
};

function pandoc(options: readonly string[], input: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      'pandoc',
      [...options],
      { encoding: 'buffer', maxBuffer: MAX_BYTES, timeout: 60_000 },
      (error, stdout) => (error === null ? resolve(stdout) : reject(error)),
    );
    child.stdin?.on('error', reject);
    child.stdin?.end(input);
  });
}
