import type { Page } from 'playwright';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { needElectron } from '../../fixtures/electron-app.ts';
import { Gallery } from '../../fixtures/gallery/gallery.ts';
import type { Scene } from '../../fixtures/gallery/scene.ts';
import { changesScenes } from '../../fixtures/gallery/scenes/changes.ts';
import { emit } from '../../fixtures/gallery/scenes/chat.ts';
import { labels } from '../../fixtures/window-labels.ts';

const requests = (page: Page, route: string) =>
  page.evaluate(`gallery.requests.filter((one) => one.route === '${route}').map(({ input }) => input)`);
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('log').getByRole('button', { name, exact: typeof name === 'string' });
const tick = (page: Page, name: string) => page.getByRole('checkbox', { name: `Undo ${name}`, exact: true });

describe('what a command changed', () => {
  let gallery: Gallery;
  beforeEach(async (context) => {
    gallery ??= await Gallery.open(needElectron(context));
  }, 120_000);
  afterAll(() => gallery?.close());

  const visit = (name: string, look: (page: Page) => Promise<void>) => {
    const scene = changesScenes.find((candidate) => candidate.name === name);
    if (scene === undefined) throw new Error(`There is no scene ${name}.`);
    return gallery.enter(scene as Scene, look);
  };

  test('is undone in part, without what can’t be undone, and the choice ends with that', async () => {
    await visit('chat-changes-choose', async (page) => {
      await tick(page, 'src/main').click();
      expect(await tick(page, 'open.ts').isChecked()).toBe(true);
      await tick(page, 'src/main').click();
      await tick(page, 'README.md').uncheck();
      expect(await button(page, labels.chat.undoChosen(0)).isDisabled()).toBe(true);
      expect(await tick(page, 'big.iso').count()).toBe(0);
      await tick(page, 'tools').focus();
      await page.keyboard.press('Space');
      expect(await tick(page, 'old.sh').isChecked()).toBe(true);
      await button(page, labels.chat.undoChosen(2)).click();
      const paths = ['/home/ada/project/tools/release.sh', '/home/ada/project/tools/old.sh'];
      await expect
        .poll(() => requests(page, 'conversations.undo'))
        .toEqual([expect.objectContaining({ callId: 'x1', paths })]);
      const undo = { seq: 90, turnId: 'an undo', at: '2031-03-04T09:02:00Z', type: 'undo', calls: ['x1'], paths };
      await emit(page, { ...undo, partly: ['x1'] });
      await button(page, /· 2 undone$/).waitFor();
      await button(page, labels.chat.chooseChanges).click();
      expect([await tick(page, 'tools').count(), await tick(page, 'README.md').isChecked()]).toEqual([0, false]);
    });
  });

  test('is loaded file by file, when it is wanted', async () => {
    await visit('chat-changes-open', async (page) => {
      const path = '/home/ada/project/src/main/start.ts';
      await button(page, /^start\.ts/).click();
      await button(page, /^start\.ts/).click();
      await page.getByText('await app.whenReady').waitFor();
      const inputs = (await requests(page, 'conversations.changeOf')) as { readonly path: string }[];
      expect(inputs.filter((input) => input.path === path)).toHaveLength(1);
      expect(await button(page, /^(?:big\.iso|release\.sh)/).count()).toBe(0);
    });
  });

  test('can be made again after an undo', async () => {
    await visit('chat-changes-undone', async (page) => {
      expect(await button(page, labels.chat.undo).count()).toBe(0);
      await button(page, labels.chat.redo).click();
      await expect
        .poll(() => requests(page, 'conversations.redo'))
        .toEqual([expect.objectContaining({ callId: 'x1' })]);
      const redo = { seq: 90, turnId: 'a redo', at: '2031-03-04T09:02:00Z', type: 'redo', calls: ['x1'], paths: [] };
      await emit(page, redo);
      await button(page, labels.chat.undo).waitFor();
      expect(await button(page, labels.chat.redo).count()).toBe(0);
    });
  });
});
