import { expect, onTestFinished, test } from 'vitest';
import { AppRig, type RunningApp } from '../../fixtures/electron-app.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { labels } from '../../fixtures/window-labels.ts';
import { User } from '../../fixtures/window-user.ts';

const SOON = { timeout: 20_000, interval: 100 };
/** The steps lead from 100 % to 80 and to 200 %, as in the menu. */
const STEPS = [-2, 0, 4, 8, 10] as const;
const WINDOWS = [
  [450, 300],
  [900, 600],
  [1160, 800],
  [1600, 1000],
] as const;
const COMMAND = Array.from({ length: 40 }, (_, line) => `echo line ${line + 1}`).join('\n');

/** Zooms as the menu's shortcuts do. */
function zoomTo(running: RunningApp, step: number): Promise<void> {
  return running.app.evaluate(({ Menu }, steps) => {
    const items = (Menu.getApplicationMenu()?.items ?? []).flatMap(({ submenu }) => submenu?.items ?? []);
    const press = (label: string) => items.find((each) => each.label === label)?.click();
    press('Normal Text');
    for (let done = 0; done < Math.abs(steps); done += 1) press(steps < 0 ? 'Smaller Text' : 'Larger Text');
  }, step);
}

function resize(running: RunningApp, size: readonly [number, number]): Promise<void> {
  return running.app.evaluate(
    ({ BrowserWindow }, [width, height]) => BrowserWindow.getAllWindows()[0]?.setContentSize(width, height),
    size,
  );
}

interface Box {
  readonly name: string;
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

/** Places in the window, in its pixels: the question's view, what the chat needs, and the buttons of the question. */
function placesIn(running: RunningApp) {
  return running.app.evaluate(async ({ BrowserWindow, webContents }) => {
    const boxes = (selector: string) =>
      `[...document.querySelectorAll(${JSON.stringify(selector)})].filter((each) => each.checkVisibility()).map((each) => {
        const { top, left, bottom, right } = each.getBoundingClientRect();
        return { name: each.getAttribute('aria-label') ?? each.textContent.trim(), top, left, bottom, right };
      })`;
    const window = BrowserWindow.getAllWindows()[0];
    const consent = webContents.getAllWebContents().find((each) => each.getURL().startsWith('steward://consent/'));
    const view = window?.contentView.children.find((each) => 'webContents' in each && each.webContents === consent);
    if (window === undefined || consent === undefined || view === undefined) throw new Error('there is no question');
    const [width = 0, height = 0] = window.getContentSize();
    const scaled = (found: readonly Box[], zoom: number) =>
      found.map(({ name, ...box }) => ({
        name,
        top: box.top * zoom,
        left: box.left * zoom,
        bottom: box.bottom * zoom,
        right: box.right * zoom,
      }));
    const chat = (selector: string) => window.webContents.executeJavaScript(boxes(selector)) as Promise<Box[]>;
    const zoom = window.webContents.getZoomFactor();
    return {
      window: { width, height },
      view: view.getBounds(),
      zooms: [zoom, consent.getZoomFactor()],
      needed: scaled(await chat('textarea, [data-composer] button'), zoom),
      docked: scaled(await chat('[data-docked]'), zoom),
      composer: scaled(await chat('[data-composer]'), zoom),
      question: (await consent.executeJavaScript(boxes('[role=alertdialog] button:not([data-body] *)'))) as Box[],
      page: (await consent.executeJavaScript('({ width: innerWidth, height: innerHeight })')) as {
        width: number;
        height: number;
      },
    };
  });
}

/** Pixels that scaling may lose. */
const ROUNDING = 2;

async function whatIsWrong(running: RunningApp): Promise<readonly string[]> {
  const { window, view, needed, docked, composer, question, page } = await placesIn(running);
  const isInside = ({ top, left, bottom, right }: Box, { width, height }: { width: number; height: number }) =>
    top >= -ROUNDING && left >= -ROUNDING && bottom <= height + ROUNDING && right <= width + ROUNDING;
  const problems = question
    .filter((each) => !isInside(each, page))
    .map(({ name }) => `“${name}” is outside of the question`);
  if (docked.length === 0)
    return view.height === window.height ? problems : [...problems, 'it is neither docked nor a sheet'];
  for (const each of needed) {
    if (!isInside(each, window)) problems.push(`“${each.name}” is outside of the window`);
    if (each.top < view.y + view.height - ROUNDING) problems.push(`“${each.name}” is covered`);
  }
  const gap = (composer[0]?.top ?? 0) - (view.y + view.height);
  if (Math.abs(gap) > ROUNDING) problems.push(`a gap of ${gap}`);
  if (view.height > window.height / 2 + ROUNDING) problems.push('it takes more than half of the window');
  return problems;
}

test('from 80 to 200 %, in every window: all controls are in reach, and nothing is allowed that was not in view', async (context) => {
  const api = await startMessagesApi({
    turns: [{ blocks: [{ type: 'tool_use', name: 'bash', input: { command: COMMAND } }] }, { text: 'Done.' }],
  });
  onTestFinished(() => api.close());
  const running = await new AppRig(context, { api: api.url }).launch();
  const user = new User(running);
  await user.ask('Count');
  await user.question();
  const allow = (await running.consent()).getByRole('button', { name: labels.consent.allowOnce });
  for (const size of WINDOWS) {
    await resize(running, size);
    for (const step of STEPS) {
      await zoomTo(running, step);
      await expect.poll(async () => (await placesIn(running)).zooms[1], SOON).toBeCloseTo(1 + step / 10);
      await expect
        .poll(() => whatIsWrong(running), { ...SOON, message: `${size.join('×')} at ${100 + step * 10} %` })
        .toEqual([]);
      // It was read at the size before; at this one most of it is out of view.
      expect(await allow.isDisabled()).toBe(true);
      if (step === 4 || step === 10) await running.shoot(`zoom-${size.join('x')}-${100 + step * 10}`);
      if (step === 0 || step === 10) {
        await user.reads();
        await expect.poll(() => allow.isEnabled(), SOON).toBe(true);
      }
    }
  }
  await zoomTo(running, 0);
  await user.answers(labels.consent.allowOnce);
  await user.sees('Done.');
});
