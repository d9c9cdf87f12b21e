import type { Page } from 'playwright';
import { dockedPlace } from '../../src-main/desktop/consent-place.ts';
import { consentCard } from '../../src-main/ipc/consent/consent-card.ts';
import { questionOf } from '../../src-main/policy/question/question-of.ts';
import type { ConsentCard, ConsentState } from '../../src-preload/contract/consent.ts';
import { play } from '../fixtures/everyday-sessions/play.ts';
import { AREAS } from '../fixtures/everyday-sessions/session.ts';
import { SESSIONS } from '../fixtures/everyday-sessions/sessions.ts';
import { Gallery } from '../fixtures/gallery/gallery.ts';
import { commandScene } from '../fixtures/gallery/scenes/consent.ts';
import { prepareElectronMachine } from '../fixtures/prepare-electron-machine.ts';
import type { Bench } from './bench.ts';
import { figure } from './report.ts';

/** A small laptop's window, with text as large as it is at first and one line in the message field. */
const WINDOW = { width: 900, height: 600 } as const;
const COMPOSER_HEIGHT = 102;

interface Fit {
  readonly title: string;
  readonly text: string;
  /** What would have to be scrolled, in CSS pixels. */
  readonly hidden: number;
  readonly height: number;
}

/**
 * How many questions of the everyday sessions fit whole into a small window, above the composer: nobody's speed is
 * measured.
 */
export const questionCards: Bench = {
  name: 'question cards',
  meaning: 'Whether each question fits on the screen without scrolling.',
  run: async ({ isQuick, isVerbose, show }) => {
    const prepared = await prepareElectronMachine((line) => process.stderr.write(`${line}\n`));
    const [machine] = 'missing' in prepared ? [] : prepared.machines;
    if ('missing' in prepared || machine === undefined) {
      const why = 'missing' in prepared ? prepared.missing : 'there is no screen';
      process.stderr.write(`The bench "question cards" is skipped: ${why}\n`);
      return [];
    }
    const gallery = await Gallery.open(machine);
    try {
      const fits: Fit[] = [];
      const cards = await allCards(isQuick);
      await gallery.visit(commandScene, async (page) => {
        for (const [index, card] of cards.entries()) fits.push(await drawn(page, { ...card, id: `card-${index}` }));
      });
      const cut = fits.filter(({ hidden }) => hidden > 0);
      if (isVerbose)
        show(
          fits
            .map(({ title, text, hidden, height }) => `- ${hidden} px hidden of ${height}: ${title} ${text}`)
            .join('\n'),
        );
      show(`${fits.length - cut.length} of ${fits.length} questions fit whole at ${WINDOW.width}×${WINDOW.height}`);
      const most = Math.floor(fits.length / 20);
      return [figure({ what: 'that have to be scrolled', unit: 'questions', ours: [cut.length] }, { atMost: most })];
    } finally {
      await gallery.close();
      await prepared.stop();
    }
  },
};

async function allCards(isQuick: boolean): Promise<readonly ConsentCard[]> {
  const chosen = isQuick
    ? AREAS.flatMap((area) => SESSIONS.filter((session) => session.area === area).slice(0, 1))
    : SESSIONS;
  const cards: ConsentCard[] = [];
  for (const session of chosen) {
    const { requests } = await play(session);
    for (const request of requests) cards.push(await consentCard(questionOf(request), session.title));
  }
  return cards;
}

/** Main's part is played with main's own rule for the place. */
async function drawn(page: Page, card: ConsentCard): Promise<Fit> {
  const state: ConsentState = {
    card,
    preparing: null,
    waiting: 0,
    size: 'docked',
    appearance: 1,
    isOfCall: true,
    theme: 'light',
  };
  const placed = async (questionHeight: number | undefined) => {
    const zoom = { chatZoom: 1, consentZoom: 1 };
    const place = dockedPlace({
      window: WINDOW,
      ...zoom,
      composerHeight: COMPOSER_HEIGHT,
      room: undefined,
      questionHeight,
    });
    if (place === undefined) throw new Error('There is no room for a question.');
    await page.setViewportSize({ width: place.width, height: place.height });
  };
  await placed(undefined);
  await page.evaluate(`gallery.emit('state', ${JSON.stringify(state)})`);
  await page.locator(`[role=alertdialog][aria-busy=false]`).waitFor();
  await placed(await measured(page, card.id));
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  await placed(await measured(page, card.id));
  const body = page.locator('[data-body]');
  const { scrolls, shows } = await body.evaluate((element) => ({
    scrolls: element.querySelector<HTMLElement>('[data-aside]')?.offsetTop ?? element.scrollHeight,
    shows: element.clientHeight,
  }));
  return {
    title: card.title,
    text: (await body.innerText()).replaceAll(/\s+/g, ' ').slice(0, 120),
    hidden: Math.max(0, scrolls - shows - 1),
    height: scrolls,
  };
}

async function measured(page: Page, id: string): Promise<number> {
  const heights = await page.evaluate(
    `gallery.requests.filter(({ route, input }) => route === 'consent.measured' && input.id === ${JSON.stringify(id)}).map(({ input }) => input.height)`,
  );
  const last = Array.isArray(heights) ? heights.at(-1) : undefined;
  if (typeof last !== 'number') throw new Error('The page has not told its height.');
  return last;
}
