// @ts-check
import './require-toolchain.mjs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const WIDTHS = [480, 900, 1400];
const HEIGHT = 860;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { width: { type: 'string', multiple: true }, theme: { type: 'string', multiple: true } },
});

const { Gallery, violationsOn } = await import('../tests/fixtures/gallery/gallery.ts');
const { prepareElectronMachine } = await import('../tests/fixtures/prepare-electron-machine.ts');
const { scenes } = await import('../tests/fixtures/gallery/scenes/index.ts');

const prepared = await prepareElectronMachine((line) => console.error(line));
if ('missing' in prepared) {
  console.error(prepared.missing);
  process.exit(1);
}

const out = join(root, 'test-results', 'gallery');
await mkdir(out, { recursive: true });
const widths = values.width?.map(Number) ?? WIDTHS;
const themes = /** @type {('light' | 'dark')[]} */ (values.theme ?? ['light', 'dark']);
// `npm run gallery -- consent settings-rules`: only scenes whose name begins so.
const shown = scenes.filter(
  ({ name }) => positionals.length === 0 || positionals.some((part) => name.startsWith(part)),
);

const views = widths.flatMap((width) => themes.map((theme) => ({ width, height: HEIGHT, theme })));
/** @type {string[]} */
const complaints = [];
/** @type {import('../tests/fixtures/gallery/gallery.ts').Gallery | undefined} */
let gallery;
try {
  gallery = await Gallery.open(prepared.machine);
  for (const scene of shown) {
    try {
      await gallery.show(scene, views, async (page, { width, theme }) => {
        const name = `${scene.name}-${width}-${theme}`;
        await page.screenshot({ path: join(out, `${name}.png`) });
        for (const { rule, help, at } of await violationsOn(page))
          complaints.push(`${name}: ${rule}: ${help} (${at.join(', ')})`);
        const overflow = await page.evaluate(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
        if (Number(overflow) > 0) complaints.push(`${name}: the page is ${overflow} px wider than the window`);
      });
    } catch (error) {
      complaints.push(`${scene.name}: ${error instanceof Error ? error.message : error}`);
    }
  }
} finally {
  await gallery?.close();
  await prepared.stop();
}
for (const complaint of complaints) console.error(complaint);
console.log(
  `${shown.length} scenes, ${shown.length * views.length} pictures in ${out}, ${complaints.length} complaints`,
);
process.exitCode = complaints.length === 0 ? 0 : 1;
