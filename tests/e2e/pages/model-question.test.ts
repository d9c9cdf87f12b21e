import type { Locator, Page } from 'playwright';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { needElectron } from '../../fixtures/electron-app.ts';
import { Gallery } from '../../fixtures/gallery/gallery.ts';
import { ID } from '../../fixtures/gallery/scenes/chat-events.ts';
import { scenes } from '../../fixtures/gallery/scenes/index.ts';
import { AT_REST } from '../../fixtures/page-at-rest.ts';
import { labels } from '../../fixtures/window-labels.ts';

const SIZE = { width: 900, height: 600 };

let gallery: Gallery;
beforeEach(async (context) => {
  gallery ??= await Gallery.open(needElectron(context));
}, 120_000);
afterAll(() => gallery?.close());

function visit(name: string, look: (page: Page) => Promise<void>): Promise<void> {
  const scene = scenes.find((candidate) => candidate.name === `chat-${name}`);
  if (scene === undefined) throw new Error(`There is no scene ${name}.`);
  return gallery.enter(scene, async (page) => {
    await page.setViewportSize(SIZE);
    await page.evaluate(AT_REST);
    await look(page);
  });
}

const log = (page: Page) => page.getByRole('log', { name: labels.chat.messages });
const card = (page: Page) => page.getByRole('region', { name: 'The model asks you' });
const message = (page: Page) => page.getByRole('textbox', { name: labels.chat.message });
const hasFocus = (element: Locator) => element.evaluate((each) => each === document.activeElement);
const stops = (page: Page) =>
  page.evaluate(`gallery.requests.filter(({ route }) => route === 'conversations.stop').length`);

describe('a typed answer', () => {
  test('stays, and so does the question, when Escape leaves the field', async () => {
    await visit('model-question-text', async (page) => {
      const field = card(page).getByRole('textbox');
      await field.fill('Half an answer');
      await page.keyboard.press('Escape');
      await expect.poll(() => hasFocus(message(page))).toBe(true);
      expect(await field.inputValue()).toBe('Half an answer');
      expect(await stops(page)).toBe(0);
    });
  });

  test('is there again after Settings were open', async () => {
    await visit('model-question-text', async (page) => {
      await card(page).getByRole('textbox').fill('Half an answer');
      await page.getByRole('button', { name: labels.settings.open }).click();
      await page.getByRole('button', { name: labels.settings.close }).click();
      expect(await card(page).getByRole('textbox').inputValue()).toBe('Half an answer');
    });
  });
});

describe('the messages beside a question', () => {
  const distance = (page: Page) =>
    log(page).evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);
  const ask = (page: Page, open: readonly object[]) =>
    page.evaluate(`gallery.emit('modelQuestions', ${JSON.stringify({ open })})`);
  const question = { id: ID, conversationId: ID, question: 'Which report do you mean?', choices: ['March', 'April'] };

  test('are followed on when it goes and text comes at once', async () => {
    await visit('model-question-choices', async (page) => {
      await expect.poll(() => distance(page)).toBeLessThan(2);
      for (let seq = 900; seq < 905; seq += 1) {
        await ask(page, [question]);
        await card(page).waitFor();
        await page.evaluate(AT_REST);
        await expect.poll(() => distance(page)).toBeLessThan(2);
        const text = 'More text that comes while the card goes.\n\n'.repeat(6);
        const event = { seq, turnId: 'turn-1', at: '2031-03-04T09:01:00Z', type: 'text_delta', text };
        await page.evaluate(`(async () => {
          gallery.emit('modelQuestions', { open: [] });
          await new Promise((done) => setTimeout(done));
          document.body.offsetHeight;
          gallery.emit('turn', ${JSON.stringify({ conversationId: ID, events: [event] })});
        })()`);
        await page.evaluate(AT_REST);
        await expect.poll(() => distance(page)).toBeLessThan(2);
      }
    });
  });

  test('stay where they are when a message is shown above them, and when it goes', async () => {
    await visit('long', async (page) => {
      const top = () =>
        log(page)
          .getByText('Question 290')
          .evaluate((each) => each.getBoundingClientRect().top);
      await log(page)
        .getByText('Question 290')
        .evaluate((each) => each.scrollIntoView({ block: 'center' }));
      await page.evaluate(AT_REST);
      const before = await top();
      await page.evaluate(`gallery.emit('modelMessage', ${JSON.stringify({ conversationId: ID, text: 'Half done' })})`);
      const close = page.getByRole('region', { name: 'Messages' }).getByRole('button');
      await close.waitFor();
      await page.evaluate(AT_REST);
      expect(Math.abs((await top()) - before)).toBeLessThan(2);
      await close.click();
      await close.waitFor({ state: 'detached' });
      await page.evaluate(AT_REST);
      expect(Math.abs((await top()) - before)).toBeLessThan(2);
    });
  });
});
