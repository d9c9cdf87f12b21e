import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const ENTRY = join(ROOT, 'src-renderer/consent/main.ts');
/** `import type` is gone when the page is built. */
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s+(?!type\s)(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]|@import\s+['"]([^'"]+)['"]/g;

interface Graph {
  readonly files: ReadonlySet<string>;
  readonly packages: ReadonlySet<string>;
}

/** Everything that a file brings into its page. */
function graphOf(entry: string): Graph {
  const files = new Set<string>();
  const packages = new Set<string>();
  const waiting = [entry];
  for (const file of waiting) {
    if (files.has(file)) continue;
    files.add(file);
    for (const [, imported, dynamic, style] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      // Vite's `?raw` is no part of the file's name.
      const [specifier = ''] = (imported ?? dynamic ?? style ?? '').split('?');
      if (specifier.startsWith('.')) waiting.push(join(dirname(file), specifier));
      else packages.add(specifier);
    }
  }
  return { files, packages };
}

test('the consent page holds no third-party code but Svelte', () => {
  const { files, packages } = graphOf(ENTRY);
  expect([...files].map((file) => relative(ROOT, file))).toEqual(
    expect.arrayContaining([
      'src-renderer/consent/ConsentSheet.svelte',
      'src-renderer/ui/Button.svelte',
      'src-renderer/ui/tokens.css',
    ]),
  );
  expect([...packages].filter((name) => name !== 'svelte' && !name.startsWith('svelte/'))).toEqual([]);
});

test('the consent page shares no screen with the chat', () => {
  const { files } = graphOf(ENTRY);
  const paths = [...files].map((file) => relative(ROOT, file));
  const own = paths.filter((path) => path.startsWith('src-renderer/'));
  expect([...new Set(own.map((path) => path.split('/')[1]))].sort()).toEqual(['consent', 'ui']);
  // Main checks what is entered by the same rules, knows the same keys, and writes sizes in the same words.
  expect(paths.filter((path) => !own.includes(path)).sort()).toEqual([
    'src-preload/contract/form.ts',
    'src-preload/contract/modifier-keys.ts',
    'src-preload/contract/size-text.ts',
  ]);
});

test('the search for imports finds packages where there are some', () => {
  const { packages } = graphOf(join(ROOT, 'src-renderer/settings/SettingsScreen.svelte'));
  expect([...packages].some((name) => name.startsWith('@lucide/svelte'))).toBe(true);
});
