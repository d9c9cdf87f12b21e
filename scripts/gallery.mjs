// @ts-check
import './require-toolchain.mjs';
import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const WIDTHS = [480, 900, 1400];
const HEIGHT = 860;
/** The number of scenes that are open at the same time; each is a separate process. */
const AT_ONCE = Math.min(4, Math.max(2, availableParallelism()));

/** The scenes that the README shows. */
const IN_README = ['chat-introduction', 'consent-send'];
const README_VIEW = { width: 1100, height: 780, theme: /** @type {const} */ ('light') };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    width: { type: 'string', multiple: true },
    height: { type: 'string' },
    theme: { type: 'string', multiple: true },
    readme: { type: 'boolean', default: false },
  },
});

const { violationsOn } = await import('../tests/fixtures/axe.ts');
const { Gallery } = await import('../tests/fixtures/gallery/gallery.ts');
const { prepareElectronMachine } = await import('../tests/fixtures/prepare-electron-machine.ts');
const { scenes } = await import('../tests/fixtures/gallery/scenes/index.ts');

const prepared = await prepareElectronMachine((line) => console.error(line));
const [machine] = 'missing' in prepared ? [] : prepared.machines;
if ('missing' in prepared || machine === undefined) {
  console.error('missing' in prepared ? prepared.missing : 'There is no screen.');
  process.exit(1);
}

const out = values.readme ? join(root, 'docs', 'pictures') : join(root, 'test-results', 'gallery');
await mkdir(out, { recursive: true });
const widths = values.width?.map(Number) ?? WIDTHS;
const themes = /** @type {('light' | 'dark')[]} */ (values.theme ?? ['light', 'dark']);
// With `npm run gallery -- consent settings-rules`, only scenes are shown whose names begin like this.
const shown = values.readme
  ? scenes.filter(({ name }) => IN_README.includes(name))
  : scenes.filter(({ name }) => positionals.length === 0 || positionals.some((part) => name.startsWith(part)));

const views = values.readme
  ? [README_VIEW]
  : widths.flatMap((width) => themes.map((theme) => ({ width, height: Number(values.height ?? HEIGHT), theme })));
/** @type {string[]} */
const complaints = [];
/** @type {import('../tests/fixtures/gallery/gallery.ts').Gallery | undefined} */
let gallery;
const startedAt = performance.now();
try {
  const open = await Gallery.open(machine);
  gallery = open;
  const waiting = [...shown];
  const showAll = async () => {
    for (let scene = waiting.shift(); scene !== undefined; scene = waiting.shift()) await show(open, scene);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, showAll));
} finally {
  await gallery?.close();
  await prepared.stop();
}

/**
 * @param {import('../tests/fixtures/gallery/gallery.ts').Gallery} gallery
 * @param {import('../tests/fixtures/gallery/scene.ts').Scene} scene
 */
async function show(gallery, scene) {
  try {
    await gallery.show(scene, views, async (page, { width, theme }) => {
      const name = values.readme ? scene.name : `${scene.name}-${width}-${theme}`;
      await page.screenshot({ path: join(out, `${name}.png`) });
      // The themes differ only in colours.
      const violations = await violationsOn(page, { onlyColours: theme !== themes[0] });
      for (const { rule, help, at } of violations) complaints.push(`${name}: ${rule}: ${help} (${at.join(', ')})`);
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      if (Number(overflow) > 0) complaints.push(`${name}: the page is ${overflow} px wider than the window`);
    });
  } catch (error) {
    complaints.push(`${scene.name}: ${error instanceof Error ? error.message : error}`);
  }
}

const seconds = Math.round((performance.now() - startedAt) / 1000);
for (const complaint of complaints.sort()) console.error(complaint);
console.log(
  `${shown.length} scenes, ${shown.length * views.length} pictures in ${out}, ${complaints.length} complaints, ${seconds} s`,
);
process.exitCode = complaints.length === 0 ? 0 : 1;
