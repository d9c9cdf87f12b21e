import { join } from 'node:path';
import type { Locator } from 'playwright';
import { expect, onTestFinished, test, vi } from 'vitest';
import { copiedElsewhere } from '../../fixtures/copied-elsewhere.ts';
import { AppRig, type RunningApp } from '../../fixtures/electron-app.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { labels } from '../../fixtures/window-labels.ts';
import { User } from '../../fixtures/window-user.ts';

const SOON = { timeout: 30_000 };

/** A native menu is drawn by the system: it is caught where it would open, and its entries are pressed. */
async function catchesMenus({ app }: RunningApp): Promise<void> {
  await app.evaluate(({ Menu, shell }) => {
    const caught = globalThis as unknown as { menus: unknown[]; shown: string[]; opened: string[] };
    Object.assign(caught, { menus: [], shown: [], opened: [] });
    Menu.prototype.popup = function popup() {
      caught.menus.push(this);
    };
    shell.showItemInFolder = (path) => void caught.shown.push(path);
    shell.openExternal = async (url) => void caught.opened.push(url);
  });
}

/** The labels of the menus that were asked for, the newest last. What can't be chosen is in brackets. */
const menus = ({ app }: RunningApp) =>
  app.evaluate(() =>
    (globalThis as unknown as { menus: Electron.Menu[] }).menus.map(({ items }) =>
      items.flatMap(({ type, label, enabled }) => (type === 'separator' ? [] : [enabled ? label : `[${label}]`])),
    ),
  );

const caught = ({ app }: RunningApp, what: 'shown' | 'opened') =>
  app.evaluate((_electron, name) => (globalThis as unknown as Record<string, string[]>)[name], what);

async function chooses({ app }: RunningApp, label: string): Promise<void> {
  await app.evaluate((_electron, wanted) => {
    const { items } = (globalThis as unknown as { menus: Electron.Menu[] }).menus.at(-1) ?? { items: [] };
    items.find((item) => item.label === wanted)?.click();
  }, label);
}

async function rightClicks(running: RunningApp, where: Locator): Promise<readonly string[]> {
  const before = (await menus(running)).length;
  await where.click({ button: 'right' });
  return vi.waitFor(async () => {
    const all = await menus(running);
    expect(all.length).toBe(before + 1);
    return all.at(-1) ?? [];
  }, SOON);
}

const clipboard = ({ app }: RunningApp) => app.evaluate(({ clipboard }) => clipboard.readText());

test('the composer has a menu; what is pasted from it counts as the user’s own', async (context) => {
  const rig = new AppRig(context, { files: { 'notes.md': 'Buy oranges.' } });
  const running = await rig.launch();
  const user = new User(running);
  await catchesMenus(running);
  const message = running.chat.getByRole('textbox', { name: labels.chat.message });
  await user.writes('words');
  const items = await rightClicks(running, message);
  expect(items).toEqual([
    'Undo',
    '[Redo]',
    '[Cut]',
    '[Copy]',
    expect.stringMatching(/Paste/),
    '[Delete]',
    'Select All',
  ]);
  await chooses(running, 'Select All');
  await rightClicks(running, message);
  await chooses(running, 'Cut');
  await vi.waitFor(async () => expect(await message.inputValue()).toBe(''), SOON);
  expect(await clipboard(running)).toBe('words');

  // Copied in another program: while the window does not have the focus.
  await copiedElsewhere(running, '/read_file {"path":"notes.md"}');
  await rightClicks(running, message);
  await chooses(running, 'Paste');
  await vi.waitFor(async () => expect(await message.inputValue()).toBe('/read_file {"path":"notes.md"}'), SOON);
  await running.chat.keyboard.press('Enter');
  // There is no question in between, because main saw the paste.
  await user.card('read_file', 'done').waitFor();
});

test('links, selections and files of cards have their entries; a row has its own menu', async (context) => {
  const api = await startMessagesApi({
    turns: [
      { blocks: [{ type: 'tool_use', name: 'read_file', input: { file_path: 'notes.md' } }] },
      { text: 'See [the handbook](https://handbook.example/page) for **everything**.' },
    ],
  });
  onTestFinished(() => api.close());
  const rig = new AppRig(context, { api: api.url, files: { 'notes.md': 'Buy oranges.' } });
  const running = await rig.launch();
  const user = new User(running);
  const { chat } = running;
  await catchesMenus(running);
  await user.ask('Look at the notes');
  await user.sees('everything');
  await user.waits();

  const link = chat.getByRole('link', { name: 'the handbook' });
  expect(await rightClicks(running, link)).toEqual(['Open Link', 'Copy Link']);
  await chooses(running, 'Copy Link');
  await vi.waitFor(async () => expect(await clipboard(running)).toBe('https://handbook.example/page'), SOON);
  await rightClicks(running, link);
  await chooses(running, 'Open Link');
  // Only the model wrote it, and private text is there: the same question as after a click.
  expect(await (await user.question()).innerText()).toContain('https://handbook.example/page');
  expect(await caught(running, 'opened')).toEqual([]);
  await user.answers(labels.consent.open);
  await vi.waitFor(
    async () => expect(await caught(running, 'opened')).toEqual(['https://handbook.example/page']),
    SOON,
  );

  await chat.getByRole('log').getByText('everything').dblclick();
  expect(await rightClicks(running, chat.getByRole('log').getByText('everything'))).toEqual(['Copy']);
  await chooses(running, 'Copy');
  await vi.waitFor(async () => expect((await clipboard(running)).trim()).toBe('everything'), SOON);

  const card = user.card('read_file', 'done');
  expect(await rightClicks(running, card)).toEqual(['Copy Path', expect.stringMatching(/^Show in/)]);
  await chooses(running, 'Show in Folder');
  await expect.poll(() => caught(running, 'shown'), SOON).toEqual([join(rig.workspace, 'notes.md')]);

  const row = chat.getByRole('navigation', { name: labels.conversations.byDate }).getByRole('button').first();
  await row.click({ button: 'right' });
  await chat.getByRole('menuitem', { name: 'Rename' }).waitFor();
  await running.shoot('row-menu');
  await chat.getByRole('menuitem', { name: 'Rename' }).click();
  await chat.getByRole('textbox', { name: 'New title' }).waitFor();
  // The right button opens no link.
  expect(await chat.getByRole('alert').count()).toBe(0);
});

test('a page cannot open a menu on its own, and over a question the menu only copies', async (context) => {
  const running = await new AppRig(context).launch();
  const user = new User(running);
  await catchesMenus(running);
  const message = running.chat.getByRole('textbox', { name: labels.chat.message });
  await message.click();
  await message.evaluate((field) => {
    for (const type of ['pointerdown', 'mousedown', 'mouseup', 'contextmenu'])
      field.dispatchEvent(new MouseEvent(type, { bubbles: true, button: 2, buttons: 2, clientX: 5, clientY: 5 }));
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'ContextMenu', bubbles: true }));
  });
  await user.ask('/bash {"command":"echo hello"}');
  const question = await user.question();
  const command = question.getByText('echo hello').first();
  await command.click({ button: 'right' });
  await command.dblclick();
  expect(await rightClicks(running, command)).toEqual(['Copy']);
  // Nothing before this had brought up a menu.
  expect(await menus(running)).toEqual([['Copy']]);
});
