import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AppRig, type RunningApp } from '../../fixtures/electron-app.ts';
import type { ScriptedTurn } from '../../fixtures/messages-api/script.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { expectGone, type RunningProcess, stillRunning } from '../../fixtures/process-table.ts';
import { labels } from '../../fixtures/window-labels.ts';
import { Person } from '../../fixtures/window-person.ts';

const SOON = { timeout: 20_000 };

async function claude(turns: readonly ScriptedTurn[]) {
  const api = await startMessagesApi({ turns });
  onTestFinished(() => api.close());
  return api;
}

/** A command that has children and grandchildren, none of which ends by itself. */
const LONG_COMMAND: ScriptedTurn = {
  blocks: [{ type: 'tool_use', name: 'bash', input: { command: '(sleep 1001 & sleep 1002) & sleep 1003' } }],
};

/** The same in the background, deaf to the request to end. */
const STUBBORN_SHELL: ScriptedTurn = {
  blocks: [
    {
      type: 'tool_use',
      name: 'bash',
      input: { command: 'trap "" TERM; setsid sleep 1004 & sleep 1005; sleep 1006', run_in_background: true },
    },
  ],
};

async function commandIsRunning(running: RunningApp): Promise<RunningProcess[]> {
  const sleeps = () => running.processes().filter(({ command }) => /^sleep 100[123]$/.test(command));
  await vi.waitFor(() => expect(sleeps()).toHaveLength(3), SOON);
  return sleeps();
}

test('Stop ends a running command with everything that it started, and the conversation continues', async (context) => {
  const api = await claude([LONG_COMMAND, { text: 'Here I am.' }]);
  const rig = new AppRig(context, { api: api.url });
  const running = await rig.launch();
  const person = new Person(running);

  await person.ask('Sleep');
  await person.answers(labels.consent.allowOnce);
  const sleeps = await commandIsRunning(running);
  await running.shoot('chat-command-running');
  await person.stops();
  await expectGone(sleeps);
  await person.waits();
  await running.shoot('chat-stopped');

  await running.chat.getByRole('button', { name: labels.chat.tryAgain }).click();
  await person.sees('Here I am.');
  await running.chat.getByRole('button', { name: labels.chat.earlierAnswer }).waitFor();

  await person.ask('/bash {"command":"sleep 1001"}');
  await person.answers(labels.consent.allowOnce);
  await person.stops();
  await person.waits();
  // No model took part in it, so none can be asked again.
  await person.notice('stopped').last().waitFor();
  expect(await running.chat.getByRole('button', { name: labels.chat.tryAgain }).count()).toBe(0);
});

test('quitting ends commands and background shells too, and everything of the app within two seconds', async (context) => {
  const api = await claude([STUBBORN_SHELL, LONG_COMMAND]);
  const running = await new AppRig(context, { api: api.url }).launch();
  const person = new Person(running);
  await person.ask('Sleep');
  await person.answers(labels.consent.allowOnce);
  await person.answers(labels.consent.allowOnce);
  await commandIsRunning(running);
  const inBackground = () => running.processes().filter(({ command }) => /^sleep 100[45]$/.test(command));
  await vi.waitFor(() => expect(inBackground()).toHaveLength(2), SOON);
  const all = running.processes();
  void running.app.evaluate(({ app }) => app.quit()).catch(() => undefined);
  await expectGone(all);
});

test('after quitting and restarting everything is restored, and the conversation continues', async (context) => {
  const api = await claude([{ text: 'The answer is **42**.' }, { text: 'Because you asked.' }]);
  const rig = new AppRig(context, { api: api.url });
  const first = await rig.launch();
  await new Person(first).ask('What is the answer to everything?');
  await new Person(first).sees('42');
  await new Person(first).waits();
  await first.close();

  const second = await rig.launch();
  const person = new Person(second);
  await second.chat.getByRole('navigation', { name: labels.conversations.byDate }).getByRole('button').first().click();
  await person.sees('42');
  await person.ask('Why?');
  await person.sees('Because you asked.');
  expect(JSON.stringify(api.requests.at(-1)?.body)).toContain('What is the answer to everything?');
});

test('retries of a request are one notice that counts them, and it disappears when one succeeds', async (context) => {
  const refused = { error: { status: 500, headers: { 'retry-after': '0' } } };
  const waiting = { error: { status: 529, headers: { 'retry-after': '8' } } };
  const api = await claude([refused, refused, waiting, { text: 'Here I am.' }]);
  const rig = new AppRig(context, { api: api.url });
  const first = await rig.launch();
  const person = new Person(first);
  await person.ask('Are you there?');
  await person.notice('retrying').getByText('Retrying 3 of 4').waitFor();
  expect(await person.notice('retrying').count()).toBe(1);
  await first.shoot('chat-retrying');
  await person.sees('Here I am.');
  expect(await person.notice('retrying').count()).toBe(0);
  await person.waits();
  await first.close();

  const second = await rig.launch();
  await second.chat.getByRole('navigation', { name: labels.conversations.byDate }).getByRole('button').first().click();
  await new Person(second).sees('Here I am.');
  expect(await new Person(second).notice('retrying').count()).toBe(0);
});

test('killed in the middle of an answer, it keeps what was shown, says so, and the conversation continues', async (context) => {
  const text = 'One sentence that was shown. And another one that never came.';
  const api = await claude([{ text, deltaCharacters: 28, stallAfterEvents: 4 }, { text: 'Whole again.' }]);
  const rig = new AppRig(context, { api: api.url });
  const first = await rig.launch();
  await new Person(first).ask('Tell me');
  await new Person(first).sees(/One sentence that was/);
  await first.kill();

  const second = await rig.launch();
  const person = new Person(second);
  await second.chat.getByRole('navigation', { name: labels.conversations.byDate }).getByRole('button').first().click();
  await person.sees(/One sentence that was/);
  await person.notice('cut_off').waitFor();
  await second.shoot('chat-cut-off');
  await person.ask('Go on');
  await person.sees('Whole again.');
});

test('killed while a command runs: the command ends too, the call is shown as interrupted, the conversation continues', async (context) => {
  const api = await claude([LONG_COMMAND, { text: 'Noted.' }]);
  const rig = new AppRig(context, { api: api.url });
  const first = await rig.launch();
  await new Person(first).ask('Sleep');
  await new Person(first).answers(labels.consent.allowOnce);
  const sleeps = await commandIsRunning(first);
  await first.kill();
  await vi.waitFor(() => expect(stillRunning(sleeps)).toEqual([]), SOON);

  const second = await rig.launch();
  const person = new Person(second);
  await second.chat.getByRole('navigation', { name: labels.conversations.byDate }).getByRole('button').first().click();
  await person.card('bash', 'interrupted').waitFor();
  await person.ask('What happened?');
  await person.sees('Noted.');
});

test('outside edits of config.json have no effect until they are confirmed', async (context) => {
  const rig = new AppRig(context);
  const secrets = join(rig.home, 'elsewhere');
  rig.write(join(secrets, 'plan.txt'), 'the plan');
  const running = await rig.launch();
  const person = new Person(running);

  rig.writeConfig({ folders: [secrets] });
  const review = running.chat.getByRole('button', { name: labels.chat.reviewSettings });
  await review.waitFor();
  await running.shoot('chat-config-waits');
  await person.ask(`read ${join(secrets, 'plan.txt')}`);
  await person.card('read_file', 'refused').waitFor();

  await review.click();
  const question = await person.question();
  expect(await question.innerText()).toContain(secrets);
  await running.shoot('consent-grant');
  await person.answers(labels.consent.confirm);
  await review.waitFor({ state: 'detached' });
  expect(await running.chat.getByRole('status').filter({ hasText: 'folders' }).count()).toBe(0);
  await person.ask(`read ${join(secrets, 'plan.txt')}`);
  await person.sees('the plan');
});
