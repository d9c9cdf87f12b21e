import type { Page } from 'playwright';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { decisionTitle } from '../../../src-renderer/tool-cards/call-state.ts';
import { type CardState, cardLabel } from '../../fixtures/card-label.ts';
import { needElectron } from '../../fixtures/electron-app.ts';
import { Gallery } from '../../fixtures/gallery/gallery.ts';
import type { Scene } from '../../fixtures/gallery/scene.ts';
import { cardScenes } from '../../fixtures/gallery/scenes/cards.ts';
import { chatScenes, emit } from '../../fixtures/gallery/scenes/chat.ts';
import { ID } from '../../fixtures/gallery/scenes/chat-events.ts';
import { labels } from '../../fixtures/window-labels.ts';

function sceneNamed(name: string): Scene {
  const scene = cardScenes.find((candidate) => candidate.name === `chat-card-${name}`);
  if (scene === undefined) throw new Error(`There is no scene ${name}.`);
  return scene as Scene;
}

const requests = (page: Page, route: string) =>
  page.evaluate(`gallery.requests.filter((one) => one.route === '${route}').map(({ input }) => input)`);
const card = (page: Page, tool: string, state: CardState) =>
  page.getByRole('group', { name: cardLabel(tool, state) }).first();

describe('the cards of tool calls in a browser', () => {
  let gallery: Gallery;
  beforeEach(async (context) => {
    gallery ??= await Gallery.open(needElectron(context));
  }, 120_000);
  afterAll(() => gallery?.close());

  const visit = (name: string, look: (page: Page) => Promise<void>) => gallery.enter(sceneNamed(name), look);

  test('a call that needs a sign-in leads to the page of its server', async () => {
    const scene = chatScenes.find(({ name }) => name === 'chat-signed-out');
    if (scene === undefined) throw new Error('There is no such scene.');
    await gallery.enter(scene as Scene, async (page) => {
      await page.getByRole('log').getByRole('button', { name: labels.chat.signIn }).click();
      await page.getByRole('heading', { name: 'tracker', exact: true }).waitFor();
      expect(await requests(page, 'servers.page')).toEqual([{ name: 'tracker' }]);
    });
  });

  test('a call is undone once the event says so, and its turn then counts one less', async () => {
    await visit('edits', async (page) => {
      await card(page, 'edit', 'done').getByRole('button', { name: labels.chat.undo, exact: true }).click();
      await card(page, 'edit', 'undone').waitFor();
      // The button is gone, and who pressed it by key is still at the card.
      const hasFocus = () =>
        card(page, 'edit', 'undone')
          .getByRole('button')
          .first()
          .evaluate((button) => button === document.activeElement);
      await expect.poll(hasFocus).toBe(true);
      expect(
        await card(page, 'edit', 'undone').getByRole('button', { name: labels.chat.undo, exact: true }).count(),
      ).toBe(0);
      await page.getByRole('button', { name: labels.chat.undoTurn(2) }).click();
      await expect
        .poll(() => requests(page, 'conversations.undo'))
        .toEqual([
          { id: ID, turnId: 'turn-1', callId: 'e1' },
          { id: ID, turnId: 'turn-1', callId: null },
        ]);
      // The user said no in the other surface.
      await page.getByRole('button', { name: labels.chat.undoTurn(2) }).waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
    });
  });

  test('a file that was not restored is named with the reason', async () => {
    await visit('undone', async (page) => {
      await card(page, 'append_file', 'done')
        .getByText(/notes[.]md.*was left: you or another program/)
        .waitFor();
    });
  });

  test('a long change shows its first lines, and all of them when asked', async () => {
    await visit('edits', async (page) => {
      const written = card(page, 'write_file', 'done');
      expect(await written.getByText('a line of the new list').count()).toBe(12);
      await written.getByRole('button', { name: labels.chat.showAll('48') }).click();
      expect(await written.getByText('a line of the new list').count()).toBe(48);
    });
  });

  test('command output is followed to its end, unless the reader scrolls back; markup in it stays text', async () => {
    await visit('terminal-live', async (page) => {
      const pane = page.locator('.pane');
      const distance = () =>
        pane.evaluate((element) => Math.round(element.scrollHeight - element.scrollTop - element.clientHeight));
      const print = async (chunk: string) => {
        await emit(page, { type: 'tool_output', id: 'r1', chunk });
        await pane.getByText(chunk.trim()).waitFor();
      };
      await print(`\n<img src=x onerror="document.title='run'">\n`);
      expect(await pane.locator('img').count()).toBe(0);
      await expect.poll(distance).toBeLessThan(2);
      // More comes before the browser tells of the scrolling.
      const more = { conversationId: ID, events: [{ type: 'tool_output', id: 'r1', chunk: 'more\n' }] };
      await page.evaluate(
        `document.querySelector('.pane').scrollTo(0, 0); gallery.emit('turn', ${JSON.stringify(more)})`,
      );
      await print('the end\n');
      expect(await distance()).toBeGreaterThan(100);
      expect(await pane.evaluate((element) => element.scrollTop)).toBe(0);
    });
  });

  test('a long log and five thousand matches are shown whole on request', async () => {
    await visit('terminal-long', async (page) => {
      const pane = page.locator('.pane');
      await pane.getByText('line 4000 of a long log').waitFor({ state: 'attached' });
      expect(await pane.textContent()).toContain('line 1 of a long log');
    });
    await visit('matches-many', async (page) => {
      const groups = page.getByRole('group', { name: labels.chat.matches });
      await groups.getByText('match 5000 of a line').waitFor({ state: 'attached' });
      expect(await groups.getByText(/^match \d+ of a line$/).count()).toBe(5_000);
    });
  });

  test('a result opens outside the window, and only by a click on it', async () => {
    await visit('results', async (page) => {
      expect(await requests(page, 'conversations.openLink')).toEqual([]);
      await page.getByRole('link', { name: 'Configuring Vitest' }).click();
      await expect
        .poll(() => requests(page, 'conversations.openLink'))
        .toEqual([{ id: ID, url: 'https://vitest.dev/config/' }]);
      expect(await page.getByRole('link', { name: /javascript|no title/ }).count()).toBe(0);
    });
  });

  test('the values of a chart are read with the keyboard', async () => {
    await visit('usage', async (page) => {
      await page.keyboard.press('End');
      await page.getByText('2031-02-28: $0.00').waitFor();
      await page.keyboard.press('Tab');
      expect(await page.getByText('2031-02-28: $0.00').count()).toBe(0);
    });
  });

  test('the to-do list stands over the composer until it is done and the next message is sent', async () => {
    await visit('todos', async (page) => {
      const list = page.getByRole('region', { name: labels.chat.todos });
      expect((await list.getByRole('listitem').allTextContents()).map((text) => text.trim())).toEqual([
        'done: Read the limits',
        'done: Raise the limit',
        'in progress: Running the tests, all of them, also those that take long and say little',
        'to do: Write down why',
        'to do: Say what was done',
      ]);
      const said = () => list.getByRole('status').innerText();
      expect(await said()).toMatch(/^2 of 5 done, doing: Running the tests/);
      const end = { type: 'turn_end', stopReason: 'interrupted' };
      await emit(page, { seq: 90, turnId: 'turn-1', at: '2031-03-04T09:01:00Z', ...end });
      await expect.poll(said).toBe('2 of 5 done, next: Run the tests');
    });
    await visit('todos-done', async (page) => {
      const message = { type: 'user_message', content: [{ type: 'text', text: 'Thanks' }] };
      await emit(page, { seq: 91, turnId: 'turn-2', at: '2031-03-04T09:02:00Z', ...message });
      await page.getByRole('region', { name: labels.chat.todos }).waitFor({ state: 'detached' });
    });
  });

  test('a run of calls stays one line, also while the reader opens a card in it', async () => {
    await visit('many-reads-open', async (page) => {
      const run = page.getByRole('button', { name: labels.chat.calls(20) });
      await page.getByRole('button', { name: /^Read chapter-2.md/ }).click();
      await page.getByText(decisionTitle({ answer: 'allow', by: 'default' })).waitFor();
      expect(await run.getAttribute('aria-expanded')).toBe('true');
      await run.click();
      expect(await page.getByRole('button', { name: /^Read chapter/ }).count()).toBe(0);
    });
  });
});
