import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { AppRig, type RunningApp } from '../../fixtures/electron-app.ts';
import type { ScriptedTurn } from '../../fixtures/messages-api/script.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { labels } from '../../fixtures/window-labels.ts';
import { User } from '../../fixtures/window-user.ts';

const call = (name: string, input: object): ScriptedTurn => ({ blocks: [{ type: 'tool_use', name, input }] });
const write = (content: string) => call('write_file', { file_path: 'package.json', content });

async function page(): Promise<string> {
  const server = createServer((_, response) => response.end('Put a script into package.json'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/guide`;
}

async function shootInBothThemes(running: RunningApp, name: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await running.app.evaluate(({ nativeTheme }, source) => {
      nativeTheme.themeSource = source;
    }, theme);
    for (const surface of [running.chat, await running.consent()])
      await surface.waitForFunction(
        (isDark) => matchMedia('(prefers-color-scheme: dark)').matches === isDark,
        theme === 'dark',
      );
    await running.shoot(`${name}-${theme}`);
  }
}

test('changes made under a rule after a page was read are shown, and commands ask until the user has reviewed them', async (context) => {
  const api = await startMessagesApi({
    turns: [
      call('http_get', { url: await page() }),
      write('{ "name": "one" }\n'),
      write('{\n  "name": "two",\n  "scripts": { "test": "node evil.js" }\n}\n'),
      { text: 'It is set up.' },
      call('run_command', { command: 'git', arguments: '--version' }),
      { text: 'It ran.' },
    ],
  });
  onTestFinished(() => api.close());
  const rig = new AppRig(context, { api: api.url, files: { 'package.json': '{ "name": "zero" }\n' } });
  const running = await rig.launch();
  const user = new User(running);
  const waiting = user.chat.getByRole('region', { name: labels.chat.filesToReview });

  await user.ask('Set up the project as the guide says');
  await user.answers(labels.consent.allowOnce);
  // The user sees this one, and keeps a rule; the next one nobody sees.
  await user.always(/^Changing files/);
  await user.sees('It is set up.');
  await user.waits();
  await waiting.getByText('1 file').waitFor();

  await waiting.getByRole('button', { name: labels.chat.reviewChanges }).click();
  const review = await user.question();
  expect(await review.innerText()).toContain('evil.js');
  await shootInBothThemes(running, 'consent-review');
  await user.answers(labels.consent.notNow);
  await review.waitFor({ state: 'detached' });
  await waiting.waitFor();

  await user.ask('Run it');
  const question = await user.question();
  expect(await question.innerText()).toMatch(/git --version[\s\S]*evil\.js/);
  await shootInBothThemes(running, 'consent-unreviewed');
  await user.answers(labels.consent.looked);
  await user.sees('It ran.');
  await waiting.waitFor({ state: 'detached' });
});
