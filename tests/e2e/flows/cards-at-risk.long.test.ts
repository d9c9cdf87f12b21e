import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright';
import { expect, onTestFinished, test } from 'vitest';
import { AppRig } from '../../fixtures/electron-app.ts';
import type { ScriptedTurn } from '../../fixtures/messages-api/script.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { labels } from '../../fixtures/window-labels.ts';
import { User } from '../../fixtures/window-user.ts';

async function claude(turns: readonly ScriptedTurn[]) {
  const api = await startMessagesApi({ turns });
  onTestFinished(() => api.close());
  return api;
}

const write = (name: string) => ({
  ...({ type: 'tool_use', name: 'write_file' } as const),
  input: { file_path: `${name}.txt`, content: `${name}\n` },
});

/** Moves the real pointer to the middle of it. */
async function points(page: Page, at: Locator): Promise<void> {
  await at.scrollIntoViewIfNeeded();
  const box = await at.boundingBox();
  if (box === null) throw new Error('It is not drawn');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 4 });
  await page.mouse.down();
  await page.mouse.up();
}

test('three writes share one card: only the two that are ticked are made, and the command after them finds those two', async (context) => {
  const api = await claude([
    {
      blocks: [
        { type: 'text', text: 'A file for each of you.' },
        ...['ada', 'grace', 'alan'].map(write),
        { type: 'tool_use', name: 'bash', input: { command: 'ls' } },
      ],
    },
    { text: 'All done.' },
  ]);
  const rig = new AppRig(context, { api: api.url });
  const running = await rig.launch();
  const user = new User(running);

  await user.ask('Write our files');
  const question = await user.reads();
  const page = await running.consent();
  expect(await question.getByRole('checkbox').count()).toBe(3);
  await running.shoot('consent-group');
  const allow = question.getByRole('button', { name: labels.consent.allowThese });
  await allow.and(page.locator(':enabled')).waitFor();
  await points(page, question.getByRole('checkbox', { name: 'grace.txt' }));
  expect(await allow.innerText()).toContain('2');
  await points(page, allow);
  await user.sees('All done.');
  expect(['ada', 'grace', 'alan'].map((name) => existsSync(join(rig.workspace, `${name}.txt`)))).toEqual([
    true,
    false,
    true,
  ]);
  const results = JSON.stringify(api.requests.at(-1)?.body);
  expect(results).toContain('The user declined to run write_file.');
  expect(results).toContain('ada.txt\\nalan.txt');
});

test('a grave question is allowed by a second key or by its button, never by one key', async (context) => {
  const api = await claude([
    {
      blocks: [
        {
          ...({ type: 'tool_use', name: 'bash' } as const),
          input: { command: 'rm -rf ../elsewhere && echo gone > gone.txt', description: 'Tidies up. Harmless.' },
        },
      ],
    },
    { text: 'Tidied.' },
  ]);
  const rig = new AppRig(context, { api: api.url });
  const running = await rig.launch();
  const user = new User(running);

  await user.ask('Tidy up');
  const question = await user.reads();
  const page = await running.consent();
  const allow = question.getByRole('button', { name: labels.consent.allowOnce });
  await allow.and(question.locator(':enabled')).waitFor();
  expect(await allow.evaluate((button) => button === document.activeElement)).toBe(false);
  // The risk stands first, and what the assistant says of it is folded.
  const text = await question.innerText();
  expect(text.indexOf('outside the workspace')).toBeGreaterThan(-1);
  expect(text.indexOf('outside the workspace')).toBeLessThan(text.indexOf('rm -rf ../elsewhere'));
  expect(text).not.toContain('Tidies up. Harmless.');
  const edge = await question.evaluate((card) => getComputedStyle(card).borderInlineStartColor);
  const warning = question.getByText('Deletes files outside the workspace').first();
  expect(edge).toBe(await warning.evaluate((words) => getComputedStyle(words).color));
  await running.shoot('consent-grave');

  await page.keyboard.press('Control+Enter');
  await page.keyboard.press('Control+Enter');
  await question.getByRole('status').filter({ hasText: 'Any other key cancels' }).waitFor();
  await running.shoot('consent-grave-first-key');
  await page.keyboard.press('a');
  await page.keyboard.press('Control+Shift+Y');
  // Keys that were meant for something else shut it for a moment.
  await allow.and(question.locator(':enabled')).waitFor();
  expect(existsSync(join(rig.workspace, 'gone.txt'))).toBe(false);
  await points(page, allow);
  await user.sees('Tidied.');
  expect(readFileSync(join(rig.workspace, 'gone.txt'), 'utf8')).toBe('gone\n');
});
