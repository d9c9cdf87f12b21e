import { expect, onTestFinished, test } from 'vitest';
import { AppRig, type RunningApp } from '../../fixtures/electron-app.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { labels } from '../../fixtures/window-labels.ts';
import { User } from '../../fixtures/window-user.ts';

const LINE = `${'lorem ipsum dolor sit amet '.repeat(3).trim()}\n`;

/** What a user copied in another program, pasted with the keys. */
async function pastes({ app, chat }: RunningApp, text: string): Promise<void> {
  await app.evaluate(({ clipboard }, copied) => clipboard.writeText(copied), text);
  await chat.getByRole('textbox', { name: labels.chat.message }).click();
  await chat.keyboard.press('ControlOrMeta+V');
}

const chips = ({ chat }: RunningApp) => chat.getByRole('list', { name: labels.chat.attachments }).getByRole('listitem');

/**
 * Keys, each of them drawn before the next. The time of the quickest, in ms: others may have waited for a busy machine.
 */
async function typesDrawn({ chat }: RunningApp, text: string): Promise<number> {
  const times: number[] = [];
  for (const key of text) {
    const since = performance.now();
    await chat.keyboard.press(key);
    await chat.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    times.push(performance.now() - since);
  }
  return Math.min(...times);
}

test('a paste of 5 MB becomes a chip that can be opened and removed, and typing stays fast', async (context) => {
  const api = await startMessagesApi({ turns: [{ text: 'It is Latin.' }] });
  onTestFinished(() => api.close());
  const running = await new AppRig(context, { api: api.url }).launch();
  const { chat } = running;
  const user = new User(running);
  const message = chat.getByRole('textbox', { name: labels.chat.message });
  const long = LINE.repeat(Math.ceil(5_000_000 / LINE.length));

  await user.writes('what ');
  const beforePaste = await typesDrawn(running, 'is th');
  await pastes(running, long);
  await chips(running).waitFor();
  const afterPaste = await typesDrawn(running, 'is?');
  // A key took a hundred times longer while the text was in the message field.
  expect(afterPaste).toBeLessThan(5 * beforePaste + 50);
  expect(await message.inputValue()).toBe('what is this?');
  await running.shoot('paste-5-mb');

  await chips(running).getByRole('button', { name: labels.chat.openAttachment }).click();
  const dialog = chat.getByRole('dialog');
  await dialog.waitFor();
  expect(await dialog.getByRole('button', { name: labels.chat.writeAttachment }).count()).toBe(0);
  await running.shoot('paste-opened');
  await dialog.getByRole('button', { name: labels.chat.removeAttachment }).click();
  await chips(running).waitFor({ state: 'detached' });
  expect(await message.inputValue()).toBe('what is this?');

  await pastes(running, long);
  await chips(running).waitFor();
  await message.press('Enter');
  await user.sees('It is Latin.');
  await running.shoot('paste-sent');
  const [request] = api.requests;
  const sent = JSON.stringify(request?.body);
  expect(sent).toMatch(/you are given its first [\d,]+ of 5,0\d\d,\d{3} characters/);
  expect(sent.length).toBeLessThan(2_000_000);
});

test('a small enough paste can be moved back into the message; one over 20 MB changes nothing', async (context) => {
  const running = await new AppRig(context).launch();
  const { chat } = running;
  const message = chat.getByRole('textbox', { name: labels.chat.message });
  await new User(running).writes('read this:');
  await pastes(running, LINE.repeat(400));
  await chips(running).getByRole('button', { name: labels.chat.openAttachment }).click();
  await chat.getByRole('dialog').getByRole('button', { name: labels.chat.writeAttachment }).click();
  await chips(running).waitFor({ state: 'detached' });
  const written = `read this:\n\n${LINE.repeat(400)}`;
  expect(await message.inputValue()).toBe(written);

  await pastes(running, 'x'.repeat(20_000_001));
  await chat.getByRole('alert').waitFor();
  await running.shoot('paste-refused');
  expect(await message.inputValue()).toBe(written);
  expect(await chips(running).count()).toBe(0);
});
