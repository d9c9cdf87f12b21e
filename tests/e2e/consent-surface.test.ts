import { expect, onTestFinished, test, vi } from 'vitest';
import { AppRig, type RunningApp } from '../fixtures/electron-app.ts';
import { startMessagesApi } from '../fixtures/messages-api/server.ts';
import { labels } from '../fixtures/window-labels.ts';
import { User } from '../fixtures/window-user.ts';

const SOON = { timeout: 20_000, interval: 100 };

/** What the consent page is given to draw in, by its own measure and by main's. */
async function sizeOf(running: RunningApp) {
  const consent = await running.consent();
  const drawn = await consent.evaluate(() => ({
    width: innerWidth,
    height: innerHeight,
    ratio: devicePixelRatio,
    scale: visualViewport?.scale,
  }));
  const factor = await running.app.evaluate(({ webContents }) =>
    webContents
      .getAllWebContents()
      .find((each) => each.getURL().startsWith('steward://consent/'))
      ?.getZoomFactor(),
  );
  return { ...drawn, factor };
}

/** As the menu's shortcut does. */
async function pressMenu(running: RunningApp, label: string, times: number): Promise<void> {
  await running.app.evaluate(
    ({ Menu }, [wanted, count]) => {
      const items = (Menu.getApplicationMenu()?.items ?? []).flatMap(({ submenu }) => submenu?.items ?? []);
      const item = items.find((each) => each.label === wanted);
      for (let press = 0; press < Number(count); press += 1) item?.click();
    },
    [label, times] as const,
  );
}

test('the chat cannot change how large the text of the consent surface is, nor make it small; the menu can, within limits', async (context) => {
  const running = await new AppRig(context).launch();
  const user = new User(running);
  await user.ask('run: touch never');
  await user.question();
  const before = await sizeOf(running);
  expect(before.factor).toBe(1);

  const chatFactor = await running.chat.evaluate(async () => {
    const { steward } = globalThis as unknown as {
      steward: { request(r: string, i: unknown): Promise<{ data: unknown }> };
    };
    document.documentElement.style.zoom = '3';
    resizeTo(480, 420);
    moveTo(0, 0);
    return (await steward.request('app.setZoom', { factor: 3 })).data;
  });
  expect(chatFactor).toBe(3);
  // The column is as wide as the window now, and the question wider with it.
  await expect.poll(async () => (await sizeOf(running)).width, SOON).toBeGreaterThan(before.width);
  const wide = await sizeOf(running);
  // The composer is higher now, which leaves a question less room, but never too little.
  expect(wide).toEqual({ ...before, width: wide.width, height: wide.height });
  expect(wide.height).toBeGreaterThanOrEqual(100);

  // The control: a change of its zoom shows in these measures.
  await pressMenu(running, 'Larger Text', 3);
  await expect.poll(async () => (await sizeOf(running)).factor, SOON).toBeCloseTo(1.3);
  await expect.poll(async () => (await sizeOf(running)).width, SOON).toBeLessThan(wide.width);
  expect(await running.chat.evaluate(() => devicePixelRatio)).toBe(before.ratio * 3);
  await pressMenu(running, 'Larger Text', 30);
  await expect.poll(async () => (await sizeOf(running)).factor, SOON).toBeCloseTo(2);
  await pressMenu(running, 'Smaller Text', 30);
  await expect.poll(async () => (await sizeOf(running)).factor, SOON).toBeCloseTo(0.8);
});

test.for([
  { name: 'opened before', second: 'opened' },
  { name: 'opened after', second: 'NotAllowedError' },
])('the chat lays no list of suggestions over the consent surface: $name', async ({ name, second }, context) => {
  const call = { type: 'tool_use', name: 'bash', input: { command: 'touch never' } } as const;
  let letAsk: () => void = () => undefined;
  const mayAsk = new Promise<void>((resolve) => {
    letAsk = resolve;
  });
  const api = await startMessagesApi({ answer: () => mayAsk.then(() => ({ blocks: [call] })) });
  onTestFinished(() => api.close());
  const running = await new AppRig(context, { api: api.url }).launch();
  const { chat } = running;
  const user = new User(running);
  await user.writes('Go');
  // The system draws such a list over everything; a page may open one within five seconds of a click.
  await chat.evaluate((isOpenedBefore) => {
    const field = Object.assign(document.createElement('input'), {
      style: 'position: fixed; top: 200px; left: 230px',
    });
    const list = Object.assign(document.createElement('datalist'), { id: 'suggestions' });
    list.append(Object.assign(document.createElement('option'), { value: 'Harmless: echo hello' }));
    field.setAttribute('list', 'suggestions');
    document.body.append(field, list);
    const tried: string[] = [];
    const state = { tried, left: 0 };
    Object.assign(globalThis, { suggestions: state });
    field.addEventListener('blur', () => {
      state.left += 1;
    });
    const open = () => {
      try {
        field.focus();
        state.left = 0;
        field.showPicker();
        tried.push('opened');
      } catch (error) {
        tried.push(error instanceof DOMException ? error.name : String(error));
      }
    };
    const openAgain = () => {
      open();
      // Heard without a question to the page.
      location.hash = 'tried-again';
    };
    // A question has its place in the page a moment before it takes the page's lists away.
    const openOnceAsked = () => {
      if (document.querySelector('[data-docked]') === null) requestAnimationFrame(openOnceAsked);
      else setTimeout(openAgain, 800);
    };
    addEventListener('mouseup', isOpenedBefore ? openAgain : openOnceAsked, { once: true });
    open();
    document.querySelector('textarea')?.focus();
  }, second === 'opened');
  await chat.keyboard.press('Enter');
  // From here on nothing is asked of the page: each question of a test counts as a click in it.
  const triedAgain = chat.waitForURL('**/app.html#tried-again', { waitUntil: 'commit' });
  await chat.mouse.click(600, 300);
  if (second === 'opened') await triedAgain;
  letAsk();
  await user.question();
  await triedAgain;
  await running.shoot(`consent-and-suggestions-${name.replace(' ', '-')}`);
  const state = () =>
    chat.evaluate(() => (globalThis as unknown as { suggestions: { tried: string[]; left: number } }).suggestions);
  // The control: without a question it opens.
  expect((await state()).tried).toEqual(['opened', second]);
  // What is open closes when its field loses the focus.
  if (second === 'opened') await expect.poll(async () => (await state()).left, SOON).toBeGreaterThan(0);
});

test('a question is read and allowed at 900×600 and 200 %, under a title that the page chose', async (context) => {
  const command = Array.from({ length: 350 }, (_, line) => `echo ${line + 1}`).join('\n');
  const api = await startMessagesApi({
    turns: [{ blocks: [{ type: 'tool_use', name: 'bash', input: { command } }] }, { text: 'Done.' }],
  });
  onTestFinished(() => api.close());
  const running = await new AppRig(context, { api: api.url }).launch();
  const { app, chat } = running;
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(900, 600));
  const user = new User(running);
  await user.ask('Go');
  const sheet = await user.question();
  // A message this long makes the longest title that there can be.
  await chat.evaluate(async () => {
    const { steward } = globalThis as unknown as {
      steward: { request(r: string, i: unknown): Promise<{ data: readonly { id: string }[] }> };
    };
    const [conversation] = (await steward.request('conversations.list', {})).data;
    await steward.request('conversations.rename', { id: conversation?.id, title: 'W'.repeat(200) });
  });
  const allow = sheet.getByRole('button', { name: labels.consent.allowOnce });
  const deny = sheet.getByRole('button', { name: labels.consent.deny }).first();
  await expect.poll(() => deny.isEnabled(), SOON).toBe(true);
  await running.shoot('consent-900x600');
  await pressMenu(running, 'Larger Text', 10);
  await expect.poll(async () => (await sizeOf(running)).factor, SOON).toBeCloseTo(2);
  // The chat beside it is read at the same size.
  const chatFactor = () =>
    running.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getZoomFactor());
  expect(await chatFactor()).toBeCloseTo(2);
  await running.shoot('consent-900x600-200-percent');
  await sheet
    .getByRole('button', { name: /^338 more lines/ })
    .first()
    .waitFor();
  await user.answers(labels.consent.allowOnce);
  await allow.waitFor({ state: 'detached' });
  await user.sees('Done.');
});

for (const death of ['crashes', 'no longer answers'] as const) {
  test(`a consent page that ${death} denies what it asked, the chat says so, and the next question gets a new page`, async (context) => {
    const running = await new AppRig(context).launch();
    const user = new User(running);
    await user.ask('run: touch never');
    await user.question();
    await running.app.evaluate(({ webContents }, how) => {
      const page = webContents.getAllWebContents().find((each) => each.getURL().startsWith('steward://consent/'));
      if (how === 'crashes') page?.forcefullyCrashRenderer();
      // Chromium says it half a minute after a page stopped taking keys.
      else page?.emit('unresponsive');
    }, death);
    await user.waits();
    await running.chat.getByRole('status').filter({ hasText: 'asks for your permission stopped working' }).waitFor();
    await running.shoot(`consent-page-${death.replaceAll(' ', '-')}`);
    const decision = await running.chat.evaluate(async () => {
      const { steward } = globalThis as unknown as {
        steward: { request(r: string, i: unknown): Promise<{ data: never }> };
      };
      const [conversation] = (await steward.request('conversations.list', {})).data as readonly { id: string }[];
      const { events } = (await steward.request('conversations.open', { id: conversation?.id })).data as {
        events: readonly { type: string }[];
      };
      return events.find(({ type }) => type === 'decision');
    });
    expect(decision).toMatchObject({ answer: 'deny', by: 'default', reason: { code: 'consent_page_ended' } });
    const consentPages = () =>
      running.app.evaluate(({ webContents }) =>
        webContents
          .getAllWebContents()
          .filter((each) => each.getURL().startsWith('steward://consent/'))
          .map(({ id }) => id),
      );
    await expect.poll(consentPages, SOON).toEqual([]);

    await user.ask('run: echo again');
    await user.answers(labels.consent.allowOnce);
    await user.waits();
    await vi.waitFor(async () => expect(await running.chat.getByRole('log').innerText()).toContain('again'), SOON);
  });
}
