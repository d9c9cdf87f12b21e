import type { Locator, Page } from 'playwright';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { GUARD_MS } from '../../../src-renderer/consent/answer-guard.svelte.ts';
import { needElectron } from '../../fixtures/electron-app.ts';
import { Gallery } from '../../fixtures/gallery/gallery.ts';
import type { Scene } from '../../fixtures/gallery/scene.ts';
import { toolReviewScenes } from '../../fixtures/gallery/scenes/tool-review.ts';
import { labels } from '../../fixtures/window-labels.ts';

/** What a user meets when a server's tools are reviewed, with real pointer and keys. */

const AT_REST = 'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))';

const confirm = (page: Page) => page.getByRole('button', { name: /^Confirm/ });
const strip = (page: Page) => page.getByRole('button', { name: labels.consent.readOn });
const row = (page: Page, tool: string) => page.getByRole('listitem').filter({ has: opener(page, tool) });
const opener = (page: Page, tool: string) => page.getByRole('button', { name: tool, exact: true });
const option = (of: Locator, name: string) => of.getByRole('button', { name, exact: true });
const answers = (page: Page) =>
  page.evaluate(`gallery.requests.filter(({ route }) => route === 'consent.answer').map(({ input }) => input)`);
const scrolled = (page: Page) =>
  page.evaluate(() => {
    const scrollers = [...document.querySelectorAll('*')].filter(
      (each) => each.scrollHeight > each.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(each).overflowY),
    );
    return scrollers.map(({ scrollTop, clientHeight, scrollHeight }) => ({ scrollTop, clientHeight, scrollHeight }));
  });

async function presses(page: Page, key: string): Promise<void> {
  await page.keyboard.press(key);
  await page.evaluate(AT_REST);
}

async function accepted(page: Page): Promise<unknown> {
  await confirm(page).click();
  await expect.poll(async () => ((await answers(page)) as unknown[]).length).toBe(1);
  return answers(page);
}

describe('the review of a server’s tools', () => {
  let gallery: Gallery;
  beforeEach(async (context) => {
    gallery ??= await Gallery.open(needElectron(context));
  }, 120_000);
  afterAll(() => gallery?.close());

  async function visit(name: string, look: (page: Page) => Promise<void>, size = { width: 1160, height: 800 }) {
    const scene = toolReviewScenes.find((each) => each.name === name);
    if (scene === undefined) throw new Error(`There is no scene ${name}.`);
    await gallery.visit(scene as Scene, async (page) => {
      await page.setViewportSize(size);
      await page
        .getByRole('button', { name: 'Deny' })
        .and(page.locator(':enabled'))
        .waitFor({ timeout: GUARD_MS * 20 });
      await look(page);
    });
  }

  test('seventeen tools fit on two screens, and after scrolling through them they can be accepted without classes', async () => {
    await visit('consent-tools-calm', async (page) => {
      const [scroller] = await scrolled(page);
      expect((await scrolled(page)).length).toBe(1);
      expect((scroller?.scrollHeight ?? 0) / (scroller?.clientHeight ?? 1)).toBeLessThanOrEqual(2);
      expect(await confirm(page).isDisabled()).toBe(true);
      await presses(page, 'PageDown');
      await presses(page, 'PageDown');
      await expect.poll(() => confirm(page).isEnabled()).toBe(true);
      expect(await accepted(page)).toEqual([{ id: 'card-review-calm', answer: 'once' }]);
    });
  });

  test.each(['End', 'ArrowDown'])('%s also scrolls to the end, after which the review can be accepted', async (key) => {
    await visit('consent-tools-calm', async (page) => {
      for (let press = 0; press < 60 && !(await confirm(page).isEnabled()); press += 1) await presses(page, key);
      expect(await confirm(page).isEnabled()).toBe(true);
    });
  });

  test('the keys still scroll after a press on the button that is disabled, and with the focus on another', async () => {
    await visit('consent-tools-calm', async (page) => {
      const box = await confirm(page).boundingBox();
      if (box === null) throw new Error('There is no Confirm.');
      const top = async () => (await scrolled(page))[0]?.scrollTop;
      await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
      await presses(page, 'ArrowDown');
      await expect.poll(top).toBeGreaterThan(0);
      await page.getByRole('button', { name: 'Deny' }).focus();
      // Pressed again, because the scrolling that the arrow began may still be on its way.
      const atTop = async () => {
        await presses(page, 'Home');
        return top();
      };
      await expect.poll(atTop).toBe(0);
      expect(await answers(page)).toEqual([]);
    });
  });

  test('a class counts as given where the tool was opened or the class was pressed', async () => {
    await visit('consent-tools-calm', async (page) => {
      const read = option(row(page, 'read_file'), 'Read');
      expect(await read.getAttribute('aria-pressed')).toBe('mixed');
      await opener(page, 'read_file').click();
      expect(await read.getAttribute('aria-pressed')).toBe('true');
      await option(row(page, 'read_text_file'), 'Read').click();
      await option(row(page, 'read_media_file'), 'Send').click();
      // The choice is taken back.
      await option(row(page, 'read_multiple_files'), 'Read').click();
      await option(row(page, 'read_multiple_files'), 'Read').click();
      for (let press = 0; press < 20 && !(await confirm(page).isEnabled()); press += 1) await presses(page, 'PageDown');
      const classes = [
        { part: 0, class: 'read' },
        { part: 1, class: 'read' },
        { part: 2, class: 'send' },
      ];
      expect(await accepted(page)).toEqual([{ id: 'card-review-calm', answer: 'once', classes }]);
    });
  });

  test('what could mislead has to be opened; pressing the keys for yes only leads there, and opening gives no class', async () => {
    await visit('consent-tools', async (page) => {
      for (let press = 0; press < 5; press += 1) await presses(page, 'PageDown');
      expect(await confirm(page).isDisabled()).toBe(true);
      for (let press = 0; press < 5; press += 1) await presses(page, 'Control+Enter');
      expect(await answers(page)).toEqual([]);
      expect(await opener(page, 'add').evaluate((button) => button === document.activeElement)).toBe(true);
      await presses(page, 'Enter');
      await page.getByText('As the server sent it').waitFor();
      for (let press = 0; press < 5 && !(await confirm(page).isEnabled()); press += 1) await presses(page, 'PageDown');
      expect(await accepted(page)).toEqual([{ id: 'card-review', answer: 'once' }]);
    });
  });

  test('a hundred tools are accepted by class; only what could mislead is looked at', async () => {
    await visit('consent-tools-many', async (page) => {
      await strip(page).click();
      await page.getByText('As the server sent it').waitFor();
      await expect.poll(() => strip(page).count()).toBe(0);
      expect(await accepted(page)).toEqual([{ id: 'card-review-many', answer: 'once' }]);
    });
  });

  test('all of a class can be made to ask every time', async () => {
    await visit('consent-tools-many', async (page) => {
      await page.getByRole('button', { name: 'Ask every time' }).click();
      await strip(page).click();
      const [answer] = (await accepted(page)) as { readonly classes: readonly { readonly class: string }[] }[];
      expect(new Set(answer?.classes.map((each) => each.class))).toEqual(new Set(['write']));
      expect(answer?.classes).toHaveLength(60);
    });
  });

  test.each([
    { width: 450, height: 300 },
    { width: 580, height: 400 },
    { width: 1600, height: 1000 },
  ])('at $width × $height everything is in reach', async (size) => {
    await visit(
      'consent-tools',
      async (page) => {
        for (let press = 0; press < 80 && !(await confirm(page).isEnabled()); press += 1) {
          await strip(page).click();
          await page.evaluate(AT_REST);
        }
        expect(await confirm(page).isEnabled()).toBe(true);
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      },
      size,
    );
  });
});
