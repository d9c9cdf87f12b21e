import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { AppRig } from '../../fixtures/electron-app.ts';
import { needSandbox } from '../../fixtures/machine-needs.ts';
import type { ScriptedTurn } from '../../fixtures/messages-api/script.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { labels } from '../../fixtures/window-labels.ts';
import { User } from '../../fixtures/window-user.ts';

async function claude(turns: readonly ScriptedTurn[]) {
  const api = await startMessagesApi({ turns });
  onTestFinished(() => api.close());
  return api;
}

const call = (name: string, input: object): ScriptedTurn => ({ blocks: [{ type: 'tool_use', name, input }] });

test('Claude reads without asking, and writes once the user allowed exactly that', async (context) => {
  const api = await claude([
    call('read_file', { file_path: 'list.txt' }),
    {
      blocks: [
        { type: 'text', text: 'I will add the eggs.' },
        { type: 'tool_use', name: 'write_file', input: { file_path: 'list.txt', content: 'milk\nbread\neggs\n' } },
      ],
    },
    { text: 'The list has **eggs** now.' },
  ]);
  const rig = new AppRig(context, { api: api.url, files: { 'list.txt': 'milk\nbread\n' } });
  const running = await rig.launch();
  const user = new User(running);

  await user.ask('Add eggs to the list');
  const question = await user.question();
  await user.card('read_file', 'done').waitFor();
  await user.card('write_file', 'waiting').waitFor();
  expect(await question.innerText()).toMatch(/list[.]txt[\s\S]*eggs/);
  expect(readFileSync(join(rig.workspace, 'list.txt'), 'utf8')).toBe('milk\nbread\n');
  await running.shoot('consent-write');

  await user.answers(labels.consent.allowOnce);
  await user.sees('eggs now');
  await user.card('write_file', 'done').waitFor();
  expect(readFileSync(join(rig.workspace, 'list.txt'), 'utf8')).toBe('milk\nbread\neggs\n');
  await user.waits();
  await running.shoot('chat-turn-ended');
});

test('a call that is denied with feedback is not made, and the model gets the feedback', async (context) => {
  const api = await claude([
    call('write_file', { file_path: 'wrong.txt', content: 'x' }),
    { text: 'Then I will leave it.' },
  ]);
  const rig = new AppRig(context, { api: api.url });
  const running = await rig.launch();
  const user = new User(running);

  await user.ask('Write a file');
  await user.deniesWith('Not there: put it into notes instead');
  await user.sees('Then I will leave it.');
  await user.card('write_file', 'denied').waitFor();
  expect(JSON.stringify(api.requests.at(-1)?.body)).toContain('Not there: put it into notes instead');
  expect(existsSync(join(rig.workspace, 'wrong.txt'))).toBe(false);
  await running.shoot('chat-denied');
});

test('an allowed action does not ask again, is listed with its use, and asks again once it is revoked', async (context) => {
  const write = (name: string) => call('write_file', { file_path: `drafts/${name}.txt`, content: name });
  const api = await claude([
    write('one'),
    { text: 'First.' },
    write('two'),
    { text: 'Second.' },
    write('three'),
    { text: 'Third.' },
  ]);
  const rig = new AppRig(context, { api: api.url, files: { 'drafts/zero.txt': '' } });
  const running = await rig.launch();
  const user = new User(running);

  await user.ask('Write one');
  await user.answers(labels.consent.allowMore);
  await (await user.question()).getByRole('radio').first().waitFor();
  await running.shoot('consent-allow-more');
  await user.always(/drafts/);
  await user.sees('First.');
  await user.ask('Write two');
  await user.sees('Second.');
  expect(readFileSync(join(rig.workspace, 'drafts/two.txt'), 'utf8')).toBe('two');

  const rules = await user.opensSettings(labels.settings.rules);
  await rules.getByRole('article').getByText(`${rig.workspace}/drafts`).waitFor();
  await running.shoot('settings-rules');
  await rules.getByRole('button', { name: labels.settings.revoke }).click();
  await rules.getByRole('article').waitFor({ state: 'detached' });
  await user.closesSettings();

  await user.ask('Write three');
  await user.question();
  expect(existsSync(join(rig.workspace, 'drafts/three.txt'))).toBe(false);
  await user.answers(labels.consent.deny);
  await user.sees('Third.');
});

test('Steward may work freely in a folder for a week: it asks no more, and Settings says until when', async (context) => {
  needSandbox(context);
  const api = await claude([
    call('write_file', { file_path: 'one.txt', content: 'one' }),
    { text: 'First.' },
    call('bash', { command: 'cp one.txt two.txt' }),
    { text: 'Second.' },
  ]);
  const rig = new AppRig(context, { api: api.url });
  const running = await rig.launch();
  const user = new User(running);

  await user.ask('Write one');
  await user.forWeek(/^Working freely/);
  await user.sees('First.');
  await user.ask('Copy it');
  await user.sees('Second.');
  expect(readFileSync(join(rig.workspace, 'two.txt'), 'utf8')).toBe('one');

  const rules = await user.opensSettings(labels.settings.rules);
  const rule = rules.getByRole('article').filter({ hasText: `work freely in ${rig.workspace}` });
  await rule.getByText(/^until /).waitFor();
  await running.shoot('settings-rule-for-week');
});

test('in Settings, Steward is let work freely in a folder and asks again, by the keyboard and after a question', async (context) => {
  needSandbox(context);
  const rig = new AppRig(context);
  const running = await rig.launch();
  const user = new User(running);
  const folders = await user.opensSettings(labels.settings.folders);
  const line = folders.getByRole('group', { name: `Work freely in ${rig.workspace}` });
  await line.getByText('asks', { exact: true }).waitFor();

  await line.getByRole('button', { name: /for a week$/ }).press('Enter');
  await user.answers(labels.consent.confirm);
  await line.getByText(/^until /).waitFor();
  await user.chat.getByRole('tab', { name: labels.settings.rules }).click();
  await user.chat.getByText(`work freely in ${rig.workspace}`).waitFor();
  await user.chat.getByRole('tab', { name: labels.settings.folders }).click();

  await line.getByRole('button', { name: /^Ask again in/ }).press('Enter');
  await line.getByText('asks', { exact: true }).waitFor();
});

test('a question survives a reload of the chat, and is answered by the keyboard alone', async (context) => {
  const api = await claude([call('write_file', { file_path: 'kept.txt', content: 'kept' }), { text: 'Written.' }]);
  const rig = new AppRig(context, { api: api.url });
  const running = await rig.launch();
  const user = new User(running);

  await user.ask('Write it');
  await user.question();
  await running.chat.reload();
  const question = await user.question();
  await question.getByRole('button', { name: labels.consent.allowOnce }).and(question.locator(':enabled')).waitFor();
  await (await running.consent()).keyboard.press('Control+Enter');
  await user.sees('Written.');
  expect(readFileSync(join(rig.workspace, 'kept.txt'), 'utf8')).toBe('kept');
});
