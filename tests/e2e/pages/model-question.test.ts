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

const requests = (page: Page, route: string): Promise<readonly Record<string, unknown>[]> =>
  page.evaluate(
    `gallery.requests.filter((request) => request.route === ${JSON.stringify(route)}).map(({ input }) => input)`,
  );
const answers = async (page: Page) => (await requests(page, 'desktopTools.answer')).map(({ answer }) => answer);
const dismissals = async (page: Page) => (await requests(page, 'desktopTools.dismiss')).length;
const ask = (page: Page, open: readonly object[]) =>
  page.evaluate(`gallery.emit('modelQuestions', ${JSON.stringify({ open })})`);
const question = { id: ID, conversationId: ID, question: 'Which report do you mean?', choices: ['March', 'April'] };

describe('the message field, while a model asks', () => {
  test('sends its text as the answer, and is empty then', async () => {
    await visit('model-question-text', async (page) => {
      await message(page).focus();
      await page.keyboard.type('Report of April');
      await page.keyboard.press('Enter');
      await expect.poll(() => answers(page)).toEqual(['Report of April']);
      await expect.poll(() => message(page).inputValue()).toBe('');
      expect(await requests(page, 'conversations.send')).toEqual([]);
    });
  });

  test('marks a choice with a digit alone, and Enter gives it; anything else is another answer', async () => {
    await visit('model-question-choices', async (page) => {
      await message(page).focus();
      await page.keyboard.type('2');
      await page.getByText('Enter answers “The one of April').waitFor();
      await page.keyboard.type('1');
      await page.getByText('Enter sends your answer').waitFor();
      await page.keyboard.press('Enter');
      await expect.poll(() => answers(page)).toEqual(['21']);
      await expect.poll(() => message(page).inputValue()).toBe('');
      await page.keyboard.type('1');
      await page.keyboard.press('Enter');
      await expect.poll(() => answers(page)).toEqual(['21', 'The one of March']);
    });
  });

  test('gives the digit that was typed where the choices themselves are digits', async () => {
    await visit('model-question-choices', async (page) => {
      await ask(page, [{ ...question, choices: ['3', '2', '1'] }]);
      await message(page).focus();
      await page.keyboard.type('1');
      await page.keyboard.press('Enter');
      await expect.poll(() => answers(page)).toEqual(['1']);
    });
  });

  test('does not take Escape for an answer: the turn goes on, and the text stays', async () => {
    await visit('model-question-text', async (page) => {
      await message(page).focus();
      await page.keyboard.type('Half an answer');
      await page.keyboard.press('Escape');
      await expect.poll(() => dismissals(page)).toBe(1);
      expect(await stops(page)).toBe(0);
      expect(await message(page).inputValue()).toBe('Half an answer');
    });
  });

  test('answers nothing with Escape beside a question of the consent surface: it could be meant for that one', async () => {
    await visit('model-question-choices', async (page) => {
      await page.evaluate(
        `gallery.emit('questions', { pending: [{ conversationId: '${ID}', count: 1, isPutOff: false }] })`,
      );
      await message(page).focus();
      await page.getByText('Waiting for your answer above (F6)').waitFor();
      await page.keyboard.type('2');
      await page.getByText('Enter answers “The one of April').waitFor();
      await page.keyboard.press('Escape');
      await page.getByText('Answer the question above (F6), or stop with').waitFor();
      expect(await dismissals(page)).toBe(0);
      expect(await stops(page)).toBe(0);
      await page.keyboard.press('Enter');
      await expect.poll(() => answers(page)).toEqual(['The one of April, which is much longer']);
    });
  });

  test('does not send a half-written message as an answer: Enter warns first', async () => {
    await visit('model-question-choices', async (page) => {
      await ask(page, []);
      await message(page).fill('Half a mess');
      await ask(page, [question]);
      await card(page).waitFor();
      await message(page).press('Enter');
      await page.getByText('You began this before the question.').waitFor();
      expect(await answers(page)).toEqual([]);
      await message(page).press('Enter');
      await expect.poll(() => answers(page)).toEqual(['Half a mess']);
    });
  });

  test('never sends a command as an answer, and runs those of the window', async () => {
    await visit('model-question-text', async (page) => {
      await message(page).focus();
      await page.keyboard.type('/tools');
      await page.keyboard.press('Enter');
      await page.getByText('Answer the question first.').waitFor();
      await message(page).fill('/etc/hosts');
      await page.keyboard.press('Enter');
      await expect.poll(() => answers(page)).toEqual(['/etc/hosts']);
      await expect.poll(() => message(page).inputValue()).toBe('');
      await page.keyboard.type('/settings');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Settings' }).waitFor();
      expect(await answers(page)).toEqual(['/etc/hosts']);
    });
  });

  test('still holds the half-written answer after Settings was open', async () => {
    await visit('model-question-text', async (page) => {
      await message(page).fill('Half an answer');
      await page.getByRole('button', { name: labels.settings.open }).click();
      await page.getByRole('button', { name: labels.settings.close }).click();
      expect(await message(page).inputValue()).toBe('Half an answer');
      await message(page).press('Enter');
      await expect.poll(() => answers(page)).toEqual(['Half an answer']);
    });
  });

  test('leaves attachments for the next message', async () => {
    await visit('model-question-text', async (page) => {
      const notes = { name: 'notes.md', mimeType: 'text/plain', buffer: Buffer.from('# Notes') };
      await page.getByLabel(labels.chat.filesToAttach).setInputFiles([notes]);
      await message(page).fill('April');
      await message(page).press('Enter');
      await expect.poll(() => answers(page)).toEqual(['April']);
      await expect.poll(() => message(page).inputValue()).toBe('');
      await page.getByText('notes.md').waitFor();
    });
  });
});

describe('by keyboard', () => {
  test('F6 goes to the question and back, digits go to its choices, and Escape there is no answer', async () => {
    await visit('model-question-choices', async (page) => {
      const f6 = () => page.evaluate("gallery.emit('command', { name: 'question' })");
      await message(page).focus();
      await f6();
      await expect.poll(() => hasFocus(card(page).getByRole('button', { name: 'The one of March' }))).toBe(true);
      await page.keyboard.press('2');
      expect(await hasFocus(card(page).getByRole('button', { name: 'The one of April' }))).toBe(true);
      await f6();
      await expect.poll(() => hasFocus(message(page))).toBe(true);
      expect(await answers(page)).toEqual([]);
      await f6();
      await page.keyboard.press('2');
      await page.keyboard.press('Enter');
      await expect.poll(() => answers(page)).toEqual(['The one of April, which is much longer']);
      await expect.poll(() => hasFocus(message(page))).toBe(true);
      await f6();
      await page.keyboard.press('Escape');
      await expect.poll(() => dismissals(page)).toBe(1);
      expect(await stops(page)).toBe(0);
    });
  });

  test('Escape elsewhere does not end the turn: it says what does', async () => {
    await visit('model-question-choices', async (page) => {
      await message(page).blur();
      await page.keyboard.press('Escape');
      await page.getByText('Answer the question above (F6), or stop with').waitFor();
      expect(await stops(page)).toBe(0);
      expect(await dismissals(page)).toBe(0);
    });
  });
});

describe('a question of another conversation', () => {
  test('is announced above the page, in the list and in the title, from where it can be shown', async () => {
    await visit('model-question-choices', async (page) => {
      await expect.poll(() => page.title()).toMatch(/^\(1\) /);
      const row = page.locator(`[data-row="${ID}"]`);
      const strip = page.getByRole('status').filter({ hasText: 'needs your answer.' });
      await row.filter({ hasText: 'Waiting for your answer:' }).waitFor();
      expect(await strip.count()).toBe(0);
      await page.getByRole('button', { name: 'New conversation' }).first().click();
      await strip.getByRole('button', { name: 'Show' }).click();
      await card(page).waitFor();
      await ask(page, []);
      await expect.poll(() => page.title()).not.toMatch(/^\(/);
      expect(await row.filter({ hasText: 'Waiting for your answer:' }).count()).toBe(0);
    });
  });
});

describe('the messages beside a question', () => {
  const distance = (page: Page) =>
    log(page).evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);
  test('are still followed when the question goes and text arrives at the same moment', async () => {
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

  test('do not move when a message appears above them or disappears', async () => {
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
