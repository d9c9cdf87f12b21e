import type { Page } from 'playwright';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { needElectron } from '../../fixtures/electron-app.ts';
import { Gallery } from '../../fixtures/gallery/gallery.ts';
import type { Scene } from '../../fixtures/gallery/scene.ts';
import { providerScenes } from '../../fixtures/gallery/scenes/providers.ts';
import { labels } from '../../fixtures/window-labels.ts';

function sceneNamed(name: string): Scene {
  const scene = providerScenes.find((candidate) => candidate.name === `settings-providers-${name}`);
  if (scene === undefined) throw new Error(`There is no scene ${name}.`);
  return scene as Scene;
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

describe('the window at its smallest', { timeout: 60_000 }, () => {
  let gallery: Gallery;
  beforeEach(async (context) => {
    gallery ??= await Gallery.open(needElectron(context));
  }, 120_000);
  afterAll(() => gallery?.close());

  test('messages cover no control, at 100 % and at 200 %', async () => {
    await gallery.enter(sceneNamed('messages'), async (page) => {
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

  test('the list of models opens at its top when the model in use is the most recent one', async () => {
    await gallery.enter(sceneNamed('picker'), async (page) => {
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
