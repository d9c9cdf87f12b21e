import { expect, test } from 'vitest';
import { shownEvent } from '../../../src-main/ipc/conversations/shown-event.ts';
import { registerBuiltInTools } from '../../../src-main/tools/built-in-tools.ts';
import { ToolRegistry } from '../../../src-main/tools/registry/registry.ts';
import type { ConversationEvent, EventOf, StoredEvent } from '../../../src-preload/contract/events.ts';
import type { TerminalCard, ToolCard } from '../../../src-preload/contract/tool-card.ts';
import { stored, toolResult } from '../../fixtures/events.ts';
import { registryPorts } from '../../fixtures/registry-ports.ts';

const registry = new ToolRegistry(registryPorts());
registerBuiltInTools(registry);

function shownResult(text: string, more: Partial<EventOf<'tool_result'>> = {}): EventOf<'tool_result'> {
  const [event] = stored([{ ...toolResult('c1', text), ...more }]) as [StoredEvent];
  const shown = shownEvent(event, registry);
  if (shown.type !== 'tool_result') throw new TypeError('A result is shown as something else');
  return shown;
}

const terminal: TerminalCard = { kind: 'terminal', line: 'make', ending: 'exited', exitCode: 3 };

test('the window gets all of a result but what only the model was given, and which conversation it is in', () => {
  const card: ToolCard = { kind: 'diff', path: 'a.ts', isNew: false, added: 1, removed: 0, patch: '@@ -1 +1 @@\n+a' };
  const parts = [{ type: 'image', mediaType: 'image/png', data: 'AAAA' }] as const;
  const shown = shownResult('OK', { card, parts, changed: ['a.ts'], modelText: 'O…' });
  expect(shown).toMatchObject({ outcome: 'completed', calledBy: 'model', card, parts, changed: ['a.ts'] });
  expect(shown).not.toHaveProperty('modelText');
  expect(shown).not.toHaveProperty('conversationId');
  expect(shown).not.toHaveProperty('cut');
});

test('of a long result it gets the beginning', () => {
  expect(shownResult('x'.repeat(300_000))).toMatchObject({ text: 'x'.repeat(200_000), cut: { length: 300_000 } });
});

test('and of what a command printed, the last lines', () => {
  const text = `${'a line of a build\n'.repeat(20_000)}${'x'.repeat(300)}\nfinished\n[exit code 3]`;
  const { cut, ...shown } = shownResult(text, { card: terminal });
  expect(shown.text).toBe(text.slice(0, 200_000));
  expect(cut?.length).toBe(text.length);
  expect(cut?.end).toMatch(/^a line of a build\n[\s\S]*\nfinished\n\[exit code 3\]$/);
  expect(text.endsWith(String(cut?.end))).toBe(true);
  // One line without an end: never half a character.
  const line = shownResult(`${'x'.repeat(300_000)}${'😀'.repeat(10_000)}!`, { card: terminal });
  expect(line.cut?.end).toBe(`${'😀'.repeat(9_999)}!`);
});

test('a call comes with its words: those of the event, for an older one those of the tool, for a tool that is gone some', () => {
  const shown = (event: ConversationEvent) => shownEvent(stored([event])[0] as StoredEvent, registry);
  const call = { type: 'tool_call', id: 'c1', calledBy: 'model' } as const;
  const words = { title: 'Look', done: 'Looked at', about: 'it', icon: 'search' } as const;
  const input = { path: 'a.txt' };
  expect(shown({ ...call, name: 'read_file', input, words })).toMatchObject({ words });
  expect(shown({ ...call, name: 'read_file', input })).toMatchObject({ words: { done: 'Read', about: 'a.txt' } });
  expect(shown({ ...call, name: 'server__read_file', input })).toMatchObject({
    words: { title: 'Server: read file', about: 'a.txt', icon: 'file-text' },
  });
});

test('a call that is still being written comes with its words too', () => {
  const block = { type: 'tool_use', id: 'c1', name: 'web_fetch', input: { url: 'https://a.example' } } as const;
  const [event] = stored([{ type: 'block', block }]) as [StoredEvent];
  expect(shownEvent(event, registry)).toMatchObject({ words: { title: 'Fetch page', about: 'https://a.example' } });
  const [text] = stored([{ type: 'block', block: { type: 'text', text: 'x' } }]) as [StoredEvent];
  expect(shownEvent(text, registry)).not.toHaveProperty('words');
});

test('and of an attached text, with how long it is and how much of it models are given', () => {
  const long = { kind: 'text', name: 'Pasted text', text: 'x'.repeat(300_000), given: 250_000 } as const;
  const short = { kind: 'text', name: 'a.md', text: 'x' } as const;
  const [event] = stored([{ type: 'user_message', content: [], attachments: [long, short] }]) as [StoredEvent];
  expect(shownEvent(event, registry)).toMatchObject({
    attachments: [{ ...long, text: 'x'.repeat(200_000), length: 300_000 }, short],
  });
});

test('but not the bytes of a PDF or a recording: only how many there are', () => {
  const pdf = { kind: 'document', name: 'plan.pdf', mediaType: 'application/pdf', data: 'JVBERi0=' } as const;
  const [event] = stored([{ type: 'user_message', content: [], attachments: [pdf] }]) as [StoredEvent];
  expect(shownEvent(event, registry)).toMatchObject({ attachments: [{ ...pdf, data: '', bytes: 5 }] });
});
