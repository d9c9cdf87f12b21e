import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { UNUSED_PARTS } from '../../scripts/unused-parts.mjs';

const ROOT = join(import.meta.dirname, '../..');
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'((?:@[\w-]+\/)?[a-z][\w.-]*)(\/[^']+)?'/g;
/** `result._emitter`, `result['_emitter']` */
const PRIVATE_MEMBER = /\w\??\.(?:_[A-Za-z]\w*)|\['_[A-Za-z]\w*'\]/;

/** Paths that a package documents and its `exports` don't list. */
const DOCUMENTED: Readonly<Record<string, string>> = {
  'ajv/dist/2020.js': 'https://ajv.js.org/json-schema.html#draft-2020-12; ajv 8 has no `exports`',
};

/** Packages of which the build leaves out a part, each with its reason in scripts/unused-parts.mjs. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'undici',
  'nodemailer',
  // Both SDKs bring a validator that nothing calls.
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/server',
  // It goes with `gaxios` of the Google libraries.
  'node-fetch',
  // `package.json` of Steward itself.
  '',
]);

const sources = ['src-main', 'src-preload', 'src-renderer', 'resources'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:ts|svelte)$/.test(file))
    .map((file) => ({ file: join(folder, file), text: readFileSync(join(ROOT, folder, file), 'utf8') })),
);

function isExported(name: string, path: string): boolean {
  const manifest = join(ROOT, 'node_modules', name, 'package.json');
  if (!existsSync(manifest)) throw new Error(`${name} is not installed`);
  const { exports = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as { exports?: object };
  // Not through `./*`, which exports whatever is there.
  const [folder = ''] = path.slice(1).split('/');
  return `.${path}` in exports || `./${folder}/*` in exports;
}

test('packages are imported by the paths that they export', () => {
  const private_ = sources.flatMap(({ file, text }) =>
    [...text.matchAll(IMPORT)].flatMap(([, name = '', path]) =>
      path === undefined || name === 'node' || `${name}${path}` in DOCUMENTED || isExported(name, path)
        ? []
        : [`${file}: ${name}${path}`],
    ),
  );
  expect(sources.length).toBeGreaterThan(500);
  expect(private_).toEqual([]);
});

test('nothing reaches into private members of packages', () => {
  const private_ = sources.flatMap(({ file, text }) =>
    text.split('\n').flatMap((line) => (PRIVATE_MEMBER.test(line) ? [`${file}: ${line.trim()}`] : [])),
  );
  expect(private_).toEqual([]);
});

test('the build replaces nothing else', () => {
  const packages = UNUSED_PARTS.map(
    ({ file }) => /node_modules\/((?:@[\w-]+\/)?[\w-]+)/.exec(file.source.replaceAll('\\', ''))?.[1] ?? '',
  );
  expect(new Set(packages)).toEqual(LEFT_OUT);
  for (const file of readdirSync(ROOT).filter((name) => /^vite.*\.config\.ts$/.test(name)))
    expect(readFileSync(join(ROOT, file), 'utf8')).not.toMatch(/\balias\b/);
});
