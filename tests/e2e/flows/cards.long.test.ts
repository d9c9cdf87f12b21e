import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AppRig } from '../../fixtures/electron-app.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { labels } from '../../fixtures/window-labels.ts';
import { User } from '../../fixtures/window-user.ts';

const SOON = { timeout: 30_000 };

const todos = (done: boolean) => ({
  todos: [
    { content: 'Add the eggs', status: done ? 'completed' : 'in_progress', activeForm: 'Adding the eggs' },
    { content: 'Write the plan', status: done ? 'completed' : 'pending', activeForm: 'Writing the plan' },
  ],
});

test('file changes are shown as a diff, and undone when the user agrees', async (context) => {
  const api = await startMessagesApi({
    turns: [
      {
        blocks: [
          { type: 'tool_use', name: 'todo_write', input: todos(false) },
          {
            type: 'tool_use',
            name: 'edit',
            input: { file_path: 'list.txt', old_string: 'bread', new_string: 'bread\neggs' },
          },
          { type: 'tool_use', name: 'write_file', input: { file_path: 'plans/plan.txt', content: 'Monday\n' } },
        ],
      },
      { blocks: [{ type: 'tool_use', name: 'todo_write', input: todos(true) }] },
      { text: 'Both are done.' },
      { text: 'You are welcome.' },
    ],
  });
  onTestFinished(() => api.close());
  const rig = new AppRig(context, { api: api.url, files: { 'list.txt': 'milk\nbread\n' } });
  const running = await rig.launch();
  const user = new User(running);
  const list = join(rig.workspace, 'list.txt');
  const plan = join(rig.workspace, 'plans', 'plan.txt');
  const pinned = running.chat.getByRole('region', { name: labels.chat.todos });

  await user.ask('Add eggs to the list and make a plan');
  await user.question();
  await pinned.getByRole('button', { name: 'Adding the eggs' }).waitFor();
  await user.answers(labels.consent.allowOnce);
  // The two are asked about in the order in which they were ready.
  await user.card('edit', 'done').or(user.card('write_file', 'done')).waitFor();
  await user.answers(labels.consent.allowOnce);
  await user.sees('Both are done.');
  await user.waits();
  await pinned.getByRole('button', { name: '2 of 2' }).waitFor();
  await user.card('edit', 'done').getByText('+1', { exact: true }).waitFor({ state: 'attached' });
  await user.card('write_file', 'done').getByText('Monday').waitFor();
  await running.shoot('chat-changes');

  await user.card('edit', 'done').getByRole('button', { name: labels.chat.undo, exact: true }).click();
  expect(await (await user.question()).innerText()).toMatch(/list[.]txt[\s\S]*eggs/);
  expect(readFileSync(list, 'utf8')).toBe('milk\nbread\neggs\n');
  await running.shoot('consent-undo');
  await user.answers(labels.consent.undo);
  await user.card('edit', 'undone').waitFor();
  expect(readFileSync(list, 'utf8')).toBe('milk\nbread\n');

  await running.chat.getByRole('button', { name: labels.chat.undoTurn(1) }).click();
  await user.answers(labels.consent.undo);
  await user.card('write_file', 'undone').waitFor();
  expect(existsSync(plan)).toBe(false);
  expect(await running.chat.getByRole('button', { name: labels.chat.undoTurn() }).count()).toBe(0);

  await user.ask('Thanks');
  await user.sees('You are welcome.');
  await pinned.waitFor({ state: 'detached' });

  // Messages out of view make their list longer, and nothing else: the window itself never scrolls.
  await running.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setSize(900, 500));
  const surplus = (selector: string) =>
    running.chat.evaluate((within) => {
      const element = document.querySelector(within);
      return element === null ? 0 : element.scrollHeight - element.clientHeight;
    }, selector);
  await vi.waitFor(async () => expect(await surplus('[role=log]')).toBeGreaterThan(200), SOON);
  expect(await surplus(':has(> main)')).toBe(0);
});
