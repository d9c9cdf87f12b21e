import type { Page } from 'playwright';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { NO_ANSWER } from '../../../src-preload/contract/form.ts';
import { GUARD_MS } from '../../../src-renderer/consent/answer-guard.svelte.ts';
import { needElectron } from '../../fixtures/electron-app.ts';
import { Gallery } from '../../fixtures/gallery/gallery.ts';
import type { Scene } from '../../fixtures/gallery/scene.ts';
import { commandCard, consentScenes, undoCard, writeCard } from '../../fixtures/gallery/scenes/consent.ts';
import { formCard, serverQuestionScenes } from '../../fixtures/gallery/scenes/server-questions.ts';
import { labels } from '../../fixtures/window-labels.ts';

function sceneNamed(name: string): Scene {
  const scene = [...consentScenes, ...serverQuestionScenes].find((candidate) => candidate.name === name);
  if (scene === undefined) throw new Error(`There is no scene ${name}.`);
  return scene as Scene;
}

/** The page's own clock stands still until a test moves it. */
async function stopClock(page: Page): Promise<void> {
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1000);
}

async function answers(page: Page): Promise<unknown> {
  return page.evaluate(`gallery.requests.filter(({ route }) => route === 'consent.answer').map(({ input }) => input)`);
}

const allowOnce = (page: Page) => page.getByRole('button', { name: labels.consent.allowOnce });
const title = (page: Page, text: string) => page.getByRole('heading', { name: text });

async function middleOf(page: Page): Promise<{ readonly x: number; readonly y: number }> {
  const box = await allowOnce(page).boundingBox();
  if (box === null) throw new Error('"Allow once" is not to be seen.');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

describe('the consent page in a browser', () => {
  let gallery: Gallery;
  beforeEach(async (context) => {
    gallery ??= await Gallery.open(needElectron(context));
  }, 120_000);
  afterAll(() => gallery?.close());

  const visit = (name: string, look: (page: Page) => Promise<void>) => gallery.visit(sceneNamed(name), look, stopClock);

  test('an optional choice can be taken back; a required one asks for an answer', async () => {
    await visit('consent-form', async (page) => {
      await page.clock.runFor(GUARD_MS * 4);
      const seat = page.getByRole('radiogroup', { name: /^Seat/ });
      const none = seat.getByRole('radio', { name: NO_ANSWER });
      expect(await none.isChecked()).toBe(false);
      await none.check();
      expect(await seat.getByRole('radio', { checked: true }).count()).toBe(1);
      await seat.getByRole('radio', { name: 'Aisle' }).check();
      await none.check();
      expect(await page.getByRole('combobox').getByRole('option', { name: NO_ANSWER }).count()).toBe(0);
      await page.getByRole('textbox', { name: /^Name on the ticket/ }).fill('Ada');
      await page.getByRole('textbox', { name: /^Day of departure/ }).fill('2031-04-01');
      await page.getByRole('combobox').selectOption('Porto');
      const readOn = page.getByRole('button', { name: labels.consent.readOn });
      // It is gone once the end is in view, perhaps before it could be pressed.
      const readOnOnce = () =>
        readOn.evaluateAll((buttons) => buttons.map((button) => (button as HTMLElement).click()));
      await expect.poll(async () => (await readOnOnce()).length).toBe(0);
      await page.getByRole('button', { name: labels.consent.accept }).click();
      const at = formCard.fields?.findIndex(({ title: name }) => name === 'Seat') ?? -1;
      await expect.poll(async () => JSON.stringify(await answers(page))).toContain('"entered"');
      const [answer] = (await answers(page)) as { readonly entered: readonly unknown[] }[];
      expect(answer?.entered[at]).toEqual([]);
    });
  });

  test('clicks and keys in the first half second answer nothing, also when they are let go later', async () => {
    await visit('consent-next', async (page) => {
      await title(page, commandCard.title).waitFor();
      const { x, y } = await middleOf(page);
      await page.mouse.click(x, y);
      await page.keyboard.press('Control+Enter');
      await page.keyboard.press('Escape');
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.clock.runFor(GUARD_MS);
      await page.mouse.up();
      expect(await answers(page)).toEqual([]);
      await page.clock.runFor(1);
      await page.mouse.click(x, y);
      expect(await answers(page)).toEqual([{ id: 'card-command', answer: 'once' }]);
    });
  });

  test('a double click answers one card, and the next waits its own half second', async () => {
    await visit('consent-next', async (page) => {
      await title(page, commandCard.title).waitFor();
      await page.clock.runFor(GUARD_MS + 1);
      const { x, y } = await middleOf(page);
      await page.mouse.dblclick(x, y);
      await title(page, writeCard.title).waitFor();
      await page.keyboard.press('Control+Enter');
      expect(await answers(page)).toEqual([{ id: 'card-command', answer: 'once' }]);
      await page.clock.runFor(GUARD_MS + 1);
      await page.keyboard.press('Control+Enter');
      await expect
        .poll(() => answers(page))
        .toEqual([
          { id: 'card-command', answer: 'once' },
          { id: 'card-write', answer: 'once' },
        ]);
    });
  });

  test('the focus begins on the heading, and Tab reaches deny before allow', async () => {
    await visit('consent-write', async (page) => {
      await title(page, writeCard.title).waitFor();
      await page.clock.runFor(GUARD_MS + 1);
      const focused = () => page.evaluate('document.activeElement.innerText.trim().replace(/\\s+/g, " ")');
      expect(await focused()).toBe(writeCard.title);
      const buttons: unknown[] = [];
      for (let tabs = 0; tabs < 20 && buttons.length < 6; tabs += 1) {
        await page.keyboard.press('Tab');
        if ((await page.evaluate('document.activeElement.tagName')) === 'BUTTON') buttons.push(await focused());
      }
      expect(buttons).toEqual([
        'The assistant says',
        labels.consent.details,
        `${labels.consent.deny} Ctrl D`,
        `${labels.consent.denyWithWord} Ctrl E`,
        `${labels.consent.allowMore} Ctrl Shift ↵`,
        `${labels.consent.allowOnce} Ctrl ↵`,
      ]);
    });
  });

  test('the question about an undo offers no feedback and no rule', async () => {
    await visit('consent-undo', async (page) => {
      await title(page, undoCard.title).waitFor();
      await page.clock.runFor(GUARD_MS + 1);
      const names = await page.getByRole('button').allTextContents();
      expect(names.map((name) => name.trim().split(/\s/)[0])).toEqual([
        labels.consent.details,
        labels.consent.keep,
        labels.consent.undo,
      ]);
      await page.getByRole('button', { name: labels.consent.keep }).click();
      expect(await answers(page)).toEqual([{ id: 'card-undo', answer: 'deny', word: '' }]);
    });
  });

  test('a rule is chosen and kept with the keyboard alone', async () => {
    await visit('consent-write', async (page) => {
      await title(page, writeCard.title).waitFor();
      await page.clock.runFor(GUARD_MS + 1);
      await page.getByRole('button', { name: labels.consent.allowMore }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('radio', { name: writeCard.offers[0]?.label }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Tab');
      await page.clock.runFor(1);
      await page.keyboard.press('Enter');
      await expect.poll(() => answers(page)).toEqual([{ id: 'card-write', answer: 'conversation', offer: 1 }]);
    });
  });

  test('Escape closes the feedback field; with the field closed it denies', async () => {
    await visit('consent-command', async (page) => {
      await title(page, commandCard.title).waitFor();
      await page.clock.runFor(GUARD_MS + 1);
      await page.getByRole('button', { name: labels.consent.denyWithWord }).click();
      await page.keyboard.type('Only the last week');
      await page.keyboard.press('Escape');
      await expect.poll(() => page.getByRole('textbox').count()).toBe(0);
      expect(await answers(page)).toEqual([]);
      await page.clock.runFor(1);
      await page.keyboard.press('Escape');
      await expect.poll(() => answers(page)).toEqual([{ id: 'card-command', answer: 'deny', word: '' }]);
    });
  });

  test('feedback is sent with the denial', async () => {
    await visit('consent-command', async (page) => {
      await title(page, commandCard.title).waitFor();
      await page.clock.runFor(GUARD_MS + 1);
      await page.getByRole('button', { name: labels.consent.denyWithWord }).click();
      await page.keyboard.type('Only the last week');
      await page.clock.runFor(1);
      await page.keyboard.press('Enter');
      await expect
        .poll(() => answers(page))
        .toEqual([{ id: 'card-command', answer: 'deny', word: 'Only the last week' }]);
    });
  });
});
