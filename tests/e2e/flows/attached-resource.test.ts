import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { AppRig } from '../../fixtures/electron-app.ts';
import { needOrdinaryUser } from '../../fixtures/machine-needs.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { labels } from '../../fixtures/window-labels.ts';
import { User } from '../../fixtures/window-user.ts';

const SERVER = fileURLToPath(new URL('../../fixtures/mcp/changing-server.mjs', import.meta.url));

test('an attached resource that changes before the message is sent says so on its chip, and its new text is sent', async (context) => {
  // The app starts the server, and the app isn't root.
  needOrdinaryUser(context);
  const api = await startMessagesApi({ turns: [{ text: 'Seen.' }], afterLast: 'repeat' });
  onTestFinished(() => api.close());
  const folder = mkdtempSync(join(tmpdir(), 'steward-note-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  // The app may run as another user.
  chmodSync(folder, 0o755);
  const note = join(folder, 'note');
  writeFileSync(note, 'Tea at four.');
  const rig = new AppRig(context, {
    api: api.url,
    config: { mcpServers: { notes: { command: process.execPath, args: [SERVER, note] } } },
  });
  const running = await rig.launch();
  const user = new User(running);
  const { chat } = running;
  await chat.getByRole('button', { name: labels.chat.reviewSettings, exact: true }).first().click();
  // The server, and then what it says of its tools.
  await user.answers(labels.consent.confirm);
  await user.answers(labels.consent.confirm);

  await chat.getByRole('textbox', { name: labels.chat.message }).focus();
  await chat.keyboard.type('When is @now');
  await expect
    .poll(() => chat.getByRole('option', { selected: true }).textContent(), { timeout: 20_000 })
    .toContain('now');
  await chat.keyboard.press('Enter');
  const chips = chat.getByRole('list', { name: labels.chat.attachments });
  await chips.getByText('now').first().waitFor();
  await chat.keyboard.type('tea?');
  await chips.getByRole('status').waitFor({ state: 'hidden' });
  await expect
    .poll(
      () => {
        // Once it is watched, a change of it is shown.
        writeFileSync(note, `Tea at five. ${Date.now()}`);
        return chips.getByRole('status').textContent();
      },
      { timeout: 30_000, interval: 3_000 },
    )
    .toContain('Updated');
  await running.shoot('resource-updated');
  await chat.keyboard.press('Enter');
  await user.sees('Seen.');
  expect(JSON.stringify(api.requests.at(-1)?.body)).toContain('Tea at five.');
  await chips.waitFor({ state: 'detached' });
});
