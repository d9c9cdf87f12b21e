import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, type TestContext, test } from 'vitest';
import { AppRig, type RunningApp } from '../../fixtures/electron-app.ts';
import type { ScriptedTurn } from '../../fixtures/messages-api/script.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { labels } from '../../fixtures/window-labels.ts';
import { User } from '../../fixtures/window-user.ts';

const SOON = { timeout: 20_000, interval: 100 };

const touch = (name: string): ScriptedTurn => ({
  blocks: [{ type: 'tool_use', name: 'bash', input: { command: `touch ${name}` } }],
});

async function windowWith(context: TestContext, turns: readonly ScriptedTurn[]) {
  const api = await startMessagesApi({ turns });
  onTestFinished(() => api.close());
  const rig = new AppRig(context, { api: api.url });
  const running = await rig.launch();
  return { rig, running, user: new User(running), api };
}

/** The bounds of the consent surface in the window, or null if it is not shown. */
function surface(running: RunningApp) {
  return running.app.evaluate(async ({ BrowserWindow, webContents }) => {
    const consent = webContents.getAllWebContents().find((each) => each.getURL().startsWith('steward://consent/'));
    const views = BrowserWindow.getAllWindows().flatMap((window) => window.contentView.children);
    const view = views.find((each) => 'webContents' in each && each.webContents === consent);
    const asks = await consent?.executeJavaScript('document.querySelector("[role=alertdialog]") !== null');
    return asks === true ? (view?.getBounds() ?? null) : null;
  });
}

type Place = Awaited<ReturnType<typeof surface>>;

/** The surface once it is shown and has its place, which is measured after it appeared. */
async function settledSurface(running: RunningApp): Promise<Place> {
  const seen: Place[] = [];
  const isSettled = async () => {
    seen.push(await surface(running));
    const [before, now] = seen.slice(-2);
    return before !== undefined && before !== null && JSON.stringify(now) === JSON.stringify(before);
  };
  await expect.poll(isSettled, { timeout: 20_000, interval: 300 }).toBe(true);
  return seen.at(-1) ?? null;
}

const focused = (running: RunningApp) =>
  running.app.evaluate(({ webContents }) => webContents.getFocusedWebContents()?.getURL().split('/')[2] ?? '');

async function resize(running: RunningApp, width: number, height: number): Promise<void> {
  await running.app.evaluate(
    ({ BrowserWindow }, [x, y]) => BrowserWindow.getAllWindows()[0]?.setContentSize(Number(x), Number(y)),
    [width, height] as const,
  );
}

async function pressF6(running: RunningApp): Promise<void> {
  await running.app.evaluate(({ Menu }) => {
    const items = (Menu.getApplicationMenu()?.items ?? []).flatMap(({ submenu }) => submenu?.items ?? []);
    items.find(({ accelerator }) => accelerator === 'F6')?.click();
  });
}

test('a question is docked above the composer; the thread makes room for it, and typing is not interrupted', async (context) => {
  const { rig, running, user } = await windowWith(context, [touch('made'), { text: 'Made.' }]);
  await user.ask('Make it');
  await user.question();
  const composer = running.chat.getByRole('textbox', { name: labels.chat.message });
  const text = 'half a sentence that nobody may swallow';
  await running.chat.keyboard.type(text, { delay: 15 });
  expect(await composer.inputValue()).toBe(text);
  await running.chat.locator('[data-docked]').waitFor();
  const place = await settledSurface(running);
  const box = await composer.locator('xpath=../..').boundingBox();
  if (place === null || box === null) throw new Error('nothing is shown');
  expect(Math.abs(place.y + place.height - box.y)).toBeLessThanOrEqual(1);
  const window = await running.chat.evaluate(() => ({ width: innerWidth, height: innerHeight }));
  expect(place.height).toBeLessThanOrEqual(window.height * 0.5 + 1);
  expect(place.height).toBeGreaterThanOrEqual(100);
  const log = await running.chat.getByRole('log').boundingBox();
  expect((log?.y ?? 0) + (log?.height ?? 0)).toBeLessThanOrEqual(place.y + 1);
  await running.shoot('docked-question');

  await user.answers(labels.consent.allowOnce);
  await user.sees('Made.');
  expect(existsSync(join(rig.workspace, 'made'))).toBe(true);
  expect(await composer.inputValue()).toBe(text);
  await expect.poll(() => surface(running), SOON).toBeNull();
});

test('the question moves up with a composer that grows, and down again', async (context) => {
  const { running, user } = await windowWith(context, [touch('made'), { text: 'Made.' }]);
  await user.ask('Make it');
  await user.question();
  await running.chat.locator('[data-docked]').waitFor();
  const before = await settledSurface(running);
  await user.writes('one\ntwo\nthree\nfour');
  const box = running.chat.getByRole('textbox', { name: labels.chat.message }).locator('xpath=../..');
  await expect
    .poll(async () => {
      const [place, composer] = [await surface(running), await box.boundingBox()];
      return Math.abs((place?.y ?? 0) + (place?.height ?? 0) - (composer?.y ?? Number.NaN));
    }, SOON)
    .toBeLessThanOrEqual(1);
  expect((await surface(running))?.y).toBeLessThan((before?.y ?? 0) + 1);
  await running.shoot('docked-question-tall-composer');
  await running.chat.keyboard.press('Control+A');
  await running.chat.keyboard.press('Delete');
  await expect.poll(() => surface(running), SOON).toEqual(before);
  await user.answers(labels.consent.deny);
});

test('F6 goes to the question and back, and Escape in the question denies it', async (context) => {
  const { rig, running, user } = await windowWith(context, [touch('made'), { text: 'Not made.' }]);
  await user.ask('Make it');
  await user.question();
  await running.chat.locator('[data-docked]').waitFor();
  await pressF6(running);
  await expect.poll(() => focused(running), SOON).toBe('consent');
  await pressF6(running);
  await expect.poll(() => focused(running), SOON).toBe('app');
  await pressF6(running);
  await expect.poll(() => focused(running), SOON).toBe('consent');
  const deny = (await running.consent()).getByRole('button', { name: labels.consent.deny }).first();
  await deny.and((await running.consent()).locator(':enabled')).waitFor();
  await (await running.consent()).keyboard.press('Escape');
  await user.sees('Not made.');
  expect(existsSync(join(rig.workspace, 'made'))).toBe(false);
  await expect.poll(() => focused(running), SOON).toBe('app');
});

test('Escape beside a question neither answers it nor stops the answer, and says what to do; Stop still stops', async (context) => {
  const { rig, running, user } = await windowWith(context, [touch('made'), { text: 'Made.' }]);
  await user.ask('Make it');
  await user.question();
  const { chat } = running;
  await chat.locator('[data-docked]').waitFor();
  const hint = chat.getByRole('status').filter({ hasText: 'F6' });
  const before = await hint.innerText();
  await chat.getByRole('textbox', { name: labels.chat.message }).press('Escape');
  await expect.poll(() => hint.innerText(), SOON).not.toBe(before);
  await running.shoot('docked-question-escape');
  await chat.keyboard.press('Escape');
  await user.reads();
  await expect.poll(() => surface(running), SOON).not.toBeNull();
  await chat.getByRole('button', { name: labels.chat.stop }).click();
  await user.waits();
  await expect.poll(() => surface(running), SOON).toBeNull();
  expect(existsSync(join(rig.workspace, 'made'))).toBe(false);
});

test('a question of another conversation is a mark and a strip; it comes into view with its conversation', async (context) => {
  const { rig, running, user } = await windowWith(context, [touch('made'), { text: 'Made.' }]);
  await user.ask('Make it');
  await user.question();
  await running.chat.getByRole('button', { name: 'New conversation' }).first().click();
  await expect.poll(() => surface(running), SOON).toBeNull();
  await running.chat.getByRole('button', { name: 'Waiting for your answer: Make it' }).waitFor();
  const strip = running.chat.getByRole('status').filter({ hasText: 'needs your answer' });
  await strip.waitFor();
  await running.shoot('docked-question-elsewhere');
  await strip.getByRole('button', { name: 'Show' }).click();
  await user.answers(labels.consent.allowOnce);
  await user.sees('Made.');
  await strip.waitFor({ state: 'detached' });
  expect(existsSync(join(rig.workspace, 'made'))).toBe(true);
});

test('Later puts a question away until the user comes back to it', async (context) => {
  const { running, user } = await windowWith(context, [touch('made'), { text: 'Made.' }]);
  await user.ask('Make it');
  await user.answers('Later');
  await expect.poll(() => surface(running), SOON).toBeNull();
  await running.shoot('docked-question-later');
  await running.chat.getByRole('button', { name: 'Answer', exact: true }).click();
  await user.answers(labels.consent.allowOnce);
  await user.sees('Made.');
});

test('Stop on the card ends the turn', async (context) => {
  const { rig, running, user } = await windowWith(context, [touch('made'), { text: 'Made.' }]);
  await user.ask('Make it');
  await user.answers('Stop');
  await user.waits();
  await expect.poll(() => surface(running), SOON).toBeNull();
  expect(existsSync(join(rig.workspace, 'made'))).toBe(false);
});

test('in a window that is too low the question takes all of it, and so it does when the user enlarges it', async (context) => {
  const { running, user } = await windowWith(context, [touch('made'), { text: 'Made.' }]);
  await user.ask('Make it');
  await user.question();
  await running.chat.locator('[data-docked]').waitFor();
  const docked = await settledSurface(running);
  await resize(running, 900, 420);
  await expect.poll(() => surface(running), SOON).toEqual({ x: 0, y: 0, width: 900, height: 420 });
  await running.shoot('docked-question-low-window');
  await resize(running, 1160, 800);
  await expect.poll(() => surface(running), SOON).toEqual(docked);
  await user.answers('Enlarge');
  await expect.poll(() => surface(running), SOON).toEqual({ x: 0, y: 0, width: 1160, height: 800 });
  await user.answers('Dock');
  await expect.poll(() => surface(running), SOON).toEqual(docked);
  await user.answers(labels.consent.deny);
});

test('the settings cover no question, and no question covers the settings', async (context) => {
  const { running, user } = await windowWith(context, [touch('made'), { text: 'Made.' }]);
  await user.ask('Make it');
  await user.question();
  const settings = await user.opensSettings(labels.settings.rules);
  await expect.poll(() => surface(running), SOON).toBeNull();
  await settings.waitFor();
  await user.closesSettings();
  await expect.poll(() => surface(running), SOON).not.toBeNull();
  await user.answers(labels.consent.deny);
});

test('a list, a menu or the sidebar of a narrow window is not covered: the question waits until it is closed', async (context) => {
  const { running, user } = await windowWith(context, [touch('made'), { text: 'Made.' }]);
  await user.ask('Make it');
  await user.question();
  const { chat } = running;
  await expect.poll(() => surface(running), SOON).not.toBeNull();

  await user.writes('/');
  await expect.poll(() => surface(running), SOON).toBeNull();
  await chat.getByRole('option').first().waitFor();
  await chat.keyboard.press('Backspace');
  await expect.poll(() => surface(running), SOON).not.toBeNull();

  await chat.getByRole('button', { name: labels.chat.model }).click();
  await expect.poll(() => surface(running), SOON).toBeNull();
  await chat.keyboard.press('Escape');
  await expect.poll(() => surface(running), SOON).not.toBeNull();

  await resize(running, 480, 800);
  await chat.getByRole('button', { name: labels.conversations.open, exact: true }).click();
  await expect.poll(() => surface(running), SOON).toBeNull();
  await chat.keyboard.press('Escape');
  await expect.poll(() => surface(running), SOON).not.toBeNull();
  await user.answers(labels.consent.deny);
});

test('nothing in the question moves when keys come to it or leave it', async (context) => {
  const { running, user } = await windowWith(context, [touch('made'), { text: 'Made.' }]);
  await user.ask('Make it');
  const buttons = (await user.reads()).getByRole('button');
  const places = async () => Promise.all((await buttons.all()).map((each) => each.boundingBox()));
  const page = await running.consent();
  // It rises into view first.
  await page.evaluate(async () => {
    await Promise.all(document.getAnimations().map((animation) => animation.finished));
  });
  const withKeys = await places();
  expect(await page.getByRole('button', { name: /Ctrl/ }).count()).toBeGreaterThan(2);
  // Playwright's pages always believe that they have the focus.
  await page.evaluate(() => window.dispatchEvent(new Event('blur')));
  await expect.poll(() => page.getByRole('button', { name: /Ctrl/ }).count(), SOON).toBe(0);
  expect(await places()).toEqual(withKeys);
  await user.answers(labels.consent.deny);
});

test.for([1, 1.1, 1.44])(
  'a question that ends within a pixel keeps its place, and can be answered, at %s',
  async (zoom, context) => {
    const { running, user } = await windowWith(context, [touch('made'), { text: 'Made.' }]);
    await user.ask('Make it');
    await user.question();
    await running.app.evaluate(
      ({ webContents }, factor) => webContents.getAllWebContents().map((each) => each.setZoomFactor(factor)),
      zoom,
    );
    const question = await user.reads();
    for (const parts of Array.from({ length: 16 }, (_, index) => index + 1)) {
      await question.evaluate((sheet, height) => {
        for (const selector of ['.text', 'footer']) {
          const parts = document.createElement('div');
          parts.style.height = `${height}px`;
          sheet.querySelector(selector)?.append(parts);
        }
      }, parts / 16);
      await user.reads();
    }
    await user.answers(labels.consent.deny);
  },
);
