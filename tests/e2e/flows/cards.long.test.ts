import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AppRig } from '../../fixtures/electron-app.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { labels } from '../../fixtures/window-labels.ts';
import { Person } from '../../fixtures/window-person.ts';

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
  const person = new Person(running);
  const list = join(rig.workspace, 'list.txt');
  const plan = join(rig.workspace, 'plans', 'plan.txt');
  const pinned = running.chat.getByRole('region', { name: labels.chat.todos });

  await person.ask('Add eggs to the list and make a plan');
  await person.question();
  await pinned.getByRole('button', { name: 'Adding the eggs' }).waitFor();
  await person.answers(labels.consent.allowOnce);
  // The two are asked about in the order in which they were ready.
  await person.card('edit', 'done').or(person.card('write_file', 'done')).waitFor();
  await person.answers(labels.consent.allowOnce);
  await person.sees('Both are done.');
  await person.waits();
  await pinned.getByRole('button', { name: '2 of 2' }).waitFor();
  await person.card('edit', 'done').getByText('+1', { exact: true }).waitFor({ state: 'attached' });
  await person.card('write_file', 'done').getByText('Monday').waitFor();
  await running.shoot('chat-changes');

  await person.card('edit', 'done').getByRole('button', { name: labels.chat.undo, exact: true }).click();
  expect(await (await person.question()).innerText()).toMatch(/list[.]txt[\s\S]*eggs/);
  expect(readFileSync(list, 'utf8')).toBe('milk\nbread\neggs\n');
  await running.shoot('consent-undo');
  await person.answers(labels.consent.undo);
  await person.card('edit', 'undone').waitFor();
  expect(readFileSync(list, 'utf8')).toBe('milk\nbread\n');

  await running.chat.getByRole('button', { name: labels.chat.undoTurn(1) }).click();
  await person.answers(labels.consent.undo);
  await person.card('write_file', 'undone').waitFor();
  expect(existsSync(plan)).toBe(false);
  expect(await running.chat.getByRole('button', { name: labels.chat.undoTurn() }).count()).toBe(0);

  await person.ask('Thanks');
  await person.sees('You are welcome.');
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
