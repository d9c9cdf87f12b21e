import type { Page } from 'playwright';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { needElectron } from '../../fixtures/electron-app.ts';
import { Gallery } from '../../fixtures/gallery/gallery.ts';
import { goToHit, searchScenes } from '../../fixtures/gallery/scenes/search-hits.ts';
import { labels } from '../../fixtures/window-labels.ts';

let gallery: Gallery;
beforeEach(async (context) => {
  gallery ??= await Gallery.open(needElectron(context));
}, 120_000);
afterAll(() => gallery?.close());

async function visit(look: (page: Page) => Promise<void>): Promise<void> {
  for (const scene of searchScenes) await gallery.visit(scene, look);
}

/** What is marked, and whether all of it is in view. */
const marked = (page: Page) =>
  page.evaluate(() => {
    const view = document.querySelector('[role="log"]')?.getBoundingClientRect();
    return [...(CSS.highlights.get('search-hit') ?? [])].map((range) => {
      if (!(range instanceof Range) || view === undefined) return '';
      const { top, bottom, height } = range.getBoundingClientRect();
      return `${range.toString()}, ${height > 0 && top >= view.top && bottom <= view.bottom ? 'in' : 'out of'} view`;
    });
  });
const message = (page: Page) => page.getByRole('textbox', { name: labels.chat.message });

test('a hit in the middle of a long answer, among three hundred turns, is in view and marked, and stays so', () =>
  visit(async (page) => {
    await goToHit(page, 'heron');
    await expect.poll(() => marked(page)).toEqual(['heron, in view']);
    await message(page).pressSequentially('Why?');
    expect(await marked(page)).toEqual(['heron, in view']);
    // Goes to another hit, and back again.
    await goToHit(page, 'plover');
    await expect.poll(() => marked(page)).toEqual(['plover, in view']);
    await goToHit(page, 'heron');
    await expect.poll(() => marked(page)).toEqual(['heron, in view']);
    await page.getByRole('button', { name: 'New conversation' }).click();
    await expect.poll(() => marked(page)).toEqual([]);
  }));

test.each(['light', 'dark'] as const)('a mark can be read in the %s theme', (colorScheme) =>
  visit(async (page) => {
    await page.emulateMedia({ colorScheme });
    await goToHit(page, 'heron');
    await expect.poll(() => marked(page)).toEqual(['heron, in view']);
    const colours = await page.evaluate(() => {
      const message = document.querySelector('[data-message]') ?? document.body;
      const mark = document.querySelector('nav mark') ?? document.body;
      return [getComputedStyle(message, '::highlight(search-hit)'), getComputedStyle(mark)].map(
        ({ backgroundColor }) => backgroundColor,
      );
    });
    expect(colours[0]).toBe(colours[1]);
  }),
);

test('a hit in code is marked over its colours', () =>
  visit(async (page) => {
    await goToHit(page, 'const kestrel');
    await page.locator('[data-message] pre span').first().waitFor();
    await expect.poll(() => marked(page)).toEqual(['const kestrel, in view']);
  }));

test('a hit in a message that is folded unfolds it', () =>
  visit(async (page) => {
    await goToHit(page, 'osprey');
    await expect.poll(() => marked(page)).toEqual(['osprey, in view']);
    await page.getByRole('button', { name: 'Show less' }).click();
    await expect.poll(() => marked(page)).toEqual([]);
  }));

test('a hit in an answer that was tried again opens that answer', () =>
  visit(async (page) => {
    await goToHit(page, 'egret');
    await expect.poll(() => marked(page)).toEqual(['egret, in view']);
  }));
