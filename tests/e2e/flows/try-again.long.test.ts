import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, type TestContext, test } from 'vitest';
import { AppRig } from '../../fixtures/electron-app.ts';
import type { ScriptedTurn } from '../../fixtures/messages-api/script.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { labels } from '../../fixtures/window-labels.ts';
import { User } from '../../fixtures/window-user.ts';

const write = (path: string, content: string): ScriptedTurn => ({
  blocks: [{ type: 'tool_use', name: 'write_file', input: { file_path: path, content } }],
});

async function withClaude(context: TestContext, turns: readonly ScriptedTurn[]) {
  const api = await startMessagesApi({ turns });
  onTestFinished(() => api.close());
  const rig = new AppRig(context, { api: api.url });
  const running = await rig.launch();
  return { api, rig, running, user: new User(running), path: (name: string) => join(rig.workspace, name) };
}

const lastRequest = ({ api }: Awaited<ReturnType<typeof withClaude>>) => JSON.stringify(api.requests.at(-1)?.body);

test('trying again asks about the changes of the answer: undone first, or kept, shown and told to the model', async (context) => {
  const window = await withClaude(context, [
    write('notes.txt', 'first\n'),
    { text: 'Written.' },
    write('notes.txt', 'second\n'),
    { text: 'Written again.' },
    { text: 'A third answer.' },
  ]);
  const { user, running, path } = window;
  const { chat } = running;
  const tryAgain = () => chat.getByRole('button', { name: labels.chat.tryAgain, exact: true }).click();
  await user.ask('Write the notes');
  await user.answers(labels.consent.allowOnce);
  await user.sees('Written.');
  await user.waits();

  await tryAgain();
  await chat.getByRole('dialog').getByText('notes.txt').waitFor();
  await running.shoot('try-again-question');
  await chat.keyboard.press('Escape');
  await chat.getByRole('dialog').waitFor({ state: 'detached' });
  expect(window.api.requests).toHaveLength(2);

  await tryAgain();
  await chat.getByRole('button', { name: labels.chat.undoThenTryAgain }).click();
  await user.answers(labels.consent.undo);
  // The new attempt asks for its own change; the first one is gone by then.
  await user.answers(labels.consent.allowOnce);
  await user.sees('Written again.');
  await user.waits();
  expect(readFileSync(path('notes.txt'), 'utf8')).toBe('second\n');
  expect(lastRequest(window)).not.toContain('earlier attempt');

  await tryAgain();
  await chat.getByRole('button', { name: labels.chat.keepChanges }).click();
  await user.sees('A third answer.');
  await user.waits();
  expect(lastRequest(window)).toMatch(/earlier attempt[^"]*notes[.]txt/);
  const kept = chat.getByRole('region', { name: labels.chat.keptFromEarlier });
  await kept.scrollIntoViewIfNeeded();
  await running.shoot('try-again-kept');
  await kept.getByRole('button', { name: labels.chat.undo, exact: true }).click();
  await user.answers(labels.consent.undo);
  await chat.getByRole('status').getByText('Restored notes.txt.').nth(1).waitFor();
  await expect.poll(() => existsSync(path('notes.txt'))).toBe(false);
  await user.card('write_file', 'undone').last().waitFor();
  await running.shoot('undone-difference');
});

test('undo says what it restored and what it left', async (context) => {
  const window = await withClaude(context, [
    {
      blocks: ['a.txt', 'b.txt', 'notes.txt'].map((file_path) => ({
        type: 'tool_use',
        name: 'write_file',
        input: { file_path, content: `text of ${file_path}` },
      })) as ScriptedTurn['blocks'],
    },
    { text: 'Written.' },
  ]);
  const { user, running, rig, path } = window;
  await user.ask('Write three files');
  await user.answers(labels.consent.allowThese);
  await user.sees('Written.');
  await user.waits();
  rig.write(path('notes.txt'), 'by hand');
  await running.chat.getByRole('button', { name: labels.chat.undoTurn(3) }).click();
  await user.answers(labels.consent.undo);
  await running.chat
    .getByRole('status')
    .getByText(/Restored 2 files[.] notes[.]txt was left:/)
    .waitFor();
  await running.shoot('undo-said');
  expect([existsSync(path('a.txt')), readFileSync(path('notes.txt'), 'utf8')]).toEqual([false, 'by hand']);
});

test('the card of a refused call offers its folder, never the whole home; once that is granted it says so, and the call is made again', async (context) => {
  const outside = join(`${Math.random()}`.slice(2), 'reports');
  const rig = new AppRig(context);
  const folder = join(rig.home, outside);
  const running = await rig.launch();
  const user = new User(running);
  const { chat } = running;
  await user.ask(`/write_file ${JSON.stringify({ file_path: join(rig.home, 'x.txt'), content: 'x' })}`);
  await user.card('write_file', 'refused').waitFor();
  expect(await chat.getByRole('button', { name: labels.chat.grantFolder }).count()).toBe(0);

  const file = join(folder, 'plan.txt');
  await user.ask(`/write_file ${JSON.stringify({ file_path: file, content: 'the plan' })}`);
  await chat.getByRole('button', { name: labels.chat.grantFolder }).click();
  const question = await user.question();
  expect(await question.innerText()).toContain(folder);
  await user.answers(labels.consent.confirm);
  const again = chat.getByRole('button', { name: labels.chat.tryWithFolder });
  await again.waitFor();
  await running.shoot('folder-granted');
  expect(await chat.getByRole('button', { name: labels.chat.grantFolder }).count()).toBe(0);
  await again.click();
  await user.answers(labels.consent.allowOnce);
  await user.card('write_file', 'done').waitFor();
  expect(readFileSync(file, 'utf8')).toBe('the plan');
});
