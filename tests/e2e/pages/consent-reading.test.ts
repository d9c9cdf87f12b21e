import type { Page } from 'playwright';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { needElectron } from '../../fixtures/electron-app.ts';
import { Gallery } from '../../fixtures/gallery/gallery.ts';
import type { Scene } from '../../fixtures/gallery/scene.ts';
import { consentScenes, hugeScene } from '../../fixtures/gallery/scenes/consent.ts';
import { AT_REST } from '../../fixtures/page-at-rest.ts';
import { labels } from '../../fixtures/window-labels.ts';

/** A window of 900×600 as it is, and at 200 %. */
const WINDOWS = [
  { name: '900×600', width: 900, height: 600 },
  { name: '900×600 at 200 %', width: 450, height: 300 },
] as const;

const sceneNamed = (name: string): Scene => {
  const scene = consentScenes.find((candidate) => candidate.name === name);
  if (scene === undefined) throw new Error(`There is no scene ${name}.`);
  return scene as Scene;
};
const allowOnce = (page: Page) => page.getByRole('button', { name: labels.consent.allowOnce });
const deny = (page: Page) => page.getByRole('button', { name: labels.consent.deny }).first();
const readOn = (page: Page) => page.getByRole('button', { name: labels.consent.readOn });
const denyIsOpen = (page: Page) => page.locator('button:enabled', { hasText: labels.consent.deny }).first().waitFor();

/** Whether the whole of it is within the window now, and nothing lies over it. */
function isInView(page: Page, text: string): Promise<boolean> {
  return page.evaluate((wanted) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const at = walker.currentNode.textContent?.indexOf(wanted) ?? -1;
      if (at === -1) continue;
      const range = document.createRange();
      range.setStart(walker.currentNode, at);
      range.setEnd(walker.currentNode, at + wanted.length);
      const { left, top, right, bottom } = range.getBoundingClientRect();
      const parent = walker.currentNode.parentElement;
      const seen = [
        [left + 1, top + 1],
        [right - 1, bottom - 1],
      ].every(([x = 0, y = 0]) => {
        const hit = document.elementFromPoint(x, y);
        return hit !== null && parent !== null && (parent.contains(hit) || hit.contains(parent));
      });
      if (seen) return true;
    }
    return false;
  }, text);
}

describe('reading a question before allowing it', () => {
  let gallery: Gallery;
  beforeEach(async (context) => {
    gallery ??= await Gallery.open(needElectron(context));
  }, 120_000);
  afterAll(() => gallery?.close());

  const visitIn = (size: { width: number; height: number }, name: string, look: (page: Page) => Promise<void>) =>
    gallery.visit(sceneNamed(name), look, (page) => page.setViewportSize(size));

  test.each(WINDOWS)(
    '$name: a long command under an endless title is allowed once all of it was in view',
    async (window) => {
      await visitIn(window, 'consent-crowded', async (page) => {
        await denyIsOpen(page);
        const wanted = ['echo 1', 'echo 12', '338 more lines', '/home/ada/project'];
        const atEnd = 'rm -r /home/ada';
        const seen = new Set<string>();
        const look = async () => {
          for (const text of wanted) if (await isInView(page, text)) seen.add(text);
        };
        await look();
        for (let press = 0; press < 20 && seen.size < wanted.length; press += 1) {
          await page.keyboard.press('PageDown');
          await page.evaluate(AT_REST);
          await look();
        }
        expect([...seen].sort()).toEqual([...wanted].sort());
        expect(await allowOnce(page).isDisabled()).toBe(true);
        await page.getByRole('button', { name: /^338 more lines/ }).click();
        // Having seen its end alone does not mean that all of it was read.
        await page.keyboard.press('End');
        await expect.poll(() => isInView(page, atEnd)).toBe(true);
        await page.evaluate(AT_REST);
        expect(await allowOnce(page).isDisabled()).toBe(true);
        for (let press = 0; press < 100 && (await readOn(page).count()) > 0; press += 1) {
          await readOn(page).click();
          await page.evaluate(AT_REST);
        }
        await expect.poll(() => allowOnce(page).isEnabled()).toBe(true);
        expect(await readOn(page).count()).toBe(0);
        // The buttons are in the window at any size.
        for (const button of [deny(page), allowOnce(page)]) {
          const box = await button.boundingBox();
          expect(box && box.y >= 0 && box.y + box.height <= window.height).toBe(true);
        }
      });
    },
  );

  test('a card says which lines of what must have been seen it shows, and a line of thousands of words is read to its end', async () => {
    await visitIn({ width: 450, height: 300 }, 'consent-lines', async (page) => {
      await denyIsOpen(page);
      await expect.poll(() => readOn(page).textContent()).toMatch(/Lines 1–\d+ of 80\. Scroll to the end\s+to allow/);
      expect(await allowOnce(page).isDisabled()).toBe(true);
      for (let press = 0; press < 30 && (await readOn(page).count()) > 0; press += 1) {
        await readOn(page).click();
        await page.evaluate(AT_REST);
      }
      await expect.poll(() => allowOnce(page).isEnabled()).toBe(true);
      expect(await isInView(page, 'echo 80')).toBe(true);
    });
    await visitIn({ width: 900, height: 600 }, 'consent-many-words', async (page) => {
      await denyIsOpen(page);
      expect(await allowOnce(page).isDisabled()).toBe(true);
      await page.keyboard.press('End');
      await page.evaluate(AT_REST);
      expect(await allowOnce(page).isDisabled()).toBe(true);
    });
  });

  test('what was read at one size has to be read again at another', async () => {
    await visitIn({ width: 900, height: 700 }, 'consent-command', async (page) => {
      await denyIsOpen(page);
      await expect.poll(() => allowOnce(page).isEnabled()).toBe(true);
      await page.setViewportSize({ width: 450, height: 130 });
      await expect.poll(() => allowOnce(page).isDisabled()).toBe(true);
    });
  });

  test('what must be seen is shown without the details, which may stay folded', async () => {
    await visitIn({ width: 900, height: 600 }, 'consent-command', async (page) => {
      await denyIsOpen(page);
      await expect.poll(() => allowOnce(page).isEnabled()).toBe(true);
      for (const text of ['npm run report', '/home/ada/project']) expect(await isInView(page, text)).toBe(true);
      for (const text of ['GH_TOKEN', 'Steward asks before it runs a command'])
        expect(await page.getByText(text).count()).toBe(0);
      await page.getByRole('button', { name: '2 secrets not passed on' }).click();
      await page.getByText('GH_TOKEN').waitFor();
      await page.getByRole('checkbox').check();
      await page.getByRole('button', { name: '2 secrets passed on' }).waitFor();
      await page.getByRole('button', { name: labels.consent.details }).click();
      await page.getByText('Steward asks before it runs a command').waitFor();
    });
  });

  test('jumping to the end does not count as reading, and Ctrl+Enter allows nothing before', async () => {
    await visitIn({ width: 450, height: 300 }, 'consent-long', async (page) => {
      await denyIsOpen(page);
      await page.keyboard.press('End');
      await readOn(page).filter({ hasText: 'above' }).waitFor();
      await page.keyboard.press('Control+Enter');
      expect(await page.evaluate(`gallery.requests.filter(({ route }) => route === 'consent.answer')`)).toEqual([]);
      expect(await allowOnce(page).isDisabled()).toBe(true);
      // From the end it leads to what was jumped over, part by part.
      for (let press = 0; press < 60 && (await readOn(page).count()) > 0; press += 1) {
        await readOn(page).click();
        await page.evaluate(AT_REST);
      }
      await expect.poll(() => allowOnce(page).isEnabled()).toBe(true);
      await page.keyboard.press('Control+Enter');
      await expect
        .poll(() => page.evaluate(`gallery.requests.filter(({ route }) => route === 'consent.answer').length`))
        .toBe(1);
    });
  });

  test('Ctrl+Enter on an unread question says what is missing and leads there; two quick presses allow nothing', async () => {
    await visitIn({ width: 900, height: 600 }, 'consent-long', async (page) => {
      await denyIsOpen(page);
      const answers = () => page.evaluate(`gallery.requests.filter(({ route }) => route === 'consent.answer').length`);
      const scrolled = () => page.locator('[role=alertdialog] .body').evaluate((body) => body.scrollTop);
      await page.keyboard.press('Control+Enter');
      await page.getByRole('status').filter({ hasText: 'more to read' }).waitFor();
      await expect.poll(scrolled).toBeGreaterThan(0);
      for (let press = 0; press < 40 && (await readOn(page).count()) > 0; press += 1) {
        await denyIsOpen(page);
        await page.keyboard.press('Control+Enter');
        await page.keyboard.press('Control+Enter');
        await page.evaluate(AT_REST);
        expect(await answers()).toBe(0);
      }
      await allowOnce(page).and(page.locator(':enabled')).waitFor();
      expect(await page.getByRole('status').filter({ hasText: 'more to read' }).count()).toBe(0);
      await page.keyboard.press('Control+Enter');
      await expect.poll(answers).toBe(1);
    });
  });

  test('the wheel moves the text over the buttons too', async () => {
    await visitIn({ width: 900, height: 600 }, 'consent-long', async (page) => {
      await denyIsOpen(page);
      await deny(page).hover();
      await page.mouse.wheel(0, 120);
      await expect
        .poll(() => page.locator('[role=alertdialog] .body').evaluate((body) => body.scrollTop))
        .toBeGreaterThan(0);
    });
  });

  test('a long text can be read in full, and its end can be reached', async () => {
    await gallery.visit(sceneNamed('consent-crowded'), async (page) => {
      await page.getByRole('button', { name: /^338 more lines/ }).click();
      const whole = page.getByRole('group', { name: 'Command' });
      await whole.focus();
      await page.keyboard.press('End');
      await expect.poll(() => isInView(page, 'rm -r /home/ada')).toBe(true);
    });
  });

  test('a change of 450,000 lines shows its totals, and draws only what is near', async () => {
    await gallery.visit(hugeScene as Scene, async (page) => {
      await page.getByText('+400,000').waitFor();
      await page.getByText('−50,000').waitFor();
      await page.getByRole('button', { name: /^449,988 more lines/ }).click();
      const lines = page.getByRole('group', { name: /^Change of/ }).last();
      await lines.getByText('added: line 13', { exact: true }).waitFor({ state: 'attached' });
      await lines.evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
      await lines.getByText('added: line 450000', { exact: true }).waitFor();
      expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(20_000);
    });
  });

  test('a question that cannot be read yet can be denied with the keyboard, and not allowed', async () => {
    await gallery.visit(sceneNamed('consent-preparing'), async (page) => {
      await denyIsOpen(page);
      expect(await page.getByRole('button').count()).toBe(1);
      await page.keyboard.press('Control+Enter');
      await page.keyboard.press('Escape');
      await expect
        .poll(() =>
          page.evaluate(`gallery.requests.filter(({ route }) => route === 'consent.answer').map(({ input }) => input)`),
        )
        .toEqual([{ id: 'card-slow', answer: 'deny', word: '' }]);
    });
  });
});
