import type { Page } from 'playwright';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { needElectron } from '../../fixtures/electron-app.ts';
import { Gallery } from '../../fixtures/gallery/gallery.ts';
import { updatesOff } from '../../fixtures/gallery/scenes/app-answers.ts';
import { emit } from '../../fixtures/gallery/scenes/chat.ts';
import { ID } from '../../fixtures/gallery/scenes/chat-events.ts';
import { scenes } from '../../fixtures/gallery/scenes/index.ts';
import { labels } from '../../fixtures/window-labels.ts';

let gallery: Gallery;
beforeEach(async (context) => {
  gallery ??= await Gallery.open(needElectron(context));
}, 120_000);
afterAll(() => gallery?.close());

function enter(name: string, look: (page: Page) => Promise<void>): Promise<void> {
  const scene = scenes.find((candidate) => candidate.name === name);
  if (scene === undefined) throw new Error(`There is no scene ${name}.`);
  return gallery.enter(scene, look);
}

/** The name or the text of what has the focus. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: element, body } = document;
    if (element === null || element === body) return 'nobody';
    return element.getAttribute('aria-label') ?? element.textContent.trim();
  });

const ask = (page: Page, ...questions: readonly object[]) => {
  const open = questions.map((question, index) => ({
    id: `${index}${ID.slice(1)}`,
    conversationId: ID,
    ...question,
  }));
  return page.evaluate(`gallery.emit('modelQuestions', ${JSON.stringify({ open })})`);
};

const message = (page: Page) => page.getByRole('textbox', { name: labels.chat.message });
const endAnswer = (page: Page) =>
  emit(page, { seq: 900, turnId: 'turn-1', at: '2031-03-04T09:01:00Z', type: 'turn_end', stopReason: 'end_turn' });
const sent = (page: Page) =>
  page.evaluate(`gallery.requests.filter(({ route }) => route === 'conversations.send').length`);
const stopClock = (page: Page) =>
  page.evaluate(() => {
    const now = performance.now();
    performance.now = () => now;
  });
/** Waits until everything that was to happen at once has happened. */
const settled = (page: Page) => page.evaluate(() => new Promise((done) => setTimeout(done)));

describe('the focus, when what has it goes', () => {
  test('is in the message field after the last question of a model', async () => {
    await enter('chat-model-question-choices', async (page) => {
      await page.getByRole('button', { name: 'The one of March' }).focus();
      await stopClock(page);
      await ask(page);
      await expect.poll(() => focused(page)).toBe(labels.chat.message);
      // What is written at once is written whole.
      await page.keyboard.type(' and then');
      expect(await message(page).inputValue()).toBe(' and then');
    });
  });

  test('is in the message field, which answers the next question, and a held key answers nothing', async () => {
    await enter('chat-model-question-choices', async (page) => {
      const first = { question: 'Which one?', choices: ['This', 'That'] };
      const second = { id: ID.replace('0', '9'), question: 'Which month?', choices: ['March', 'April'] };
      await ask(page, first);
      await message(page).fill('Half a mess');
      await page.getByRole('button', { name: 'This', exact: true }).focus();
      await page.keyboard.down('Enter');
      await ask(page, second);
      await expect.poll(() => focused(page)).toBe(labels.chat.message);
      await page.keyboard.down('Enter');
      await page.keyboard.down('Enter');
      await page.keyboard.up('Enter');
      const answers = `gallery.requests.filter(({ route }) => route === 'desktopTools.answer').length`;
      expect(await page.evaluate(answers)).toBe(1);
    });
  });

  test('moves to the button that took the place of the old one, which ignores the key meant for that', async () => {
    await enter('chat-model-question-choices', async (page) => {
      await ask(page);
      await message(page).fill('Half a mess');
      await page.getByRole('button', { name: labels.chat.stop }).focus();
      // The user presses “Stop” just when the answer ends by itself.
      await stopClock(page);
      await endAnswer(page);
      await expect.poll(() => focused(page)).toBe('Send');
      for (const key of ['Enter', 'Space']) await page.keyboard.press(key);
      await settled(page);
      expect(await sent(page)).toBe(0);

      await page.evaluate(() => {
        const later = performance.now() + 1_000;
        performance.now = () => later;
      });
      await page.keyboard.press('Enter');
      await expect.poll(() => sent(page)).toBe(1);
    });
  });

  test('stays in the message field when the question goes, and the half answer is no message yet', async () => {
    await enter('chat-model-question-text', async (page) => {
      await message(page).focus();
      await page.keyboard.type('My ans');
      await ask(page);
      await endAnswer(page);
      await page.keyboard.type('wer');
      await page.keyboard.press('Enter');
      await page.getByText('The question is gone.').waitFor();
      expect(await message(page).inputValue()).toBe('My answer');
      expect(await sent(page)).toBe(0);
      await page.keyboard.press('Enter');
      await expect.poll(() => sent(page)).toBe(1);
    });
  });

  test('stays in a menu whose entry goes', async () => {
    await enter('chat-long', async (page) => {
      await page
        .getByRole('button', { name: /^More about/ })
        .first()
        .click();
      const menu = page.getByRole('menu');
      await menu.waitFor();
      await page.keyboard.press('ArrowDown');
      await expect.poll(() => page.evaluate(() => document.activeElement?.role)).toBe('menuitem');
      await page.evaluate(() => document.activeElement?.remove());
      await settled(page);
      expect(await page.evaluate(() => document.activeElement?.closest('[role="menu"]') !== null)).toBe(true);
    });
  });

  test('is on the next notice, and in the message field after the last one', async () => {
    await enter('update-notice-newer', async (page) => {
      for (const code of ['First', 'Second'])
        await page.evaluate(`gallery.emit('notice', ${JSON.stringify({ code, message: code })})`);
      const dismiss = page.getByRole('button', { name: 'Dismiss' });
      const place = () => page.evaluate(() => document.activeElement?.closest('[role="status"]')?.textContent);
      for (const [code, next] of [
        ['First', 'Second'],
        ['Second', 'Steward 0.2.0'],
      ] as const) {
        await page.getByText(code).waitFor();
        await message(page).focus();
        await dismiss.first().focus();
        await page.keyboard.press('Enter');
        await page.getByText(code).waitFor({ state: 'detached' });
        await expect.poll(place).toContain(next);
      }
      await page.evaluate(`gallery.emit('updates', ${JSON.stringify(updatesOff)})`);
      await expect.poll(() => focused(page)).toBe(labels.chat.message);
    });
  });

  test('is on the heading of the list when the page of a provider is left', async () => {
    await enter('settings-models', async (page) => {
      await page.getByRole('button', { name: labels.providers.edit('groq'), exact: true }).click();
      const back = page.getByRole('button', { name: 'Back to the list' });
      await back.focus();
      await page.keyboard.press('Enter');
      await back.waitFor({ state: 'detached' });
      await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H2');
    });
  });

  test('moves to the control below when a dialog closes whose button is gone', async () => {
    await enter('update-notice-newer', async (page) => {
      await page.getByRole('button', { name: 'Dismiss' }).focus();
      const preview = { conversationId: ID, path: 'notes.md', text: '# Notes', isCut: false };
      await page.evaluate(`gallery.emit('filePreview', ${JSON.stringify(preview)})`);
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      await page.evaluate(`gallery.emit('updates', ${JSON.stringify(updatesOff)})`);
      await page.getByText('Steward 0.2.0').waitFor({ state: 'detached' });
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await expect.poll(() => focused(page)).toBe(labels.chat.message);
    });
  });

  test('is not brought back after the user clicked beside all controls', async () => {
    await enter('update-notice-newer', async (page) => {
      await page.getByText('Steward 0.2.0').click();
      await page.evaluate(`gallery.emit('notice', { code: 'one', message: 'Something new' })`);
      await page.getByText('Something new').waitFor();
      expect(await focused(page)).toBe('nobody');
    });
  });
});

describe('by keyboard alone', () => {
  const requests = (page: Page, route: string): Promise<number> =>
    page.evaluate(`gallery.requests.filter((request) => request.route === ${JSON.stringify(route)}).length`);

  test('what is written after a model was chosen is in the message field', async () => {
    await enter('chat-long', async (page) => {
      await page.getByRole('button', { name: labels.chat.model }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('combobox', { name: labels.chat.searchModels }).and(page.locator(':focus')).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await expect.poll(() => focused(page)).toBe(labels.chat.message);
      await page.keyboard.type('and then');
      expect(await message(page).inputValue()).toBe('and then');
    });
  });

  test('Enter after a new title only renames the conversation', async () => {
    await enter('chat-long', async (page) => {
      const row = page.locator('[data-row]').nth(2);
      const before = await requests(page, 'conversations.open');
      await row.focus();
      await page.keyboard.press('F2');
      await page.getByRole('textbox', { name: 'New title' }).waitFor();
      await page.keyboard.type('Another title');
      await page.keyboard.press('Enter');
      await expect.poll(() => row.evaluate((each) => each === document.activeElement)).toBe(true);
      await settled(page);
      expect(await requests(page, 'conversations.open')).toBe(before);
    });
  });

  test('a pasted server goes into the field at once', async () => {
    await enter('servers-list', async (page) => {
      await page.getByRole('button', { name: labels.servers.add }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem').first().waitFor();
      await page.keyboard.press('Enter');
      await page
        .getByRole('textbox', { name: /^JSON, an install link/ })
        .and(page.locator(':focus'))
        .waitFor();
    });
  });

  test('the first run needs Enter and a key', async () => {
    await enter('first-run-welcome', async (page) => {
      await page.keyboard.press('Enter');
      await page.getByLabel(labels.firstRun.anthropicKey).and(page.locator(':focus')).waitFor();
      await page.keyboard.type('sk-ant-something');
      await page.keyboard.press('Enter');
      await expect.poll(() => requests(page, 'settings.testKey')).toBe(1);
    });
  });
});
