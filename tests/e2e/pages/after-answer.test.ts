import type { Page } from 'playwright';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { needElectron } from '../../fixtures/electron-app.ts';
import { Gallery } from '../../fixtures/gallery/gallery.ts';
import { emit } from '../../fixtures/gallery/scenes/chat.ts';
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

const at = '2031-03-04T09:01:00Z';

test.each(['max_tokens', 'round_limit'])('an answer that ended at a limit (%s) goes on with a button', async (code) => {
  await enter('chat-card-todos', async (page) => {
    await emit(page, { seq: 900, turnId: 'turn-1', at, type: 'notice', code, message: 'It reached a limit.' });
    const button = page.getByRole('button', { name: 'Continue', exact: true });
    await page.getByText('It reached a limit.').waitFor();
    expect(await button.count()).toBe(0);
    await emit(page, { seq: 901, turnId: 'turn-1', at, type: 'turn_end', stopReason: code });
    await button.click();
    const sent = `gallery.requests.filter(({ route }) => route === 'conversations.send').map(({ input }) => input.text)`;
    await expect.poll(() => page.evaluate(sent)).toEqual(['Continue']);
  });
});

test('a finished to-do list folds, whatever was done with it before, and opens again', async () => {
  await enter('chat-card-todos', async (page) => {
    const list = page.getByRole('region', { name: labels.chat.todos });
    const head = list.getByRole('button');
    const isOpen = () => head.getAttribute('aria-expanded');
    expect(await isOpen()).toBe('true');
    await head.click();
    await head.click();
    const todos = [{ content: 'Read', activeForm: 'Reading', status: 'completed' }];
    const result = {
      type: 'tool_result',
      id: 'd2',
      calledBy: 'model',
      outcome: 'completed',
      text: 'Done',
      isError: false,
    };
    await emit(page, { seq: 900, turnId: 'turn-1', at, ...result, card: { kind: 'todos', todos } });
    await head.getByText('all done').waitFor();
    expect(await isOpen()).toBe('false');
    await head.click();
    expect(await isOpen()).toBe('true');
  });
});

test('what a stopped answer says can be copied', async () => {
  await enter('chat-card-todos', async (page) => {
    const copy = page.getByRole('button', { name: 'Copy the answer' });
    await emit(page, { seq: 900, turnId: 'turn-1', at, type: 'text_delta', text: 'Half an answer' });
    await page.getByText('Half an answer').waitFor();
    expect(await copy.count()).toBe(0);
    const end = { type: 'turn_end', stopReason: 'interrupted', wasStopped: true };
    await emit(page, { seq: 901, turnId: 'turn-1', at, ...end });
    await copy.waitFor();
  });
});
