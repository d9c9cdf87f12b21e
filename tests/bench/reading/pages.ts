import { decodeBody } from '../../../src-main/tools/web/page/charset.ts';
import { readablePage } from '../../../src-main/tools/web/page/html-to-text.ts';
import { ReferenceBrowser } from './browser.ts';
import { filesOf, unpacked } from './corpus.ts';
import { PAGES } from './packages.ts';
import { percent, type Trial } from './report.ts';
import { lossOf, quantile } from './words.ts';

const PER_PACKAGE = 40;
/** What `web_fetch` reads at most. */
const LARGEST = 2_000_000;
const MAX_LOST = 0.001;

/** Pages of documentation against the text that a browser shows of them. */
export const pages: Trial = {
  name: 'pages',
  async run(tell) {
    const browser = await ReferenceBrowser.start();
    if (browser === undefined)
      return { missing: ['a browser: install the Debian package chromium'], rows: [], findings: [] };
    try {
      const { packages, missing } = await unpacked(PAGES);
      const shares: number[] = [];
      let [words, regrouped] = [0, 0];
      const addresses = { whole: 0, all: 0 };
      const findings: string[] = [];
      for (const each of packages) {
        const files = await filesOf(each, (path) => /\.x?html?$/i.test(path), PER_PACKAGE);
        for (const file of files.filter(({ bytes }) => bytes.length <= LARGEST)) {
          const { text: html } = await decodeBody(file.bytes, undefined, true);
          const [seen, { text }] = [await browser.see(html), await readablePage(html)];
          const loss = lossOf(seen.text, text);
          const share = loss.words === 0 ? 0 : loss.lost.length / loss.words;
          shares.push(share);
          words += loss.words;
          regrouped += loss.regrouped;
          const where = `${file.package} ${file.path}`;
          if (share > MAX_LOST)
            findings.push(
              `${where}: ${loss.lost.length} of ${loss.words} words lost: ${loss.lost.slice(0, 12).join(' ')}`,
            );
          const inText = plainAddresses(seen.text);
          const broken = brokenAddresses(inText, seen.addresses, text);
          const count = inText.length + seen.addresses.length;
          addresses.all += count;
          addresses.whole += count - broken.length;
          if (broken.length > 0) findings.push(`${where}: addresses not intact: ${broken.slice(0, 3).join(' ')}`);
        }
        tell(`${each.name} ${each.version}: ${files.length} pages`);
      }
      const lossy = shares.filter((share) => share > MAX_LOST).length;
      return {
        missing,
        findings,
        rows: [
          ['pages', String(shares.length), ''],
          ['words lost, median', percent(quantile(shares, 0.5)), '0 %'],
          ['words lost, worst page', percent(Math.max(0, ...shares)), 'at most 0.1 %'],
          ['pages that lose more than 0.1 %', String(lossy), '0'],
          ['words joined or divided otherwise (`2^24`)', `${regrouped} of ${words}`, ''],
          ['addresses intact', `${addresses.whole} of ${addresses.all}`, 'all'],
        ],
      };
    } finally {
      await browser.stop();
    }
  },
};

/** The addresses in a text, as far as each can go, without the punctuation after it. */
function plainAddresses(text: string): readonly string[] {
  const runs = text.match(/https?:\/\/[^\s<>"'“”‘’«»()[\]{}|\\^`~]+/g) ?? [];
  return runs.map((run) => run.replace(/[.,;:!?…]+$/, ''));
}

/** The addresses that the text lacks, or that something is attached to. */
function brokenAddresses(inText: readonly string[], ofLinks: readonly string[], text: string): readonly string[] {
  const whole = new Set(plainAddresses(text));
  const ends = /^(?:$|[\s()[\]{}<>"'“”‘’»,;:!|…~*^`\\]|\.(?:\W|$)|\?(?:\s|$))/u;
  const isIntact = (address: string) => {
    for (let index = text.indexOf(address); index !== -1; index = text.indexOf(address, index + 1))
      if (ends.test(text.slice(index + address.length, index + address.length + 3))) return true;
    return false;
  };
  return [...inText.filter((address) => !whole.has(address)), ...ofLinks.filter((address) => !isIntact(address))];
}
