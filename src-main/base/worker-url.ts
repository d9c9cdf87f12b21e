import { existsSync } from 'node:fs';

/**
 * Where the code of a worker thread is: beside the module that asks (`from`: its `import.meta.url`) in the sources; in a build
 * beside the entries, while that module may have become part of a chunk in a folder below. Not written as
 * `new Worker(new URL('…', import.meta.url))`, which bundlers rewrite, each in its own way. Each name is an entry of vite.config.ts.
 */
export function workerUrl(name: string, from: string): URL {
  const candidates = from.endsWith('.ts') ? [`${name}.ts`] : [`${name}.js`, `../${name}.js`];
  const urls = candidates.map((candidate) => new URL(candidate, from));
  const url = urls.find((candidate) => existsSync(candidate));
  if (url === undefined) throw new Error(`The build lacks ${name}.js; it was looked for at ${urls.join(' and ')}.`);
  return url;
}
