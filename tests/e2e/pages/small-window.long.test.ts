import type { Page } from 'playwright';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { needElectron } from '../../fixtures/electron-app.ts';
import { Gallery } from '../../fixtures/gallery/gallery.ts';
import type { Scene } from '../../fixtures/gallery/scene.ts';
import { scenes } from '../../fixtures/gallery/scenes/index.ts';
import { AT_REST } from '../../fixtures/page-at-rest.ts';
import { labels } from '../../fixtures/window-labels.ts';

function sceneNamed(name: string): Scene {
  const scene = scenes.find((candidate) => candidate.name === name);
  if (scene === undefined) throw new Error(`There is no scene ${name}.`);
  return scene;
}

/** Names of the visible controls that a message lies over. */
function covered(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const messages = document.querySelector('[aria-live="polite"]');
    const controls = [...document.querySelectorAll('main button, main input, main summary, main [role="tab"]')];
    return controls.flatMap((control) => {
      if (messages?.contains(control)) return [];
      const box = control.getBoundingClientRect();
      const clip = control.closest('.screen')?.getBoundingClientRect() ?? box;
      const top = Math.max(box.top, clip.top, 0);
      const bottom = Math.min(box.bottom, clip.bottom, innerHeight);
      if (bottom - top < 1) return [];
      const there = document.elementFromPoint((box.left + box.right) / 2, (top + bottom) / 2);
      return messages?.contains(there) ? [control.getAttribute('aria-label') ?? control.textContent] : [];
    });
  });
}

/**
 * Controls and headings that a user doesn't reach, scrolled to or not. Those in messages have a test of their own
 * scrolling.
 */
function unreachable(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const names: string[] = [];
    for (const control of document.querySelectorAll(
      'main :is(h1, h2, button, input, textarea, summary):not([hidden], [data-thread] *)',
    )) {
      control.scrollIntoView({ block: 'center' });
      // What depends on the place of the scroll is drawn anew.
      for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
      const { left, right, top, bottom } = control.getBoundingClientRect();
      const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      // The script scrolls it, a user does not.
      const isCut = (element: Element) => getComputedStyle(element).overflowY === 'hidden' && element.scrollTop > 0;
      if (!control.isConnected || (control.contains(there) && ![...document.querySelectorAll('div')].some(isCut)))
        continue;
      names.push(
        `${control.getAttribute('aria-label') ?? control.textContent.trim()} is under ${there?.outerHTML.slice(0, 80)}`,
      );
    }
    return names;
  });
}

const SMALLEST = [
  { width: 480, height: 420 },
  // This is 900 × 600 at 200 %.
  { width: 450, height: 300 },
];

describe('the window at its smallest', { timeout: 60_000 }, () => {
  let gallery: Gallery;
  beforeEach(async (context) => {
    gallery ??= await Gallery.open(needElectron(context));
  }, 120_000);
  afterAll(() => gallery?.close());

  test('messages cover no control, at 100 % and at 200 %', async () => {
    await gallery.enter(sceneNamed('settings-providers-messages'), async (page) => {
      for (const size of [
        { width: 900, height: 600 },
        { width: 450, height: 300 },
      ]) {
        await page.setViewportSize(size);
        const messages = page.getByRole('region', { name: labels.chat.messages });
        expect(await messages.getByRole('button', { name: 'Dismiss' }).count()).toBe(2);
        expect(await covered(page)).toEqual([]);
        await page.getByRole('button', { name: labels.settings.close }).click({ trial: true });
      }
    });
  });

  test.each([
    'chat-crowded',
    'chat-banners',
    'chat-model-question-choices',
    'chat-model-question-text',
    'chat-attaching',
    'chat-long',
    'chat-prompt-prepared',
    'update-notice-newer',
  ])('every control of %s can be reached', async (name) => {
    await gallery.enter(sceneNamed(name), async (page) => {
      for (const size of SMALLEST) {
        await page.setViewportSize(size);
        await page.evaluate(AT_REST);
        expect(await unreachable(page)).toEqual([]);
      }
    });
  });

  test('the notice of a newer version stands above what is only good to know', async () => {
    await gallery.enter(sceneNamed('chat-banners'), async (page) => {
      await page.setViewportSize({ width: 480, height: 420 });
      await page.getByRole('button', { name: labels.notices.fewer }).click();
      const more = page.getByRole('button', { name: labels.notices.more });
      await page.getByText('limits.rounds').waitFor();
      expect(await page.getByText('Steward 0.2.0').count()).toBe(0);
      await more.click();
      const texts = await page.getByRole('group', { name: 'Notices' }).innerText();
      const at = ['limits.rounds', 'mcpServers.files', 'notes', 'tracker', '0.2.0', 'evaluation', 'keychain'];
      const places = at.map((text) => texts.indexOf(text));
      expect(places).toEqual(places.toSorted((one, other) => one - other));
      expect(places).not.toContain(-1);
    });
  });

  test('the list of models opens at its top when the model in use is the most recent one', async () => {
    await gallery.enter(sceneNamed('settings-providers-picker'), async (page) => {
      const list = page.getByRole('listbox', { name: 'Models' });
      await expect.poll(() => list.evaluate(({ clientHeight }) => clientHeight)).toBeGreaterThan(0);
      expect(await list.evaluate(({ scrollTop }) => scrollTop)).toBe(0);
      await page.keyboard.press('End');
      await expect.poll(() => list.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0);
      await page.keyboard.press('Home');
      await expect.poll(() => list.evaluate(({ scrollTop }) => scrollTop)).toBe(0);
    });
  });
});
