import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright';
import { expect, onTestFinished, test } from 'vitest';
import { AppRig, type RunningApp } from '../fixtures/electron-app.ts';
import { startMessagesApi } from '../fixtures/messages-api/server.ts';
import { Person } from '../fixtures/window-person.ts';

const THEMES = ['light', 'dark'] as const;
const SECTIONS = ['Models and keys', 'Folders', 'Tools', 'Rules', 'Appearance', 'Data', 'About'];

/** Findings of axe in one page; each names the rule and the element. */
async function findings(page: Page): Promise<string[]> {
  // Electron cannot open the page that axe would gather its findings in.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target}: ${failureSummary}`),
  );
}

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
    found.push(...(await findings(page)).map((finding) => `${name}, ${theme}: ${finding}`));
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
  const person = new Person(running);
  const found: string[] = [];

  await running.chat.getByRole('heading', { name: 'What should we work on?' }).waitFor();
  found.push(...(await look(running, 'chat-empty')));
  await person.ask('What is here?');
  await person.sees('Quoted as it stands.');
  await person.waits();
  found.push(...(await look(running, 'chat-answer')));

  await person.ask('Change the notes');
  await person.question();
  found.push(...(await look(running, 'chat-asking')));
  found.push(...(await look(running, 'consent-asking', await running.consent())));
  await person.answers('Deny');
  await person.waits();
  await person.card('Read file: Failed').getByRole('button').first().click();
  await person.card('Write file: Denied').getByRole('button').first().click();
  found.push(...(await look(running, 'chat-cards')));

  await running.chat.getByRole('textbox', { name: 'Message' }).fill('/');
  await running.chat.getByRole('listbox').waitFor();
  found.push(...(await look(running, 'chat-slash-menu')));
  expect(found).toEqual([]);
});

test('the settings are accessible in both themes', async (context) => {
  const running = await new AppRig(context).launch();
  const person = new Person(running);
  const found: string[] = [];
  await person.opensSettings('Models and keys');
  for (const section of SECTIONS) {
    await running.chat.getByRole('tab', { name: section }).click();
    await running.chat.getByRole('tabpanel', { name: section }).waitFor();
    found.push(...(await look(running, `settings-${section.split(' ')[0]?.toLowerCase()}`)));
  }
  expect(found).toEqual([]);
});

test('the first run is accessible in both themes', async (context) => {
  const running = await new AppRig(context, { isFirstRun: true }).launch();
  const { chat } = running;
  const found: string[] = [];
  await chat.getByRole('heading', { name: 'Welcome to Steward' }).waitFor();
  found.push(...(await look(running, 'first-run-welcome')));
  await chat.getByRole('button', { name: 'Set up Steward' }).click();
  await chat.getByRole('heading', { name: 'Connect a model' }).waitFor();
  found.push(...(await look(running, 'first-run-model')));
  await chat.getByRole('button', { name: /Try the Guide/ }).click();
  await chat.getByRole('heading', { name: 'Choose a folder' }).waitFor();
  found.push(...(await look(running, 'first-run-folder')));
  expect(found).toEqual([]);
});
