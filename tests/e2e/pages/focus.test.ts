import type { Page } from 'playwright';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { needElectron } from '../../fixtures/electron-app.ts';
import { Gallery } from '../../fixtures/gallery/gallery.ts';
import { updatesOff } from '../../fixtures/gallery/scenes/app-answers.ts';
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
    ...{ id: `${index}${ID.slice(1)}`, conversationId: ID },
    ...question,
  }));
  return page.evaluate(`gallery.emit('modelQuestions', ${JSON.stringify({ open })})`);
};

describe('the focus, when what has it goes', () => {
  test('is in the message field after the last question of a model', async () => {
    await enter('chat-model-question-choices', async (page) => {
      await page.getByRole('button', { name: 'The one of March' }).focus();
      await ask(page);
      await expect.poll(() => focused(page)).toBe(labels.chat.message);
    });
  });

  test('is on the next question, and a held key answers nothing', async () => {
    await enter('chat-model-question-choices', async (page) => {
      const first = { question: 'Which one?', choices: ['This', 'That'] };
      const second = { id: ID.replace('0', '9'), question: 'Which month?', choices: ['March', 'April'] };
      await ask(page, first);
      await page.getByRole('button', { name: 'This', exact: true }).focus();
      await page.keyboard.down('Enter');
      await ask(page, second);
      await expect.poll(() => focused(page)).toBe('Which month?');
      await page.keyboard.down('Enter');
      await page.keyboard.up('Enter');
      const answers = `gallery.requests.filter(({ route }) => route === 'desktopTools.answer').length`;
      expect(await page.evaluate(answers)).toBe(1);
    });
  });

  test('is on the next notice, and in the message field after the last one', async () => {
    await enter('update-notice-newer', async (page) => {
      for (const message of ['First', 'Second'])
        await page.evaluate(`gallery.emit('notice', ${JSON.stringify({ code: message, message })})`);
      await page.getByText('Second').waitFor();
      const dismiss = page.getByRole('button', { name: 'Dismiss' });
      await dismiss.first().focus();
      await page.keyboard.press('Enter');
      await page.getByText('First').waitFor({ state: 'detached' });
      await expect.poll(() => focused(page)).not.toBe('nobody');
      expect(await focused(page)).not.toBe(labels.chat.message);
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

  test('comes back below when a dialog closes whose button is gone', async () => {
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

  test('stays nowhere when the person took it away', async () => {
    await enter('update-notice-newer', async (page) => {
      await page.getByText('Steward 0.2.0').click();
      await page.evaluate(`gallery.emit('notice', { code: 'one', message: 'Something new' })`);
      await page.getByText('Something new').waitFor();
      expect(await focused(page)).toBe('nobody');
    });
  });
});
