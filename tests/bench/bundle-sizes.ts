import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const STATIC_IMPORT = /\b(?:import|export)\b(?:[^'"();]*?\bfrom)?\s*["'](\.[^"']+)["']/g;
const SCRIPT = /<(?:script|link)\b[^>]*(?:src|href)="\/([^"]+\.js)"/g;

export interface BundleSizes {
  /** `main.js` and what it imports before it runs, in kB. */
  readonly main: number;
  readonly mainAlone: number;
  /** Scripts that the chat page loads before it can show anything. */
  readonly renderer: number;
  readonly preload: number;
}

/** What has to be read and compiled at each start, of the built output in a folder. */
export function bundleSizes(output: string): BundleSizes {
  const renderer = join(output, 'renderer');
  const scripts = [...readFileSync(join(renderer, 'app.html'), 'utf8').matchAll(SCRIPT)];
  return {
    main: kilobytes(withImports([join(output, 'main.js')])),
    mainAlone: kilobytes([join(output, 'main.js')]),
    renderer: kilobytes(withImports(scripts.map(([, name = '']) => join(renderer, name)))),
    preload: kilobytes([join(output, 'preload-app.cjs')]),
  };
}

function withImports(files: readonly string[], found = new Set<string>()): ReadonlySet<string> {
  for (const file of files) {
    if (found.has(file)) continue;
    found.add(file);
    const imports = [...readFileSync(file, 'utf8').matchAll(STATIC_IMPORT)];
    withImports(
      imports.map(([, name = '']) => join(dirname(file), name)),
      found,
    );
  }
  return found;
}

function kilobytes(files: Iterable<string>): number {
  return [...files].reduce((sum, file) => sum + statSync(file).size, 0) / 1_000;
}
