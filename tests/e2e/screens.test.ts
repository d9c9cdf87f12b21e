import { expect, onTestFinished, test } from 'vitest';
import { violationsOn } from '../fixtures/axe.ts';
import { AppRig, type RunningApp } from '../fixtures/electron-app.ts';
import { startMessagesApi } from '../fixtures/messages-api/server.ts';
import { labels } from '../fixtures/window-labels.ts';
import { User } from '../fixtures/window-user.ts';

const THEMES = ['light', 'dark'] as const;
const SECTIONS = ['models', 'folders', 'tools', 'rules', 'appearance', 'data', 'about'] as const;

/** One state of the window in both themes: a picture for people, and what axe says of it. */
async function look(running: RunningApp, name: string, page = running.chat): Promise<string[]> {
  const found: string[] = [];
  for (const theme of THEMES) {
    await running.app.evaluate(({ nativeTheme }, source) => {
      nativeTheme.themeSource = source;
    }, theme);
    await page.waitForFunction(
      (isDark) => matchMedia('(prefers-color-scheme: dark)').matches === isDark,
      theme === 'dark',
    );
    await running.shoot(`${name}-${theme}`);
    for (const { rule, at, summary } of await violationsOn(page))
      found.push(`${name}, ${theme}: ${rule} at ${at}: ${summary}`);
  }
  return found;
}

const ANSWER = `## What I found

The folder holds **three** files. The *newest* one is [the plan](https://example.com/plan).

1. First, \`npm ci\`
2. Then, see below

\`\`\`ts
export function add(a: number, b: number): number {
  return a + b; // sums
}
\`\`\`

| file | lines |
|---|---:|
| plan.md | 12 |
| notes.txt | 3 |

> Quoted as it stands.`;

test('the chat in all its states is accessible in both themes', async (context) => {
  const api = await startMessagesApi({
    turns: [
      { text: ANSWER },
      {
        blocks: [
          { type: 'text', text: 'I look first, then I write.' },
          { type: 'tool_use', name: 'read_file', input: { file_path: 'notes.txt' } },
          { type: 'tool_use', name: 'read_file', input: { file_path: 'missing.txt' } },
          { type: 'tool_use', name: 'write_file', input: { file_path: 'notes.txt', content: 'one\ntwo\nfour\n' } },
        ],
      },
      { text: 'Done as far as I could.' },
      { error: { status: 529, message: 'Overloaded' } },
    ],
    afterLast: 'repeat',
  });
  onTestFinished(() => api.close());
  const rig = new AppRig(context, { api: api.url, files: { 'notes.txt': 'one\ntwo\nthree\n' } });
  const running = await rig.launch();
  const user = new User(running);
  const found: string[] = [];

  await running.chat.getByRole('heading', { name: labels.chat.empty }).waitFor();
  found.push(...(await look(running, 'chat-empty')));
  await user.ask('What is here?');
  await user.sees('Quoted as it stands.');
  await user.waits();
  found.push(...(await look(running, 'chat-answer')));

  await user.ask('Change the notes');
  await user.question();
  found.push(...(await look(running, 'chat-asking')));
  found.push(...(await look(running, 'consent-asking', await running.consent())));
  await user.answers(labels.consent.deny);
  await user.waits();
  await user.card('read_file', 'failed').getByRole('button').first().click();
  await user.card('write_file', 'denied').getByRole('button').first().click();
  found.push(...(await look(running, 'chat-cards')));

  await running.chat.getByRole('textbox', { name: labels.chat.message }).fill('/');
  await running.chat.getByRole('listbox').waitFor();
  found.push(...(await look(running, 'chat-slash-menu')));
  expect(found).toEqual([]);
});

test('the settings are accessible in both themes', async (context) => {
  const running = await new AppRig(context).launch();
  const user = new User(running);
  const found: string[] = [];
  await user.opensSettings(labels.settings.models);
  for (const section of SECTIONS) {
    await running.chat.getByRole('tab', { name: labels.settings[section] }).click();
    await running.chat.getByRole('tabpanel', { name: labels.settings[section] }).waitFor();
    found.push(...(await look(running, `settings-${section}`)));
  }
  expect(found).toEqual([]);
});

test('the first run is accessible in both themes', async (context) => {
  const running = await new AppRig(context, { isFirstRun: true }).launch();
  const { chat } = running;
  const found: string[] = [];
  await chat.getByRole('heading', { name: labels.firstRun.welcome }).waitFor();
  found.push(...(await look(running, 'first-run-welcome')));
  await chat.getByRole('button', { name: labels.firstRun.begin }).click();
  await chat.getByRole('heading', { name: labels.firstRun.connect }).waitFor();
  found.push(...(await look(running, 'first-run-model')));
  await chat.getByRole('button', { name: labels.firstRun.tryGuide }).click();
  await chat.getByRole('heading', { name: labels.firstRun.chooseFolder }).waitFor();
  found.push(...(await look(running, 'first-run-folder')));
  expect(found).toEqual([]);
});
