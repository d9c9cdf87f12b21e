import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { AppRig, type RunningApp } from '../../fixtures/electron-app.ts';
import { ExampleEditor } from '../../fixtures/example-editor.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { RawProgram } from '../../fixtures/program.ts';
import { labels } from '../../fixtures/window-labels.ts';
import { User } from '../../fixtures/window-user.ts';

const call = (name: string, input: unknown = {}) => ({ blocks: [{ type: 'tool_use', name, input }] }) as const;

async function shootInBothThemes(running: RunningApp, name: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await running.app.evaluate(({ nativeTheme }, source) => {
      nativeTheme.themeSource = source;
    }, theme);
    await running.shoot(`${name}-${theme}`);
  }
}

test('a user lets programs connect, pairs an editor, uses it, sees it crash and come back, and removes it', async (context) => {
  const api = await startMessagesApi({
    turns: [
      { text: 'Hello there.' },
      call('IDE'),
      call('OpenFile', { path: 'main.ts', from: 2 }),
      { text: 'The editor shows it.' },
      call('GetSelection'),
      { text: 'It is away.' },
    ],
  });
  onTestFinished(() => api.close());
  const rig = new AppRig(context, { api: api.url, files: { 'main.ts': 'one\ntwo\n' } });
  const running = await rig.launch();
  const user = new User(running);
  const { programs: words } = labels;
  const socket = join(rig.profile, 'client.sock');
  await user.ask('hello');
  await user.sees('Hello there.');
  await user.waits();
  expect(existsSync(socket)).toBe(false);

  const panel = await user.opensSettings(labels.settings.programs);
  await panel.getByRole('switch', { name: words.letConnect }).click();
  await user.answers(labels.consent.confirm);
  await panel.getByText(socket).waitFor();
  await shootInBothThemes(running, 'programs-on');
  await user.closesSettings();

  // A program that nobody started is refused, and no card follows for a while.
  const stranger = await RawProgram.connect(socket);
  stranger.send({ type: 'hello', name: 'System Update', version: '9' });
  const question = await user.question();
  expect(await question.innerText()).toContain('System Update');
  await user.answers(words.doNotPair);
  expect(await stranger.receives('refused')).toMatchObject({ code: 'declined' });
  await user.opensSettings(labels.settings.programs);
  await panel.getByRole('button', { name: 'Ask again' }).click();
  await user.closesSettings();

  const args = ['--profile', rig.profile, '--folder', rig.workspace, '--token-file', join(rig.home, 'editor.token')];
  const editor = new ExampleEditor(args, rig.home);
  await user.reads();
  await shootInBothThemes(running, 'programs-pairing');
  await user.answers(words.pair);
  await editor.says('attached with IDE');
  await user.chat.getByRole('button', { name: words.from('Example editor') }).waitFor();

  await user.ask('open line 2 of main.ts');
  // What the group said when it was opened is text from outside.
  await user.answers(labels.consent.allowOnce);
  await user.sees('The editor shows it.');
  await user.waits();
  expect(editor.said).toContain('opened main.ts, lines 2 to 2');
  await shootInBothThemes(running, 'programs-used');

  await editor.crash();
  await user.chat.getByRole('button', { name: /not connected/ }).waitFor();
  await user.ask('what is selected?');
  await user.answers(labels.consent.allowOnce);
  await user.sees('It is away.');
  await user.waits();
  await running.shoot('programs-away');

  const again = new ExampleEditor(args, rig.home);
  await again.says('attached with IDE');
  await user.opensSettings(labels.settings.programs);
  await panel.getByText('Connected', { exact: true }).waitFor();
  await shootInBothThemes(running, 'programs-paired');
  await panel.getByRole('button', { name: words.remove }).click();
  await user.chat.getByRole('dialog').getByRole('button', { name: words.confirmRemoval, exact: true }).click();
  expect(await again.ended).toBe(1);
  await panel.getByRole('article').waitFor({ state: 'detached' });

  await running.close();
  expect(existsSync(socket)).toBe(false);
});
