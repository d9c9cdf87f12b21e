import { expect, onTestFinished, test } from 'vitest';
import { AppRig } from '../../fixtures/electron-app.ts';
import type { ScriptedTurn } from '../../fixtures/messages-api/script.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { labels } from '../../fixtures/window-labels.ts';
import { User } from '../../fixtures/window-user.ts';

const EVERYTHING = import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js').slice(7);
const call = (name: string, input: object): ScriptedTurn => ({
  blocks: [{ type: 'tool_use', name: `everything__${name}`, input }],
});

test('a server’s form is filled in by keyboard in the consent view, and the model is asked for a server after a yes', async (context) => {
  const api = await startMessagesApi({
    turns: [
      call('trigger-elicitation-request', {}),
      call('trigger-sampling-request', { prompt: 'What is new?', maxTokens: 60 }),
      { text: 'The server’s own answer.' },
      { text: 'Both are done.' },
    ],
  });
  onTestFinished(() => api.close());
  const rig = new AppRig(context, {
    api: api.url,
    config: {
      mcpServers: {
        everything: {
          command: process.execPath,
          args: [EVERYTHING],
          timeoutSeconds: 20,
          classes: { 'trigger-elicitation-request': 'read', 'trigger-sampling-request': 'read' },
        },
      },
    },
  });
  const running = await rig.launch();
  const user = new User(running);
  await user.chat.getByRole('button', { name: labels.chat.reviewSettings }).first().click();
  // The server, what its tools do, and what it says of them.
  for (const title of ['Start this program on your computer?', 'Treat these tools like this?', /^Use the tools of/]) {
    await (await running.consent()).getByRole('heading', { name: title }).waitFor();
    await user.answers(labels.consent.confirm);
  }
  await (await running.consent()).getByRole('alertdialog').waitFor({ state: 'detached' });

  await user.ask('Ask me and the model');
  const page = await running.consent();
  await page.getByRole('textbox', { name: /^String required/ }).waitFor();
  await running.shoot('consent-form-docked');
  const form = await user.reads();
  // By keyboard alone: into the question, to the first field, and away.
  await user.chat.keyboard.press('F6');
  await form.getByRole('textbox', { name: /^String required/ }).focus();
  // Keys are ignored for half a second after the view has moved, and after each ignored key.
  await expect
    .poll(
      async () => {
        await page.keyboard.press('Control+Enter');
        return form.locator('[data-invalid]').count();
      },
      { interval: 1_000 },
    )
    .toBeGreaterThan(0);
  await running.shoot('consent-form-incomplete');
  await page.keyboard.type('Ada Lovelace');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  const asksModel = page.getByRole('heading', { name: /^Let “everything” ask your model/ });
  await expect
    .poll(
      async () => {
        if ((await asksModel.count()) === 0) await page.keyboard.press('Control+Enter');
        return asksModel.count();
      },
      { interval: 1_000 },
    )
    .toBe(1);
  const sampling = await user.reads();
  expect(await sampling.innerText()).toMatch(/You are a helpful test server[.][\s\S]*What is new[?]/);
  await running.shoot('consent-sampling-docked');
  const before = api.requests.length;
  await user.answers(labels.consent.allowOnce);
  await user.sees('Both are done.');
  await user.waits();
  await running.shoot('chat-server-questions');

  const bodies = api.requests.map(({ body }) => JSON.stringify(body));
  // What was entered came back in the result of the call, so the server got it.
  expect(bodies[before - 1]).toContain('Ada Lovelace');
  expect(bodies[before]).toContain('You are a helpful test server.');
  expect(bodies[before]).not.toContain('Ask me and the model');
  expect(await user.notice('server_request').count()).toBe(2);
});
