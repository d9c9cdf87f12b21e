import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PYTHON = '/usr/bin/python3';
const MAX_BYTES = 512 * 1024 * 1024;

/**
 * The JSON lines that a script beside this file prints for these lines. Rejects if Python, or a package that it
 * imports, is missing.
 */
export function pythonLines(script: string, lines: readonly string[]): Promise<readonly unknown[]> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  return new Promise((resolve, reject) => {
    const child = execFile(PYTHON, [path], { maxBuffer: MAX_BYTES }, (error, stdout, stderr) => {
      if (error !== null) reject(new Error(stderr.trim().split('\n').at(-1) ?? error.message, { cause: error }));
      else resolve(stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)])));
    });
    child.stdin?.on('error', reject);
    child.stdin?.end(lines.map((line) => `${line}\n`).join(''));
  });
}
