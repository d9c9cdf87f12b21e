import { expect, test } from 'vitest';
import { AppRig, type RunningApp } from '../../fixtures/electron-app.ts';
import { labels } from '../../fixtures/window-labels.ts';
import { User } from '../../fixtures/window-user.ts';

const { trash, restore, erase } = labels.conversations;

/** The system's dialog asks the user; here it is answered by the test. */
async function answering(running: RunningApp, response: number): Promise<void> {
  await running.app.evaluate(({ dialog }, given) => {
    const asked: string[] = [];
    Object.assign(globalThis, { asked });
    Object.assign(dialog, {
      showMessageBox: async (_window: unknown, { message }: { message: string }) => {
        asked.push(message);
        return { response: given, checkboxChecked: false };
      },
    });
  }, response);
}

const asked = (running: RunningApp) => running.app.evaluate(() => (globalThis as unknown as { asked: string[] }).asked);

test('a deleted conversation is restored from the trash, and another deleted permanently with one key', async (context) => {
  const running = await new AppRig(context).launch();
  const { chat } = running;
  const user = new User(running);
  for (const question of ['what time is it', 'what day is it']) {
    await chat.getByRole('button', { name: 'New conversation' }).click();
    await user.ask(question);
    await chat.getByRole('button', { name: 'Copy the answer' }).waitFor();
  }
  const rows = chat.getByRole('navigation', { name: labels.conversations.byDate });
  const time = rows.getByRole('button', { name: 'what time is it', exact: true });
  const day = rows.getByRole('button', { name: 'what day is it', exact: true });

  await time.press('Delete');
  await time.waitFor({ state: 'detached' });
  await chat.getByRole('button', { name: trash, exact: true }).click();
  await chat.getByRole('heading', { name: 'Trash' }).waitFor();
  await chat.getByText('30 days left').waitFor();
  await chat.getByRole('button', { name: restore }).click();
  await time.waitFor();
  await chat.getByText('The trash is empty').waitFor();
  await chat.keyboard.press('Escape');
  await chat.getByRole('textbox', { name: labels.chat.message }).waitFor();

  await answering(running, 1);
  await day.press('Shift+Delete');
  await expect.poll(() => asked(running)).toEqual(['Delete “what day is it” permanently?']);
  await day.waitFor();
  await answering(running, 0);
  await day.press('Shift+Delete');
  await day.waitFor({ state: 'detached' });
  await time.press('Delete');
  await chat.getByRole('button', { name: trash, exact: true }).click();
  await chat.getByRole('button', { name: erase }).click();
  await chat.getByText('The trash is empty').waitFor();
  expect(await asked(running)).toHaveLength(2);
});
