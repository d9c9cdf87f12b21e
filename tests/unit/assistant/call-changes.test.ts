import { expect, test, vi } from 'vitest';
import { ConversationLog } from '../../../src-main/assistant/conversation-log.ts';
import { CallChanges } from '../../../src-main/assistant/undo/call-changes.ts';
import { UnaskedChanges } from '../../../src-main/policy/unasked-changes.ts';
import { MemoryEvents } from '../../fixtures/memory-events.ts';
import { forgottenImages } from '../../fixtures/memory-images.ts';
import { privateMark, secretMark, untrusted } from '../../fixtures/memory-ports.ts';
import { noProvenance } from '../../fixtures/no-provenance.ts';

test.each([
  ['nothing from outside, a secret file among it', [privateMark, secretMark], []],
  ['text from outside', [privateMark, secretMark, untrusted], [untrusted]],
] as const)('a change after %s was read', (_what, marks, expected) => {
  const changed = vi.fn(() => 1);
  const log = new ConversationLog(new MemoryEvents(), 'conversation-1', 'turn-1', () => undefined);
  const provenance = { ...noProvenance, changed };
  const unaskedChanges = new UnaskedChanges();
  const call = { log, callId: 'call-1', marks };
  const changes = new CallChanges({ images: forgottenImages(), provenance, unaskedChanges, ...call });
  changes.record({ given: 'a', path: '/w/a', before: null, afterHash: 'hash', madeFolders: [] });
  expect(changed.mock.calls).toMatchObject(expected.length === 0 ? [] : [[{ path: '/w/a', marks: expected }]]);
});
