import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AppRig, type RunningApp } from '../../fixtures/electron-app.ts';
import { escapes, processesWith } from '../../fixtures/escapes.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { expectGone, runningProcesses } from '../../fixtures/process-table.ts';
import { labels } from '../../fixtures/window-labels.ts';
import { User } from '../../fixtures/window-user.ts';

const SOON = { timeout: 20_000 };
/** A number of seconds for which nothing else sleeps. */
const oddWord = () => `${300 + Math.floor(Math.random() * 99)}.${Math.floor(Math.random() * 1e9)}`;

/** A native dialogue cannot be pressed from here: it is answered by its button, and what it asked is kept. */
async function answersDialogues(running: RunningApp, button: string): Promise<void> {
  await running.app.evaluate(({ dialog }, wanted) => {
    dialog.showMessageBox = (async (_window: unknown, asked: { message: string; buttons: string[] }) => {
      const kept = globalThis as unknown as { asked?: string[] };
      kept.asked = [...(kept.asked ?? []), asked.message];
      return { response: asked.buttons.findIndex((label) => label.startsWith(wanted)), checkboxChecked: false };
    }) as never;
  }, button);
}

const asked = (running: RunningApp) =>
  running.app.evaluate(() => (globalThis as unknown as { asked?: string[] }).asked ?? []);
const close = (running: RunningApp) =>
  running.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close()).catch(() => undefined);

async function runs(user: User, input: Record<string, unknown>): Promise<void> {
  await user.ask(`/bash ${JSON.stringify(input)}`);
  await user.answers('Allow once');
}

function endsAtLast(word: string): void {
  onTestFinished(() => {
    for (const { pid } of processesWith(word)) process.kill(pid, 'SIGKILL');
  });
}

test('a window in which nothing runs closes without a question', async (context) => {
  const running = await new AppRig(context).launch();
  await answersDialogues(running, 'Cancel');
  await close(running);
  expect(await running.ended).toBe(0);
});

test('processes left running by a command are named on its card and can be stopped there', async (context) => {
  const running = await new AppRig(context).launch();
  const user = new User(running);
  const word = oddWord();
  endsAtLast(word);
  await runs(user, { command: `(setsid sleep ${word} >/dev/null 2>&1 &); sleep 0.2` });
  const left = running.chat.getByRole('group', { name: 'Left running' });
  await left.getByText(`sleep ${word}`).waitFor();
  await left.getByText('Still running, although the command has ended:').waitFor();
  await running.shoot('card-left-running');
  await left.getByRole('button', { name: `Stop sleep ${word}` }).click();
  await left.getByText('Was still running when the command ended:').waitFor();
  expect([processesWith(word), await left.getByRole('button').count()]).toEqual([[], 0]);
});

test('closing asks about commands and the programs they left running: stay, or stop everything', async (context) => {
  const running = await new AppRig(context).launch();
  const user = new User(running);
  const word = oddWord();
  endsAtLast(word);
  const [daemon, ...others] = escapes(word).filter(({ name }) => name === 'setsid' || name.startsWith('daemon'));
  await runs(user, { command: `${daemon?.line}; sleep 0.2` });
  await user.waits();
  await runs(user, { command: [...others.map(({ line }) => line), `sleep ${word}`].join('; '), timeout: 600_000 });
  await vi.waitFor(() => expect(processesWith(word).length).toBeGreaterThan(others.length + 1), SOON);

  await answersDialogues(running, 'Cancel');
  await close(running);
  await vi.waitFor(async () => expect(await asked(running)).toHaveLength(1), SOON);
  expect(await asked(running)).toEqual(['A command and a program that a command started are still running.']);
  await running.chat.getByRole('button', { name: 'Stop', exact: true }).waitFor();

  await answersDialogues(running, 'Stop');
  const all = runningProcesses().filter(({ command }) => command.includes(word));
  const app = running.processes();
  await close(running);
  await expectGone([...all, ...app]);
  expect(await running.ended).toBe(0);
});

test('closing asks while an answer is being written, and while a question waits, which it leaves unanswered', async (context) => {
  const api = await startMessagesApi({
    turns: [
      { text: 'One sentence. And another one that never came.', deltaCharacters: 12, stallAfterEvents: 4 },
      { blocks: [{ type: 'tool_use', name: 'write_file', input: { file_path: 'a.txt', content: 'x' } }] },
    ],
  });
  onTestFinished(() => api.close());
  const running = await new AppRig(context, { api: api.url }).launch();
  const user = new User(running);
  await answersDialogues(running, 'Cancel');
  await user.ask('Plan the trip');
  await user.sees(/One sentence/);
  await close(running);
  await vi.waitFor(async () => expect(await asked(running)).toEqual(['Steward is still answering.']), SOON);
  await user.stops();
  await user.waits();

  await user.ask('Write it down');
  await user.question();
  await close(running);
  await vi.waitFor(async () => expect((await asked(running)).at(-1)).toBe('Steward is waiting for your answer.'), SOON);
  await user.question();

  await answersDialogues(running, 'Close without');
  await close(running);
  expect(await running.ended).toBe(0);
});

test('the next start comes back to the conversation that was open, with what was typed and not sent', async (context) => {
  const rig = new AppRig(context);
  const row = ({ chat }: RunningApp) =>
    chat
      .getByRole('navigation', { name: labels.conversations.byDate })
      .getByRole('button', { name: 'what time is it', exact: true });
  const first = await rig.launch();
  const user = new User(first);
  await user.ask('what time is it');
  await user.waits();
  await first.chat.keyboard.press('Control+N');
  await user.ask('list the files here');
  await user.waits();
  await row(first).click();
  await user.writes('half a sentence');
  await close(first);
  expect(await first.ended).toBe(0);

  const second = await rig.launch();
  await row(second).and(second.chat.locator('[aria-current="page"]')).waitFor();
  const message = second.chat.getByRole('textbox', { name: labels.chat.message });
  await vi.waitFor(async () => expect(await message.inputValue()).toBe('half a sentence'), SOON);
  await second.shoot('came-back');
});

test('the next start scrolls to where the user was reading', async (context) => {
  const long = Array.from({ length: 120 }, (_, line) => `Paragraph number ${line + 1} of a long answer.`).join('\n\n');
  const api = await startMessagesApi({ turns: [{ text: long }] });
  onTestFinished(() => api.close());
  const rig = new AppRig(context, { api: api.url });
  const first = await rig.launch();
  const user = new User(first);
  await user.ask('Tell me everything');
  await user.waits();
  const paragraph = ({ chat }: RunningApp) => chat.getByText('Paragraph number 40 of a long answer.');
  const log = await first.chat.getByRole('log').boundingBox();
  if (log === null) throw new Error('the messages are not in view');
  await first.chat.mouse.move(log.x + log.width / 2, log.y + log.height / 2);
  const top = async (running: RunningApp) => (await paragraph(running).boundingBox())?.y ?? Number.NaN;
  await vi.waitFor(async () => {
    await first.chat.mouse.wheel(0, -400);
    expect(await top(first)).toBeGreaterThan(log.y);
  }, SOON);
  const before = await top(first);
  await close(first);
  expect(await first.ended).toBe(0);
  const second = await rig.launch();
  await vi.waitFor(async () => expect(Math.abs((await top(second)) - before)).toBeLessThan(2), SOON);
});

test('a user can leave programs running: they continue and can keep printing; the command ends', async (context) => {
  const rig = new AppRig(context);
  const running = await rig.launch();
  const user = new User(running);
  const [left, shell, command] = [oddWord(), oddWord(), oddWord()];
  for (const word of [left, shell, command]) endsAtLast(word);
  const printing = (word: string) => `while sleep 0.05; do echo ${word}; echo x >>${word}; done`;
  await runs(user, { command: `(setsid bash -c '${printing(left)}' &); sleep 0.2` });
  await user.waits();
  await runs(user, { command: printing(shell), run_in_background: true });
  await user.waits();
  await runs(user, { command: `sleep ${command}`, timeout: 600_000 });
  await vi.waitFor(() => expect(processesWith(command)).not.toEqual([]), SOON);

  await answersDialogues(running, 'Close and leave');
  const app = running
    .processes()
    .filter(({ command: line }) => !line.includes(shell) && !line.startsWith('sleep 0.05'));
  await close(running);
  await expectGone(app);
  expect(await running.ended).toBe(0);
  expect(processesWith(command)).toEqual([]);
  const printed = (word: string) => {
    const file = join(rig.workspace, word);
    return existsSync(file) ? statSync(file).size : 0;
  };
  const before = [left, shell].map(printed);
  await vi.waitFor(() => {
    for (const [index, word] of [left, shell].entries())
      expect(printed(word)).toBeGreaterThan(Number(before[index]) + 20);
  }, SOON);
});
