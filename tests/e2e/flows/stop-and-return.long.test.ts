import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AppRig, type RunningApp } from '../../fixtures/electron-app.ts';
import type { ScriptedTurn } from '../../fixtures/messages-api/script.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { expectGone, type RunningProcess, stillRunning } from '../../fixtures/process-table.ts';
import { labels } from '../../fixtures/window-labels.ts';
import { User } from '../../fixtures/window-user.ts';

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

/** A background shell that ignores the request to end. */
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
  const user = new User(running);

  await user.ask('Sleep');
  await user.answers(labels.consent.allowOnce);
  const sleeps = await commandIsRunning(running);
  await running.shoot('chat-command-running');
  await user.stops();
  await expectGone(sleeps);
  await user.waits();
  await running.shoot('chat-stopped');

  await running.chat.getByRole('button', { name: labels.chat.tryAgain }).click();
  await user.sees('Here I am.');
  await running.chat.getByRole('button', { name: labels.chat.earlierAnswer }).waitFor();

  await user.ask('/bash {"command":"sleep 1001"}');
  await user.answers(labels.consent.allowOnce);
  await user.stops();
  await user.waits();
  // No model took part in it, so none can be asked again.
  await user.notice('stopped').last().waitFor();
  expect(await running.chat.getByRole('button', { name: labels.chat.tryAgain }).count()).toBe(0);
});

test('quitting ends commands and background shells too, and everything of the app within two seconds', async (context) => {
  const api = await claude([STUBBORN_SHELL, LONG_COMMAND]);
  const running = await new AppRig(context, { api: api.url }).launch();
  const user = new User(running);
  await user.ask('Sleep');
  await user.answers(labels.consent.allowOnce);
  await user.answers(labels.consent.allowOnce);
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
  await new User(first).ask('What is the answer to everything?');
  await new User(first).sees('42');
  await new User(first).waits();
  await first.close();

  const second = await rig.launch();
  const user = new User(second);
  await second.chat.getByRole('navigation', { name: labels.conversations.byDate }).getByRole('button').first().click();
  await user.sees('42');
  await user.ask('Why?');
  await user.sees('Because you asked.');
  expect(JSON.stringify(api.requests.at(-1)?.body)).toContain('What is the answer to everything?');
});

test('retries of a request are one notice that counts them, and it disappears when one succeeds', async (context) => {
  const refused = { error: { status: 500, headers: { 'retry-after': '0' } } };
  const waiting = { error: { status: 529, headers: { 'retry-after': '8' } } };
  const api = await claude([refused, refused, waiting, { text: 'Here I am.' }]);
  const rig = new AppRig(context, { api: api.url });
  const first = await rig.launch();
  const user = new User(first);
  await user.ask('Are you there?');
  await user.notice('retrying').getByText('Retrying 3 of 4').waitFor();
  expect(await user.notice('retrying').count()).toBe(1);
  await first.shoot('chat-retrying');
  await user.sees('Here I am.');
  expect(await user.notice('retrying').count()).toBe(0);
  await user.waits();
  await first.close();

  const second = await rig.launch();
  await second.chat.getByRole('navigation', { name: labels.conversations.byDate }).getByRole('button').first().click();
  await new User(second).sees('Here I am.');
  expect(await new User(second).notice('retrying').count()).toBe(0);
});

test('killed in the middle of an answer, it keeps what was shown, says so, and the conversation continues', async (context) => {
  const text = 'One sentence that was shown. And another one that never came.';
  const api = await claude([{ text, deltaCharacters: 28, stallAfterEvents: 4 }, { text: 'Whole again.' }]);
  const rig = new AppRig(context, { api: api.url });
  const first = await rig.launch();
  await new User(first).ask('Tell me');
  await new User(first).sees(/One sentence that was/);
  await first.kill();

  const second = await rig.launch();
  const user = new User(second);
  await second.chat.getByRole('navigation', { name: labels.conversations.byDate }).getByRole('button').first().click();
  await user.sees(/One sentence that was/);
  await user.notice('cut_off').waitFor();
  await second.shoot('chat-cut-off');
  await user.ask('Go on');
  await user.sees('Whole again.');
});

test('killed while a command runs: the command ends too, the call is shown as interrupted, the conversation continues', async (context) => {
  const api = await claude([LONG_COMMAND, { text: 'Noted.' }]);
  const rig = new AppRig(context, { api: api.url });
  const first = await rig.launch();
  await new User(first).ask('Sleep');
  await new User(first).answers(labels.consent.allowOnce);
  const sleeps = await commandIsRunning(first);
  await first.kill();
  await vi.waitFor(() => expect(stillRunning(sleeps)).toEqual([]), SOON);

  const second = await rig.launch();
  const user = new User(second);
  await second.chat.getByRole('navigation', { name: labels.conversations.byDate }).getByRole('button').first().click();
  await user.card('bash', 'interrupted').waitFor();
  await user.ask('What happened?');
  await user.sees('Noted.');
});

test('outside edits of config.json have no effect until they are confirmed', async (context) => {
  const rig = new AppRig(context);
  const secrets = join(rig.home, 'elsewhere');
  rig.write(join(secrets, 'plan.txt'), 'the plan');
  const running = await rig.launch();
  const user = new User(running);

  rig.writeConfig({ folders: [secrets] });
  const review = running.chat.getByRole('button', { name: labels.chat.reviewSettings });
  await review.waitFor();
  await running.shoot('chat-config-waits');
  await user.ask(`read ${join(secrets, 'plan.txt')}`);
  await user.card('read_file', 'refused').waitFor();

  await review.click();
  const question = await user.question();
  expect(await question.innerText()).toContain(secrets);
  await running.shoot('consent-grant');
  await user.answers(labels.consent.confirm);
  await review.waitFor({ state: 'detached' });
  expect(await running.chat.getByRole('status').filter({ hasText: 'folders' }).count()).toBe(0);
  await user.ask(`read ${join(secrets, 'plan.txt')}`);
  await user.sees('the plan');
});
