import type { Page } from 'playwright';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { needElectron } from '../../fixtures/electron-app.ts';
import { Gallery } from '../../fixtures/gallery/gallery.ts';
import { scenes } from '../../fixtures/gallery/scenes/index.ts';
import { labels } from '../../fixtures/window-labels.ts';

let gallery: Gallery;
beforeEach(async (context) => {
  gallery ??= await Gallery.open(needElectron(context));
}, 120_000);
afterAll(() => gallery?.close());

function visit(name: string, look: (page: Page) => Promise<void>): Promise<void> {
  const scene = scenes.find((candidate) => candidate.name === `update-notice-${name}`);
  if (scene === undefined) throw new Error(`There is no scene ${name}.`);
  return gallery.enter(scene, look);
}

test('a download that is not the announced file is shown as an error, a new version is not', async () => {
  await visit('failed', async (page) => {
    await page.getByRole('alert').filter({ hasText: 'SHA-512' }).waitFor();
  });
  await visit('newer', async (page) => {
    await page.getByRole('status').filter({ hasText: '0.2.0' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});

test('a copy that can’t update itself says why, and leads to the download page', async () => {
  for (const scene of ['by-hand', 'not-writable', 'evaluation'])
    await visit(scene, async (page) => {
      const notice = page.getByRole('status').filter({ hasText: 'can’t update itself' });
      await notice.getByRole('button', { name: labels.updates.downloadPage }).click();
      expect(await page.evaluate(`gallery.requests.filter(({ route }) => route === 'updates.openPage').length`)).toBe(
        1,
      );
      expect(await notice.getByRole('button', { name: labels.updates.download }).count()).toBe(0);
    });
});
