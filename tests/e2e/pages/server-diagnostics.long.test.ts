import type { Page } from 'playwright';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { needElectron } from '../../fixtures/electron-app.ts';
import { Gallery } from '../../fixtures/gallery/gallery.ts';
import type { Scene } from '../../fixtures/gallery/scene.ts';
import { serverDiagnosticsScenes } from '../../fixtures/gallery/scenes/server-diagnostics.ts';
import { AT_REST } from '../../fixtures/page-at-rest.ts';

function sceneNamed(name: string): Scene {
  const scene = serverDiagnosticsScenes.find((candidate) => candidate.name === `settings-server-${name}`);
  if (scene === undefined) throw new Error(`There is no scene ${name}.`);
  return scene as Scene;
}

/** 50 batches of 40 lines, one a frame. */
const MORE_LINES = `(async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  for (let batch = 0; batch < 50; batch++) {
    const entries = Array.from({ length: 40 }, (_, index) => ({
      number: 10_001 + batch * 40 + index, at: Date.now(), kind: 'stderr', text: 'more ' + batch + ' ' + index,
    }));
    gallery.emit('serverLog', { server: 'tracker', entries, isNew: false });
    await frame();
  }
})()`;

describe('the log and the doctor of an MCP server in a browser', () => {
  let gallery: Gallery;
  beforeEach(async (context) => {
    gallery ??= await Gallery.open(needElectron(context));
  }, 120_000);
  afterAll(() => gallery?.close());

  const log = (page: Page) => page.getByRole('listbox');
  const lines = (page: Page) => page.getByRole('option');
  const lastLine = (page: Page) => lines(page).last().getAttribute('aria-posinset');

  test('of ten thousand lines few are drawn, and the newest is in view, also while more arrive', async () => {
    await gallery.enter(sceneNamed('log'), async (page) => {
      await expect.poll(() => lastLine(page)).toBe('10000');
      expect(await lines(page).count()).toBeLessThan(60);
      await page.evaluate(MORE_LINES);
      await expect.poll(() => lastLine(page)).toBe('12000');
      expect(await lines(page).count()).toBeLessThan(60);
    });
  });

  test('new lines do not move a reader who scrolled up, and a button leads back to the newest', async () => {
    await gallery.enter(sceneNamed('log'), async (page) => {
      await log(page).hover();
      await page.mouse.wheel(0, -5_000);
      const first = () => lines(page).first().getAttribute('aria-posinset');
      await expect.poll(async () => Number(await first())).toBeLessThan(9_900);
      await page.evaluate(AT_REST);
      const before = await first();
      await page.evaluate(MORE_LINES);
      expect(await first()).toBe(before);
      await page.getByRole('button', { name: 'Jump to newest' }).click();
      await expect.poll(() => lastLine(page)).toBe('12000');
    });
  });

  test('lines are found, narrowed, chosen by keys, and shown as a whole', async () => {
    await gallery.enter(sceneNamed('log'), async (page) => {
      await page.getByRole('radio', { name: 'Messages' }).click();
      await page.getByRole('searchbox', { name: 'Search the log' }).fill('#1999');
      await expect.poll(() => lines(page).count()).toBe(2);
      await log(page).focus();
      await page.keyboard.press('Home');
      await expect.poll(() => lines(page).first().getAttribute('aria-selected')).toBe('true');
      await page.keyboard.press('ArrowDown');
      await expect.poll(() => lines(page).nth(1).getAttribute('aria-selected')).toBe('true');
      const active = await log(page).getAttribute('aria-activedescendant');
      expect(await lines(page).nth(1).getAttribute('id')).toBe(active);
      await page.getByRole('region', { name: 'The chosen line' }).waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => page.getByRole('region', { name: 'The chosen line' }).count()).toBe(0);
      expect(await log(page).isVisible()).toBe(true);
    });
  });

  test('main stops sending lines when the log is closed', async () => {
    await gallery.enter(sceneNamed('log'), async (page) => {
      const asked = () =>
        page.evaluate('gallery.requests.map(({ route }) => route).filter((route) => route.endsWith("followLog"))');
      await expect.poll(asked).toEqual(['serverDiagnostics.followLog']);
      await page.getByRole('tab', { name: 'Doctor' }).click();
      await expect.poll(asked).toEqual(['serverDiagnostics.followLog', 'serverDiagnostics.unfollowLog']);
    });
  });

  test('the doctor examines once when it is opened, and again when it is told to', async () => {
    await gallery.enter(sceneNamed('doctor'), async (page) => {
      const examined = () =>
        page.evaluate('gallery.requests.filter(({ route }) => route === "serverDiagnostics.examine").length');
      await expect.poll(examined).toBe(1);
      await page.getByRole('button', { name: 'Check again' }).click();
      await expect.poll(examined).toBe(2);
      await expect.poll(() => page.locator('li[data-code]').count()).toBe(8);
    });
  });
});
