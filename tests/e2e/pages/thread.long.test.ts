import type { Locator, Page } from 'playwright';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { needElectron } from '../../fixtures/electron-app.ts';
import { Gallery } from '../../fixtures/gallery/gallery.ts';
import type { Scene } from '../../fixtures/gallery/scene.ts';
import { emit } from '../../fixtures/gallery/scenes/chat.ts';
import { scenes } from '../../fixtures/gallery/scenes/index.ts';
import { AT_REST } from '../../fixtures/page-at-rest.ts';
import { labels } from '../../fixtures/window-labels.ts';

const WIDE = { width: 1400, height: 860 };
const NARROW = { width: 480, height: 860 };
/** The pointer moves as a hand moves it, over everything in between. */
const STEPS = { steps: 25 };

function sceneNamed(name: string): Scene {
  const scene = scenes.find((candidate) => candidate.name === `chat-${name}`);
  if (scene === undefined) throw new Error(`There is no scene ${name}.`);
  return scene;
}

async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (box === null) throw new Error('It is not to be seen.');
  return box;
}

async function pointAt(page: Page, element: Locator): Promise<void> {
  const { x, y, width, height } = await boxOf(element);
  await page.mouse.move(x + width / 2, y + height / 2, STEPS);
}

async function press(page: Page, element: Locator): Promise<void> {
  await pointAt(page, element);
  await page.mouse.down();
  await page.mouse.up();
}

const inputsOf = (page: Page, route: string) =>
  page.evaluate(`gallery.requests.filter((one) => one.route === '${route}').map(({ input }) => input)`);
const log = (page: Page) => page.getByRole('log', { name: labels.chat.messages });
const list = (page: Page) => page.getByRole('navigation', { name: labels.conversations.byDate });
const stream = (page: Page, text: string, seq: number) =>
  emit(page, { seq, turnId: 'turn-1', at: '2031-03-04T09:01:00Z', type: 'text_delta', text });

let gallery: Gallery;
beforeEach(async (context) => {
  gallery ??= await Gallery.open(needElectron(context));
}, 120_000);
afterAll(() => gallery?.close());

const visit = (name: string, look: (page: Page) => Promise<void>) => gallery.enter(sceneNamed(name), look);

describe.each([
  ['wide', WIDE],
  ['narrow', NARROW],
])('the menu of a conversation, by pointer, in a %s window', (_name, size) => {
  async function openList(page: Page): Promise<void> {
    await page.setViewportSize(size);
    if (size === NARROW) await press(page, page.getByRole('button', { name: labels.conversations.open, exact: true }));
    await list(page).getByRole('listitem').first().waitFor();
  }

  /** Opens the menu of a row and goes down to an entry of it, slowly enough to be anywhere in between. */
  async function choose(page: Page, row: Locator, entry: string): Promise<void> {
    await pointAt(page, row.getByRole('button').first());
    await press(page, row.getByRole('button', { name: labels.conversations.moreAbout }));
    const item = page.getByRole('menuitem', { name: entry });
    // The pointer does not move: this waits until the menu has its place.
    await item.hover({ trial: true });
    await pointAt(page, item);
    expect(await page.getByRole('menu').isVisible()).toBe(true);
    // The row goes on to show whose menu it is.
    const dots = row.locator('[aria-haspopup=menu]');
    expect(await dots.evaluate((element) => getComputedStyle(element.parentElement ?? element).opacity)).toBe('1');
    await page.mouse.down();
    await page.mouse.up();
  }

  test('exports, renames and removes', async () => {
    const scene = {
      ...sceneNamed('long'),
      act: undefined,
      answers: { ...sceneNamed('long').answers, 'conversations.export': { path: '/home/ada/x.json' } },
    };
    await gallery.visit(scene as Scene, async (page) => {
      await openList(page);
      const rows = list(page).getByRole('listitem');
      await choose(page, rows.nth(1), 'Export as JSON');
      await expect.poll(() => inputsOf(page, 'conversations.export')).toMatchObject([{ format: 'json' }]);
      await choose(page, rows.nth(2), 'Rename');
      const field = rows.nth(2).getByRole('textbox');
      await field.waitFor();
      await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
      await page.keyboard.press('Escape');
      await field.waitFor({ state: 'detached' });
      const count = await rows.count();
      await choose(page, rows.nth(1), 'Delete');
      await expect.poll(() => rows.count()).toBe(count - 1);
      await expect.poll(() => inputsOf(page, 'conversations.remove')).toHaveLength(1);
    });
  });

  test('stays in the window for the last row that is to be seen', async () => {
    const scene = { ...sceneNamed('many'), act: undefined };
    await gallery.visit(scene as Scene, async (page) => {
      await openList(page);
      const frame = await boxOf(list(page));
      const rows = list(page).getByRole('listitem');
      const tops = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().bottom));
      const last = rows.nth(tops.findLastIndex((bottom) => bottom <= frame.y + frame.height));
      await choose(page, last, 'Delete');
      await expect.poll(() => inputsOf(page, 'conversations.remove')).toHaveLength(1);
    });
  });

  test('closes with Escape, and the focus is at its button', async () => {
    const scene = { ...sceneNamed('long'), act: undefined };
    await gallery.visit(scene as Scene, async (page) => {
      await openList(page);
      const row = list(page).getByRole('listitem').nth(1);
      await pointAt(page, row.getByRole('button').first());
      const dots = row.getByRole('button', { name: labels.conversations.moreAbout });
      await press(page, dots);
      await page.getByRole('menu').waitFor();
      await page.mouse.move(460, 300, STEPS);
      await page.keyboard.press('Escape');
      await expect.poll(() => dots.evaluate((element) => element === document.activeElement)).toBe(true);
    });
  });
});

test('a title leaves room for its menu, whatever its direction', async () => {
  await visit('long', async (page) => {
    await page.setViewportSize(WIDE);
    for (const title of ['Notes for the meeting', 'דוח חודשי']) {
      const row = list(page).getByRole('listitem').filter({ hasText: title }).first();
      await pointAt(page, row);
      const dots = await boxOf(row.locator('[aria-haspopup=menu]'));
      const text = await boxOf(row.locator('.text'));
      expect(text.x + text.width).toBeLessThanOrEqual(dots.x);
    }
  });
});

test('everything selected is the conversation, and nothing around it', async () => {
  await visit('answer', async (page) => {
    const selected = () => page.evaluate(() => String(getSelection()));
    await press(page, log(page).getByText('The part that matters'));
    await page.keyboard.press('Control+a');
    const text = await selected();
    expect(text).toContain('What does the launch script do?');
    expect(text).toContain('The part that matters');
    expect(text).not.toContain('Rename the photos of the trip');
    expect(text).not.toContain('Settings');
    // The keys do the same from the list, without a focus of its own.
    await press(page, list(page).getByRole('listitem').first());
    await list(page).getByRole('button').first().focus();
    await page.keyboard.press('Control+a');
    expect(await selected()).toBe(text);
    // A field selects what is written in it.
    const field = page.getByRole('textbox', { name: labels.chat.message });
    await press(page, field);
    await page.keyboard.type('a draft');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Backspace');
    expect(await field.inputValue()).toBe('');
  });
});

describe('where one was reading', () => {
  /** The turn at the upper edge, and how far its beginning is above it. */
  const place = (page: Page) =>
    log(page).evaluate((element) => {
      const edge = element.getBoundingClientRect().top;
      const turns = [...element.querySelectorAll<HTMLElement>('[data-turn]')];
      const first = turns.find((turn) => turn.getBoundingClientRect().bottom > edge);
      return [first?.dataset.turn, Math.round(edge - (first?.getBoundingClientRect().top ?? 0))] as const;
    });
  const distance = (page: Page) =>
    log(page).evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);
  const own = (page: Page) => list(page).getByRole('listitem').first();
  const other = (page: Page) => list(page).getByRole('listitem').nth(1);

  async function scrollBack(page: Page): Promise<void> {
    await pointAt(page, log(page));
    for (let turn = 0; turn < 12; turn += 1) {
      await page.mouse.wheel(0, -700);
      await page.evaluate(AT_REST);
    }
  }

  const expectAt = async (page: Page, [turn, above]: readonly [string | undefined, number]) => {
    await expect.poll(async () => (await place(page))[0]).toBe(turn);
    await expect.poll(async () => Math.abs((await place(page))[1] - above)).toBeLessThan(3);
  };

  test('is restored when the reader comes back from another conversation or from the settings', async () => {
    await visit('long', async (page) => {
      await scrollBack(page);
      const before = await place(page);
      expect(await distance(page)).toBeGreaterThan(2_000);
      await press(page, other(page));
      await expect.poll(() => distance(page)).toBeLessThan(2);
      await press(page, own(page));
      await expectAt(page, before);
      await press(page, page.getByRole('button', { name: labels.settings.open }));
      await press(page, page.getByRole('button', { name: labels.settings.close }));
      await expectAt(page, before);
      // It is not followed from there: what comes is told of.
      await page.getByRole('button', { name: labels.chat.jumpToLatest }).waitFor();
    });
  });

  test('is the end again if the end was in view', async () => {
    await visit('long', async (page) => {
      await press(page, page.getByRole('button', { name: labels.chat.jumpToLatest }));
      await expect.poll(() => distance(page)).toBeLessThan(2);
      await press(page, other(page));
      await press(page, own(page));
      await expect.poll(() => distance(page)).toBeLessThan(2);
      expect(await page.getByRole('button', { name: labels.chat.jumpToLatest }).count()).toBe(0);
    });
  });
});

test('the focus ring of older turns is whole', async () => {
  await visit('long', async (page) => {
    /**
     * How far the ring around the focus reaches over the edges that cut it off, in px. Null if the focus is elsewhere.
     */
    const cutOff = () =>
      page.evaluate(() => {
        const focused = document.activeElement;
        const turn = focused?.closest('.turn.contained');
        if (!focused || !turn) return null;
        const { outlineWidth, outlineOffset, outlineStyle } = getComputedStyle(focused);
        if (outlineStyle === 'none') throw new Error('There is no ring.');
        const ring = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset);
        const [inner, outer] = [focused.getBoundingClientRect(), turn.getBoundingClientRect()];
        const sides = [
          outer.left - inner.left,
          inner.right - outer.right,
          outer.top - inner.top,
          inner.bottom - outer.bottom,
        ];
        return Math.max(...sides) + ring;
      });
    await press(page, log(page).getByText('Question 298'));
    const seen: (number | null)[] = [];
    for (let times = 0; times < 6; times += 1) {
      await page.keyboard.press('Tab');
      seen.push(await cutOff());
    }
    const rings = seen.filter((ring) => ring !== null);
    expect(rings.length).toBeGreaterThan(2);
    for (const ring of rings) expect(ring).toBeLessThanOrEqual(0);
  });
});

test('right-to-left text begins at the right: bars, numbers and columns', async () => {
  await visit('right-to-left', async (page) => {
    const texts = log(page).locator('.markdown');
    const edges = await texts.locator('blockquote').evaluateAll((all) =>
      all.map((quote) => {
        const { borderLeftWidth, borderRightWidth } = getComputedStyle(quote);
        return [borderLeftWidth, borderRightWidth];
      }),
    );
    expect(edges).toEqual([
      ['0px', '3px'],
      ['3px', '0px'],
    ]);
    const paddings = await texts.locator('ol').evaluateAll((all) =>
      all.map((numbers) => {
        const { paddingLeft, paddingRight } = getComputedStyle(numbers);
        return Number.parseFloat(paddingRight) > Number.parseFloat(paddingLeft) ? 'right' : 'left';
      }),
    );
    expect(paddings).toEqual(['right', 'left']);
    const [first, second] = [texts.locator('th').nth(0), texts.locator('th').nth(1)];
    expect((await boxOf(first)).x).toBeGreaterThan((await boxOf(second)).x);
    const sides = await texts
      .locator('table tr > :first-child')
      .evaluateAll((all) => all.map((cell) => getComputedStyle(cell).textAlign));
    expect(sides).toEqual(['right', 'right', 'right']);
    // The text stands beside its number, whatever its own direction.
    const mixed = texts.locator('ol').nth(1).locator('li').nth(1);
    expect(await mixed.evaluate((item) => getComputedStyle(item).textAlign)).toBe('left');
  });
});

test('retries of a request are one notice, which disappears when one succeeds', async () => {
  await visit('retrying', async (page) => {
    const notices = page.locator('[data-code=retrying]');
    const retry = (attempt: number, seq: number) =>
      emit(page, {
        seq,
        turnId: 'turn-1',
        at: '2031-03-04T09:01:00Z',
        type: 'notice',
        code: 'retrying',
        message: `attempt ${attempt}`,
      });
    expect(await notices.count()).toBe(1);
    await retry(3, 90);
    await notices.getByText('attempt 3').waitFor();
    await retry(4, 91);
    await notices.getByText('attempt 4').waitFor();
    expect(await notices.count()).toBe(1);
    await stream(page, 'Here I am.', 92);
    await log(page).getByText('Here I am.').waitFor();
    expect(await notices.count()).toBe(0);
  });
  // Opened afterwards, nothing is left of it either.
  await visit('error', async (page) => {
    expect(await page.locator('[data-code=retrying]').count()).toBe(0);
  });
});

test('a call that changed something and one that failed are cards of their own between runs of reads', async () => {
  await visit('card-many-reads', async (page) => {
    const rows = log(page).locator('.run > .head, .card');
    await rows.nth(3).waitFor();
    expect(await rows.evaluateAll((all) => all.map((each) => each.className.includes('card')))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    await page.getByRole('group').filter({ hasText: 'chapter-21.md' }).getByText('Failed').waitFor();
    await press(page, page.getByRole('button', { name: labels.chat.calls(20) }));
    await page.getByRole('group').filter({ hasText: 'chapter-19.md' }).waitFor();
  });
});

describe('beside a question', () => {
  const usage = (page: Page) => log(page).locator('.usage').first();
  const tooltip = (page: Page) => page.getByRole('tooltip');

  test('a tooltip closes when the question comes, also one that was about to open', async () => {
    await visit('card-many-reads', async (page) => {
      await pointAt(page, usage(page));
      await tooltip(page).waitFor();
      expect(await tooltip(page).innerText()).toContain('\n');
      await page.evaluate(`gallery.emit('docked', { height: 320 })`);
      await tooltip(page).waitFor({ state: 'detached' });

      await page.evaluate(`gallery.emit('docked', { height: 0 })`);
      await page.clock.install();
      await page.mouse.move(1, 1);
      await pointAt(page, usage(page));
      // A busy page hears of the pointer later.
      await expect.poll(() => usage(page).evaluate((element) => element.matches(':hover'))).toBe(true);
      await page.evaluate(`gallery.emit('docked', { height: 320 })`);
      await page.clock.runFor(5_000);
      expect(await tooltip(page).count()).toBe(0);
      // If there were no question, it would have come by now.
      await page.evaluate(`gallery.emit('docked', { height: 0 })`);
      await page.mouse.move(1, 1);
      await pointAt(page, usage(page));
      await page.clock.runFor(5_000);
      await tooltip(page).waitFor();
    });
  });
});

test('when a run of calls folds and everything fits, the page no longer says that there is more below', async () => {
  await visit('waiting', async (page) => {
    let seq = 90;
    const tell = (event: object) => emit(page, { seq: ++seq, turnId: 'turn-1', at: '2031-03-04T09:01:00Z', ...event });
    const calls = async (id: string) => {
      const words = { title: 'Read file', done: 'Read', about: id, icon: 'file-text' };
      await tell({ type: 'tool_call', id, name: 'read_file', input: {}, calledBy: 'model', words });
      await tell({ type: 'decision', id, answer: 'allow', by: 'default', reason: { code: 'read_inside' } });
    };
    const returns = (id: string) =>
      tell({ type: 'tool_result', id, calledBy: 'model', outcome: 'completed', text: 'text', isError: false });
    for (const id of ['a', 'b', 'c', 'd']) await calls(id);
    for (const id of ['a', 'b', 'c']) await returns(id);
    await log(page).locator('.card').nth(3).waitFor();
    // A window in which the last lines don't fit by more than what counts as at the end, and a single line will.
    const room = await log(page).evaluate((element) => {
      const content = element.querySelector('.content');
      return element.clientHeight - (content?.getBoundingClientRect().height ?? 0);
    });
    const height = await page.evaluate(() => window.innerHeight);
    await page.setViewportSize({ ...WIDE, height: Math.round(height - room - 60) });
    // It has its new size, and is at its end again.
    await expect.poll(() => log(page).evaluate((element) => element.scrollTop)).toBeGreaterThan(0);
    await pointAt(page, log(page));
    await page.mouse.wheel(0, -2_000);
    const below = page.getByRole('button', { name: /^(?:New text below|Jump to latest)$/ });
    await below.waitFor();
    await expect.poll(() => log(page).evaluate((element) => element.scrollTop)).toBe(0);
    await returns('d');
    await page.getByRole('button', { name: labels.chat.calls(4) }).waitFor();
    await below.waitFor({ state: 'detached' });
  });
});

const STREAMED =
  'I see **three** things:\n\n- one\n  - `inner`\n- [two](https://example.org)\n\n| a | b |\n|---|---|\n| 1 | 2 |\n';

test('nothing flashes while an answer is written', async () => {
  await visit('waiting', async (page) => {
    await log(page).evaluate((element) => {
      const seen: string[] = [];
      Object.assign(globalThis, { seen });
      new MutationObserver(() => {
        for (const heading of element.querySelectorAll('.markdown :is(h3, h4, h5, h6)')) seen.push(heading.outerHTML);
        const text = [...element.querySelectorAll('.markdown')].map((each) => each.textContent).join('');
        if (/\*|`|\[|\]|\||https:/.test(text)) seen.push(text);
      }).observe(element, { subtree: true, childList: true, characterData: true });
    });
    for (const [index, character] of [...STREAMED].entries()) await stream(page, character, 100 + index);
    await log(page).getByRole('cell', { name: '2' }).waitFor();
    expect(await page.evaluate('seen')).toEqual([]);
    expect(await log(page).getByRole('link', { name: 'two' }).count()).toBe(1);
  });
});
