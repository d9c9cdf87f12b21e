import { onTestFinished, test } from 'vitest';
import { gateLack } from '../../../src-main/sandbox/installed.ts';
import { AppRig } from '../../fixtures/electron-app.ts';
import { need, needSandbox } from '../../fixtures/machine-needs.ts';
import type { ScriptedTurn } from '../../fixtures/messages-api/script.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { labels } from '../../fixtures/window-labels.ts';
import { User } from '../../fixtures/window-user.ts';

const bash = (command: string): ScriptedTurn => ({
  blocks: [{ type: 'tool_use', name: 'bash', input: { command } }],
});

test('a freely working command waits for the hosts that it wants; its card names them, and a rule is listed', async (context) => {
  needSandbox(context);
  need(context, gateLack() === undefined, `needs ${gateLack()}`);
  const api = await startMessagesApi({
    turns: [
      bash('echo hello > made'),
      bash('curl -sS http://one.invalid/ & curl -sS http://two.invalid/; wait'),
      { text: 'Tried both.' },
      bash('curl -sS http://one.invalid/; curl -sS http://one.invalid/'),
      { text: 'Tried again.' },
    ],
  });
  onTestFinished(() => api.close());
  const rig = new AppRig(context, { api: api.url });
  const running = await rig.launch();
  const user = new User(running);
  await user.ask('Make it, and try both');
  await user.always(/freely/i);
  const consent = await running.consent();
  await consent.getByRole('heading', { name: 'Let a command connect to 2 hosts?' }).waitFor();
  const both = await user.reads();
  for (const host of ['one.invalid', 'two.invalid']) await both.getByText(`connect to ${host}`).first().waitFor();
  await running.shoot('command-hosts-question');
  await user.answers(labels.consent.deny);
  await user.sees('Tried both.');
  await user.sees('one.invalid');
  await running.shoot('command-hosts-refused');
  await user.waits();

  await user.ask('Try one again');
  await consent.getByRole('heading', { name: 'Let a command connect to one.invalid?' }).waitFor();
  await user.always(/one\.invalid/);
  // The second connection of the command is covered.
  await user.sees('Tried again.');
  const rules = await user.opensSettings(labels.settings.rules);
  await rules
    .getByText(/connect to one\.invalid/)
    .first()
    .waitFor();
  await running.shoot('command-hosts-rule');
});
