import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const LATE = ['yaml', 'minisearch', 'stemmer', 'ajv'];

/** Prints which of them are loaded after this import: Node reports every file that it resolves. */
const PROGRAM = `
import { registerHooks } from 'node:module';
const seen = new Set();
registerHooks({ resolve(name, context, next) { seen.add(name.split('/')[0]); return next(name, context); } });
await import(process.argv[1]);
console.log(JSON.stringify([...seen]));
`;

test('starting the assistant loads no library that only skills, programs or find_tools need', () => {
  const loadedBy = (file: string): string[] =>
    JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', PROGRAM, file], { encoding: 'utf8' }));
  const services = loadedBy(new URL('../../../src-main/services.ts', import.meta.url).href);
  expect(services).toContain('zod');
  expect(services.filter((name) => LATE.includes(name))).toEqual([]);
  // The control: what a search needs is reported where it is loaded at once.
  expect(loadedBy(new URL('../../../src-main/tools/registry/tool-index.ts', import.meta.url).href)).toContain(
    'stemmer',
  );
});
