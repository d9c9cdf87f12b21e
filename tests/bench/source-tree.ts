import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logUniform, seededRandom, zipfRank } from '../fixtures/random.ts';

/** Part of the folder's name: to be raised with any change of what is generated. */
const VERSION = 1;
const FILES = 20_000;
const FILES_PER_FOLDER = 25;
const FOLDERS_PER_FOLDER = 6;
const SMALLEST = 1_000;
const LARGEST = 20_000;

/** In about 400 lines, in the letter case of the query and in others. */
export const COMMON_QUERY = 'reconcileLedger';
export const COMMON_LINES = 400;
export const RARE_QUERY = 'obliterateQuasar';
export const RARE_LINES = 3;

/** A folder with 20,000 files of 1 to 20 kB, eight levels deep, made once and kept in the temporary folder. */
export function sourceTree(): string {
  const tree = join(tmpdir(), `steward-bench-tree-${VERSION}`);
  if (existsSync(tree)) return tree;
  const unfinished = `${tree}.${process.pid}`;
  rmSync(unfinished, { recursive: true, force: true });
  generate(unfinished);
  renameSync(unfinished, tree);
  return tree;
}

function generate(root: string): void {
  const random = seededRandom(7);
  const words = Array.from({ length: 4_000 }, () => identifier(random));
  const commonAt = placesOf(COMMON_LINES, random);
  const rareAt = placesOf(RARE_LINES, random);
  let folder = '';
  for (let index = 0; index < FILES; index++) {
    if (index % FILES_PER_FOLDER === 0) {
      folder = join(root, folderName(index / FILES_PER_FOLDER));
      mkdirSync(folder, { recursive: true });
    }
    let text = '';
    if (commonAt.has(index))
      text += `const entry = ${index % 3 === 0 ? 'RECONCILEledger' : COMMON_QUERY}(account, period);\n`;
    if (rareAt.has(index)) text += `// never call ${RARE_QUERY} twice\n`;
    const size = logUniform(SMALLEST, LARGEST, random);
    while (text.length < size) text += codeLine(words, random);
    writeFileSync(
      join(folder, `${words[index % words.length]}-${index}.${EXTENSIONS[index % EXTENSIONS.length]}`),
      text,
    );
  }
}

const EXTENSIONS = ['ts', 'ts', 'js', 'json', 'md', 'py', 'css', 'html'];

/** Names folders like a tree in which each holds a few others: 0 is the root's first child, 7 is inside 0. */
function folderName(number: number): string {
  const parent = Math.floor(number / FOLDERS_PER_FOLDER) - 1;
  return parent < 0 ? `module-${number}` : join(folderName(parent), `part-${number}`);
}

function placesOf(count: number, random: () => number): Set<number> {
  const places = new Set<number>();
  while (places.size < count) places.add(Math.floor(random() * FILES));
  return places;
}

function codeLine(words: readonly string[], random: () => number): string {
  const indent = '  '.repeat(Math.floor(random() * 4));
  const line = Array.from({ length: 2 + Math.floor(random() * 8) }, () => words[zipfRank(words.length, random)]);
  return `${indent}${line.join(random() < 0.5 ? ' ' : '.')};\n`;
}

function identifier(random: () => number): string {
  const syllable = () => `${'bdfgklmnprstvz'[Math.floor(random() * 14)]}${'aeiou'[Math.floor(random() * 5)]}`;
  return Array.from({ length: 1 + Math.floor(random() * 4) }, syllable).join('');
}
