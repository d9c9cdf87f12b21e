import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { conversationIn, placedOn, WindowMemory } from '../../../src-main/desktop/window-memory.ts';

function profile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'steward-memory-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('the state of the window is restored at the next start', () => {
  const folder = profile();
  const bounds = { x: 10, y: 20, width: 900, height: 700 };
  new WindowMemory(folder).remember({ bounds, theme: 'dark', zoom: 1.25, isFirstRunFinished: true });
  expect(new WindowMemory(folder).current).toEqual({
    bounds,
    isMaximized: false,
    theme: 'dark',
    zoom: 1.25,
    consentZoom: 1,
    isFirstRunFinished: true,
    conversation: null,
    saveFolder: null,
  });
});

test.each([
  '',
  '[]',
  'null',
  '{"bounds": {"x": "a"}, "zoom": 99, "consentZoom": 0.1, "theme": "pink", "isFirstRunFinished": 1}',
  '{',
])('a file that makes no sense (%s) counts as empty', (text) => {
  const folder = profile();
  writeFileSync(join(folder, 'window.json'), text);
  expect(new WindowMemory(folder).current).toEqual({
    bounds: undefined,
    isMaximized: false,
    theme: 'system',
    zoom: 1,
    consentZoom: 1,
    isFirstRunFinished: false,
    conversation: null,
    saveFolder: null,
  });
  expect(readFileSync(join(folder, 'window.json'), 'utf8')).toBe(text);
});

test('what a newer version wrote is kept, also values that this one does not know', () => {
  const folder = profile();
  const file = join(folder, 'window.json');
  writeFileSync(file, JSON.stringify({ theme: 'sepia', zoom: 1.5, panes: [1, 2] }));
  const memory = new WindowMemory(folder);
  expect(memory.current).toMatchObject({ theme: 'system', zoom: 1.5 });
  memory.remember({ zoom: 2 });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ theme: 'sepia', zoom: 2, panes: [1, 2] });
  memory.remember({ theme: 'dark' });
  expect(new WindowMemory(folder).current).toMatchObject({ theme: 'dark', zoom: 2 });
});

const ID = 'c1a3a1cc-9b5e-4a8f-9c55-0a1f8f0d2a55';

test('the open conversation is remembered by its id, and nothing else of an address is', () => {
  const folder = profile();
  new WindowMemory(folder).remember({ conversation: ID });
  expect(new WindowMemory(folder).current.conversation).toBe(ID);
  writeFileSync(join(folder, 'window.json'), JSON.stringify({ conversation: `${ID}#x` }));
  expect(new WindowMemory(folder).current.conversation).toBeNull();
  const of = (hash: string) => conversationIn(`steward://app/app.html${hash}`);
  expect([of(`#${ID}`), of('#'), of(''), of(`#${ID}x`), of('#../../x'), conversationIn('no address')]).toEqual([
    ID,
    null,
    null,
    null,
    null,
    null,
  ]);
});

test('state that cannot be saved is kept until the app ends', () => {
  const folder = profile();
  const memory = new WindowMemory(join(folder, 'gone'));
  memory.remember({ theme: 'light' });
  expect(memory.current.theme).toBe('light');
});

test('a window goes back to its place as far as a display of now has it', () => {
  const left = { x: 0, y: 0, width: 1920, height: 1040 };
  const right = { x: 1920, y: 0, width: 1280, height: 1000 };
  const window = { x: 2000, y: 100, width: 1000, height: 700 };
  expect(placedOn(window, [left, right])).toEqual(window);
  expect(placedOn(window, [left])).toBe(undefined);
  expect(placedOn({ ...window, x: 1800 }, [left])).toEqual({ ...window, x: 920 });
  expect(placedOn({ x: -50, y: -50, width: 3000, height: 3000 }, [right, left])).toEqual(left);
});
