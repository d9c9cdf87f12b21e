import type { Page } from 'playwright';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { needElectron } from '../../fixtures/electron-app.ts';
import { Gallery } from '../../fixtures/gallery/gallery.ts';
import type { Scene } from '../../fixtures/gallery/scene.ts';
import { accountsScenes } from '../../fixtures/gallery/scenes/accounts.ts';
import { googleCardScenes } from '../../fixtures/gallery/scenes/google-cards.ts';
import { labels } from '../../fixtures/window-labels.ts';

const { accounts: words } = labels;
const requests = (page: Page, route: string) =>
  page.evaluate(`gallery.requests.filter((one) => one.route === '${route}').map(({ input }) => input)`);
const focused = (page: Page) =>
  page.evaluate('document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent');

describe('accounts in a browser', () => {
  let gallery: Gallery;
  beforeEach(async (context) => {
    gallery ??= await Gallery.open(needElectron(context));
  }, 120_000);
  afterAll(() => gallery?.close());

  function visit(name: string, look: (page: Page) => Promise<void>): Promise<void> {
    const scene = [...accountsScenes, ...googleCardScenes].find((each) => each.name === name);
    if (scene === undefined) throw new Error(`There is no scene ${name}.`);
    return gallery.enter(scene as Scene, look);
  }

  test('without a client, the button leads to the steps, by key too', async () => {
    await visit('accounts-not-connected', async (page) => {
      // They are closed while there is a client.
      expect(await page.locator('details[open]').count()).toBe(0);
    });
    await visit('accounts-no-client', async (page) => {
      await page.getByRole('button', { name: words.setUp('Gmail') }).focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => focused(page)).toBe(words.steps);
      await page.getByText('console.cloud.google.com').first().waitFor();
    });
  });

  test('everything is disconnected only after a second yes, and Escape means no', async () => {
    await visit('accounts-disconnect-all', async (page) => {
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await requests(page, 'accounts.disconnectAll')).toEqual([]);
      // Escape closed the dialog, not Settings.
      await page.getByRole('button', { name: words.disconnectAll }).click();
      await page.getByRole('dialog').getByRole('button', { name: words.confirmAll }).click();
      await expect.poll(() => requests(page, 'accounts.disconnectAll')).toEqual([{}]);
    });
  });

  test('a sign-in in progress is cancelled with the one button that it has', async () => {
    await visit('accounts-steps', async (page) => {
      await page.getByRole('button', { name: words.cancel('Gmail') }).click();
      await expect.poll(() => requests(page, 'accounts.cancelConnect')).toEqual([{ name: 'gmail' }]);
    });
    await visit('accounts-finishing', async (page) => {
      // It keeps its place, and can't be pressed.
      expect(await page.getByRole('button', { name: words.cancel('Gmail') }).isDisabled()).toBe(true);
    });
  });

  test('the list of keys and sign-ins tests and removes what it names', async () => {
    await visit('accounts-connected', async (page) => {
      await page.getByRole('button', { name: words.testKey('Anthropic key') }).click();
      await expect.poll(() => requests(page, 'credentials.testKey')).toEqual([{ name: 'anthropic-api-key' }]);
      await page.getByRole('button', { name: words.removeSecret('TRACKER_TOKEN', 'tracker') }).click();
      await expect
        .poll(() => requests(page, 'credentials.removeServerSecret'))
        .toEqual([{ server: 'tracker', name: 'TRACKER_TOKEN' }]);
    });
  });

  test('a mail is text: nothing in it is loaded, its links go through Steward, and the user can open it in Gmail', async () => {
    await visit('chat-card-mail', async (page) => {
      const mail = page.getByRole('article', { name: 'Mail' });
      expect(await mail.locator('img, iframe, video, audio, object').count()).toBe(0);
      await mail.getByRole('link', { name: 'https://example.org/reports/2031/q1?from=mail' }).click();
      await mail.getByRole('link', { name: 'Open in Gmail' }).click();
      await expect
        .poll(() => requests(page, 'conversations.openLink'))
        .toMatchObject([
          { url: 'https://example.org/reports/2031/q1?from=mail' },
          { url: 'https://mail.google.com/mail/#all/18c2f0a1b2c3d4e0' },
        ]);
    });
  });

  test('a call that failed without an account leads to the accounts', async () => {
    await visit('chat-card-not-connected', async (page) => {
      await page.getByRole('button', { name: labels.chat.openAccounts }).click();
      await page.getByRole('tab', { name: labels.settings.accounts, selected: true }).waitFor();
    });
  });
});
