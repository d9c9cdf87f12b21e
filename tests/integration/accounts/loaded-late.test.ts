import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { builtOutput } from '../../../scripts/built-output.mjs';

const STATIC = /(?:from|import)\s*["'](\.{1,2}\/[^"']+\.js)["']/g;
const ANY = /(?:from|import)\s*\(?\s*["'](\.{1,2}\/[^"']+\.js)["']/g;

test("nothing loads Google's libraries as it starts: only a sign-in or a call does", async () => {
  const output = await builtOutput();
  const services = readdirSync(join(output, 'chunks')).filter((file) => file.startsWith('services-'));
  expect(services.length).toBeGreaterThan(0);
  const reached = (imports: RegExp) => {
    const seen = new Set<string>();
    const follow = (file: string) => {
      // What a comment names may not be there.
      if (seen.has(file) || !existsSync(file)) return;
      seen.add(file);
      for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(imports)) follow(join(dirname(file), path));
    };
    for (const file of ['main.js', 'terminal.js', ...services.map((name) => join('chunks', name))])
      follow(join(output, file));
    return [...seen].filter((file) => readFileSync(file, 'utf8').includes('oauth2FederatedSignonPemCertsUrl'));
  };
  expect(reached(STATIC)).toEqual([]);
  expect(reached(ANY).length).toBeGreaterThan(0);
});
