import { expect, onTestFinished, type TestContext, test, vi } from 'vitest';
import { AppRig, type RunningApp } from '../../fixtures/electron-app.ts';
import { startSentMail } from '../../fixtures/google/sent-mail.ts';
import { browse, startGoogle } from '../../fixtures/google/start-google.ts';
import type { ScriptedTurn } from '../../fixtures/messages-api/script.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { labels } from '../../fixtures/window-labels.ts';
import { User } from '../../fixtures/window-user.ts';

const SOON = { timeout: 20_000, interval: 100 };
const MAIL: ScriptedTurn = {
  blocks: [
    {
      type: 'tool_use',
      name: 'gmail_send',
      input: {
        to: 'Grace Hopper <grace@example.org>, alan@partner.example',
        subject: 'Tuesday',
        body: 'Does ten o’clock suit you?\nI could also do Wednesday.\n\nAda',
      },
    },
  ],
};

async function windowWithGmail(context: TestContext, turns: readonly ScriptedTurn[], outboxSeconds = 600) {
  const [google, gmail, api] = await Promise.all([startGoogle(), startSentMail(), startMessagesApi({ turns })]);
  onTestFinished(() => api.close());
  gmail.token = undefined;
  const endpoints = { ...google.endpoints, googleApis: gmail.url };
  const rig = new AppRig(context, { api: api.url, config: { endpoints, outboxSeconds } });
  const launch = async () => {
    const running = await rig.launch({ env: google.env });
    await running.app.evaluate(({ shell }) => {
      Object.assign(globalThis, { opened: [] });
      shell.openExternal = async (url) => void Reflect.get(globalThis, 'opened').push(url);
    });
    return { running, user: new User(running) };
  };
  const first = await launch();
  await first.running.chat.getByRole('button', { name: labels.chat.reviewSettings }).click();
  for (let asked = 0; asked < 3; asked += 1) await first.user.answers(labels.consent.confirm);
  return { rig, gmail, launch, ...first };
}

/** The user signs in in their own browser. */
async function signsIn(running: RunningApp): Promise<void> {
  const opened = () => running.app.evaluate(() => Reflect.get(globalThis, 'opened') as string[]);
  await vi.waitFor(async () => expect(await opened()).toHaveLength(1), SOON);
  await browse((await opened())[0] ?? '');
}

test('an approved mail waits on its card, can be undone, and is sent once', async (context) => {
  const { running, user, gmail } = await windowWithGmail(context, [
    MAIL,
    { text: 'I have not sent it.' },
    MAIL,
    { text: 'It is sent.' },
    MAIL,
  ]);
  await user.ask('Write to Grace and Alan');
  const question = await user.reads();
  await running.shoot('mail-question');
  expect(await question.innerText()).toContain('alan@partner.example');
  await user.answers(labels.consent.allowOnce);
  await user.answers(labels.consent.confirm);
  await signsIn(running);
  const undo = running.chat.getByRole('button', { name: labels.chat.undoSend });
  await undo.waitFor();
  await running.shoot('mail-waiting');
  await undo.click();
  await running.chat.getByText('Not sent').first().waitFor();
  await user.waits();
  await running.shoot('mail-undone');
  expect(gmail.requests.filter((each) => each.startsWith('POST'))).toEqual([]);

  await user.ask('Write to Grace and Alan');
  await user.answers(labels.consent.allowOnce);
  await running.chat.getByRole('button', { name: labels.chat.sendNow }).click();
  await user.sees('It is sent.');
  await running.shoot('mail-sent');
  expect(gmail.sent).toHaveLength(1);

  await running.chat.emulateMedia({ colorScheme: 'dark' });
  await running.app.evaluate(({ nativeTheme }) => {
    nativeTheme.themeSource = 'dark';
  });
  await user.ask('Write to Grace and Alan');
  await user.reads();
  await running.shoot('mail-question-dark');
  await user.answers(labels.consent.allowOnce);
  await undo.waitFor();
  await running.shoot('mail-waiting-dark');
});

test('if Steward is killed while a mail waits, the next start asks, and the card shows what became of the mail', async (context) => {
  const { running, user, gmail, launch } = await windowWithGmail(context, [MAIL]);
  await user.ask('Write to Grace and Alan');
  await user.answers(labels.consent.allowOnce);
  await user.answers(labels.consent.confirm);
  await signsIn(running);
  await running.chat.getByRole('button', { name: labels.chat.undoSend }).waitFor();
  await running.kill();

  const next = await launch();
  const question = await next.user.question();
  await next.user.reads();
  await next.running.shoot('mail-left');
  expect(await question.innerText()).toContain('Wednesday');
  expect(gmail.sent).toEqual([]);
  await next.user.answers(labels.consent.doNotSend);
  await next.running.chat.getByText('Not sent: you decided against it').waitFor();
  await next.running.shoot('mail-dropped');
  expect(gmail.sent).toEqual([]);
});

test('closing the window asks about mail that waits, and nothing is sent while it asks', async (context) => {
  const { running, user, gmail } = await windowWithGmail(context, [MAIL], 8);
  await running.app.evaluate(({ dialog }) => {
    const answers: ((value: { response: number }) => void)[] = [];
    Object.assign(globalThis, { answers });
    dialog.showMessageBox = () =>
      new Promise((resolve) => answers.push(({ response }) => resolve({ response, checkboxChecked: false })));
  });
  const closes = () => running.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  const asked = () => running.app.evaluate(() => Reflect.get(globalThis, 'answers').length);
  const answers = (response: number) =>
    running.app.evaluate(
      (_electron, chosen) => Reflect.get(globalThis, 'answers').at(-1)({ response: chosen }),
      response,
    );

  await user.ask('Write to Grace and Alan');
  await user.answers(labels.consent.allowOnce);
  await user.answers(labels.consent.confirm);
  await signsIn(running);
  const countdown = running.chat.getByRole('timer');
  await countdown.waitFor();
  await closes();
  await vi.waitFor(async () => expect(await asked()).toBe(1), SOON);
  // It would be sent now.
  await countdown.getByText('Sending', { exact: true }).waitFor();
  expect(gmail.sent).toEqual([]);
  // Cancel: the rest of the wait goes on.
  await answers(2);
  await countdown.getByText(/\d/).waitFor();
  await closes();
  await vi.waitFor(async () => expect(await asked()).toBe(2), SOON);
  // Don’t send. The window may be gone before it can say so.
  await answers(1).catch(() => undefined);
  await running.ended;
  expect(gmail.sent).toEqual([]);
});

test('closing asks about the mail, then about the answer in another conversation', async (context) => {
  const { running, user, gmail } = await windowWithGmail(context, [
    MAIL,
    { text: 'One sentence. And another one that never came.', deltaCharacters: 12, stallAfterEvents: 4 },
    { text: 'I have not sent it.' },
  ]);
  await running.app.evaluate(({ dialog }) => {
    const asked: string[] = [];
    Object.assign(globalThis, { asked });
    const answer = async (_window: unknown, { message, buttons = [] }: Electron.MessageBoxOptions) => {
      asked.push(message);
      const response = buttons.findIndex((label) => label.startsWith('Don') || label === 'Cancel');
      return { response, checkboxChecked: false };
    };
    Object.assign(dialog, { showMessageBox: answer });
  });
  await user.ask('Write to Grace and Alan');
  await user.answers(labels.consent.allowOnce);
  await user.answers(labels.consent.confirm);
  await signsIn(running);
  await running.chat.getByRole('button', { name: labels.chat.undoSend }).waitFor();
  await running.chat.keyboard.press('Control+N');
  await user.ask('Plan the trip');
  await user.sees(/One sentence/);
  await running.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  const asked = () => running.app.evaluate(() => Reflect.get(globalThis, 'asked') as string[]);
  await vi.waitFor(async () => expect(await asked()).toHaveLength(2), SOON);
  expect((await asked())[1]).toMatch(/^Steward is still answering/);
  await user.sees(/One sentence/);
  expect(gmail.sent).toEqual([]);
});
