import { expect, expectTypeOf, test } from 'vitest';
import { shownEvent } from '../../../src-main/ipc/shown-event.ts';
import type { StoredEvent } from '../../../src-preload/contract/events.ts';
import type { ToolCard as StoredCard } from '../../../src-preload/contract/tool-card.ts';
import type { ToolCard as ShownCard } from '../../../src-preload/contract/tool-card.ts';

test('the window gets a card as storage keeps it', () => {
  // Judged by the compiler: `npm run check` fails where the two differ.
  expectTypeOf<ShownCard>().toEqualTypeOf<StoredCard>();
  const card: StoredCard = { kind: 'diff', path: 'a.ts', isNew: false, added: 1, removed: 0, patch: '@@ -1 +1 @@\n+a' };
  const stored: StoredEvent = {
    conversationId: '0b7f5f0e-2f6f-4c1b-9d53-0a5d0c1e7a01',
    seq: 4,
    turnId: 't1',
    at: '2031-01-01T00:00:00.000Z',
    type: 'tool_result',
    id: 'c1',
    text: 'x'.repeat(300_000),
    isError: false,
    card,
    changed: ['a.ts'],
  };
  expect(shownEvent(stored)).toMatchObject({ card, changed: ['a.ts'] });
  expect(shownEvent(stored)).not.toHaveProperty('textEnd');

  const text = `${'a line of a build\n'.repeat(20_000)}${'x'.repeat(300)}\nfinished\n[exit code 3]`;
  const terminal: StoredCard = { kind: 'terminal', line: 'make', ending: 'exited', exitCode: 3 };
  const printed = shownEvent({ ...stored, text, card: terminal });
  expect(printed).toMatchObject({ text: text.slice(0, 200_000), textLength: text.length });
  expect(printed.textEnd).toMatch(/^a line of a build\n[\s\S]*\nfinished\n\[exit code 3\]$/);
  expect(text.endsWith(String(printed.textEnd))).toBe(true);
  // One line without an end: never half a character.
  const line = shownEvent({ ...stored, text: `${'x'.repeat(300_000)}${'😀'.repeat(10_000)}!`, card: terminal });
  expect(line.textEnd).toBe(`${'😀'.repeat(9_999)}!`);
});
