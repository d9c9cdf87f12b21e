import { expect, onTestFinished, test } from 'vitest';
import { AppRig, type RunningApp } from '../../fixtures/electron-app.ts';
import type { ScriptedTurn } from '../../fixtures/messages-api/script.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { labels } from '../../fixtures/window-labels.ts';
import { User } from '../../fixtures/window-user.ts';

const call = (name: string, input: object = {}): ScriptedTurn => ({ blocks: [{ type: 'tool_use', name, input }] });

async function shootInBothThemes(running: RunningApp, name: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await running.app.evaluate(({ nativeTheme }, source) => {
      nativeTheme.themeSource = source;
    }, theme);
    await running.chat.waitForFunction(
      (isDark) => matchMedia('(prefers-color-scheme: dark)').matches === isDark,
      theme === 'dark',
    );
    await running.shoot(`${name}-${theme}`);
  }
}

test('a model asks the user in the window, and the clipboard only with permission', async (context) => {
  const api = await startMessagesApi({
    turns: [
      call('Desktop'),
      call('ask_user', { question: 'Which report do you mean?', choices: ['The one of March', 'The one of April'] }),
      call('ask_user', { question: 'What should its title be?' }),
      call('get_selection'),
      call('set_clipboard', { text: 'Report of April' }),
      call('get_clipboard'),
      call('preview_file', { path: 'report.md' }),
      { text: 'It is on your clipboard.' },
    ],
  });
  onTestFinished(() => api.close());
  const rig = new AppRig(context, { api: api.url, files: { 'report.md': '# April\n\nAll is well.\n' } });
  const running = await rig.launch();
  const user = new User(running);
  const question = user.chat.getByRole('region', { name: 'The model asks you' });

  await user.ask('Copy the title of the report');
  await question.getByText('Which report do you mean?').waitFor();
  await shootInBothThemes(running, 'model-question-choices');
  // The cursor is still in the message field.
  await user.chat.keyboard.type('2');
  await question.locator('[data-choice="2"].primary').waitFor();
  await user.chat.keyboard.press('Enter');
  await question.getByText('What should its title be?').waitFor();
  await shootInBothThemes(running, 'model-question-text');
  await user.chat.keyboard.type('Report of April');
  await user.chat.keyboard.press('Enter');
  await question.waitFor({ state: 'detached' });

  expect(await (await user.question()).innerText()).toContain('Replace what is on the clipboard?');
  await user.answers(labels.consent.allowOnce);
  await expect
    .poll(async () => (await user.question()).innerText(), { timeout: 30_000 })
    .toContain('Read the clipboard?');
  await shootInBothThemes(running, 'consent-clipboard');
  await user.answers(labels.consent.allowOnce);
  await user.sees('It is on your clipboard.');
  await user.chat.getByRole('dialog').getByText('All is well.').waitFor();
  await shootInBothThemes(running, 'file-preview');
  expect(await running.app.evaluate(({ clipboard }) => clipboard.readText())).toBe('Report of April');
  const results = api.requests.flatMap(({ body }) => JSON.stringify(body));
  expect(results.at(-1)).toContain('The one of April');
  expect(results.at(-1)).not.toContain('All is well.');
});
