// @ts-check
// `node scripts/icons.mjs` renders the app's icons, for every system, from the one drawing. The results are committed;
// a test compares them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Resvg } from '@resvg/resvg-js';
import png2icons from 'png2icons';

const FOLDER = fileURLToPath(new URL('../resources/icons', import.meta.url));
/** The sizes of the freedesktop icon theme that desktops look for. */
const LINUX_SIZES = [16, 24, 32, 48, 64, 128, 256, 512];

/**
 * @returns {Map<string, Buffer>} the files by their paths below resources/icons
 */
export function renderIcons() {
  const drawing = readFileSync(join(FOLDER, 'icon.svg'));
  /** @param {number} size the size in pixels */
  const png = (size) => new Resvg(drawing, { fitTo: { mode: 'width', value: size } }).render().asPng();
  const large = png(1024);
  const icns = png2icons.createICNS(large, png2icons.BICUBIC2, 0);
  const ico = png2icons.createICO(large, png2icons.BICUBIC2, 0, true);
  if (icns === null || ico === null) throw new Error('The icons could not be made from the drawing.');
  return new Map([
    ['icon.icns', icns],
    ['icon.ico', ico],
    ...LINUX_SIZES.map((size) => /** @type {const} */ ([`linux/${size}x${size}.png`, png(size)])),
  ]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, content] of renderIcons()) {
    mkdirSync(dirname(join(FOLDER, name)), { recursive: true });
    writeFileSync(join(FOLDER, name), content);
  }
}
