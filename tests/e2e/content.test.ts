import { chownSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStorage } from '../../src-main/storage/storage.ts';
import { AppRig } from '../fixtures/electron-app.ts';
import { INJECTIONS } from '../fixtures/markdown-injections.ts';
import { startMessagesApi } from '../fixtures/messages-api/server.ts';
import { User } from '../fixtures/window-user.ts';

const TURNS = 1_000;

test('an answer full of script injections runs nothing, opens nothing and fetches nothing', async (context) => {
  const api = await startMessagesApi({
    turns: [{ text: `${INJECTIONS.join('\n\n')}\n\nThat was all.`, deltaCharacters: 200 }],
  });
  onTestFinished(() => api.close());
  const rig = new AppRig(context, { api: api.url });
  const running = await rig.launch();
  const user = new User(running);
  const seen: string[] = [];
  running.chat.on('request', (request) => seen.push(request.url()));
  running.chat.on('dialog', (dialog) => {
    seen.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const address = running.chat.url();

  await user.ask('Show me what can go wrong');
  await user.sees('That was all.');
  await user.waits();

  expect(seen.filter((url) => !url.startsWith('steward://app/'))).toEqual([]);
  expect(new URL(running.chat.url()).origin).toBe(new URL(address).origin);
  const active =
    'script:not([src^="./"], [src^="/"]), iframe, object, embed, form[action], base, img[src^="http"], video, audio, svg script';
  expect(await running.chat.getByRole('log').locator(active).count()).toBe(0);
  await running.shoot('chat-injections');
});

test(`a conversation of ${TURNS} turns opens at its end and keeps only a part of it in the page`, async (context) => {
  const rig = new AppRig(context);
  mkdirSync(rig.profile, { recursive: true });
  const owner = statSync(rig.profile);
  const storage = await openStorage({ directory: rig.profile });
  const { id } = storage.conversations.create({ workspace: rig.workspace, model: 'guide', title: 'A long story' });
  for (let turn = 0; turn < TURNS; turn += 1) {
    storage.events.appendAll(id, `turn-${turn}`, [
      { type: 'user_message', content: [{ type: 'text', text: `Question ${turn}` }] },
      { type: 'block', block: { type: 'text', text: `Answer ${turn}: **some** text with \`code\`.` } },
      { type: 'turn_end', stopReason: 'end_turn' },
    ]);
  }
  await storage.close();
  giveTo(rig.profile, owner);

  const running = await rig.launch();
  const { chat } = running;
  await chat.getByText('A long story').first().click();
  await chat
    .getByRole('log')
    .getByText(`Question ${TURNS - 1}`)
    .waitFor();
  expect(
    await chat
      .getByRole('log')
      .getByText(/^Question \d+$/)
      .count(),
  ).toBeLessThan(TURNS / 4);
  const user = new User(running);
  await user.ask('what time is it');
  await user.waits();
  await running.shoot('chat-long');
});

/** What the test wrote as root has to be the app's own, as if it had written it. */
function giveTo(folder: string, { uid, gid }: { readonly uid: number; readonly gid: number }): void {
  chownSync(folder, uid, gid);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) giveTo(path, { uid, gid });
    else chownSync(path, uid, gid);
  }
}
