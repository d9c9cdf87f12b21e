import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright';

const PROGRAM = '/usr/bin/chromium';

export interface SeenPage {
  /** The text as the browser's `innerText` has it. */
  readonly text: string;
  /** The addresses of its links to the web that have text, as they are written. */
  readonly addresses: readonly string[];
}

/** Pages as a browser parses them, without their styles and scripts, offline. */
export class ReferenceBrowser {
  readonly #browser: Browser;
  readonly #page: Page;

  private constructor(browser: Browser, page: Page) {
    this.#browser = browser;
    this.#page = page;
  }

  /** Undefined if no browser is installed. */
  static async start(): Promise<ReferenceBrowser | undefined> {
    if (!existsSync(PROGRAM)) return undefined;
    const browser = await chromium.launch({ executablePath: PROGRAM, args: ['--no-sandbox', '--disable-gpu'] });
    const page = await (await browser.newContext({ offline: true })).newPage();
    await page.setContent(
      `<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'none'"><body></body>`,
    );
    return new ReferenceBrowser(browser, page);
  }

  /** Raised text is parted from what it follows: `2 24`, so that an exponent is a word of its own. */
  async see(html: string): Promise<SeenPage> {
    return this.#page.evaluate((source) => {
      const parsed = new DOMParser().parseFromString(source, 'text/html');
      for (const element of parsed.querySelectorAll(
        'script, style, link, noscript, template, iframe, annotation, object',
      ))
        element.remove();
      for (const raised of parsed.querySelectorAll('sup')) raised.prepend(' ');
      for (const panel of parsed.querySelectorAll('[role=tabpanel][hidden]')) panel.removeAttribute('hidden');
      for (const details of parsed.querySelectorAll('details')) details.open = true;
      // In the page, what follows an address may look like a part of it.
      for (const link of parsed.querySelectorAll('a[href]')) if (/^https?:/.test(link.textContent)) link.after(' ');
      // Drawn copies of formulas, which are read once.
      for (const drawn of parsed.querySelectorAll('.katex-html, .MathJax_Preview')) drawn.remove();
      document.body.replaceChildren(...document.adoptNode(parsed.body).childNodes);
      const links = [...document.body.querySelectorAll<HTMLAnchorElement>('a[href^="http"]')];
      const shown = links.filter(
        (link) => link.innerText.trim() !== '' && !/\s/.test(link.getAttribute('href') ?? ' '),
      );
      const addresses = shown.map((link) => link.getAttribute('href') ?? '');
      return { text: document.body.innerText, addresses };
    }, html);
  }

  async stop(): Promise<void> {
    await this.#browser.close();
  }
}
