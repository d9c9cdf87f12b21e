import { expect, test } from 'vitest';
import { isUsual, whyText } from '../../../src-preload/contract/asking-why.ts';

test('a usual question has no sentence that stands on every card', () => {
  for (const code of ['command', 'shell_line', 'write', 'send', 'command_untrusted'] as const)
    expect(whyText({ code })).toBe('');
  expect(whyText({ code: 'command_without_rule', why: 'deletes' })).toBe('');
});

test('what is odd is said, in one line where there is a short form', () => {
  expect(whyText({ code: 'repository', repository: '/w' })).toContain('ever committed');
  expect(whyText({ code: 'mcp_unknown', server: 'x' })).toContain('You haven’t reviewed it');
  expect(whyText({ code: 'message_not_seen' })).toContain('did not see you type');
});

test('a change while it was asked is said, with what else is odd', () => {
  expect(whyText({ code: 'changed_while_asked', asked: { code: 'write' } })).toMatch(/changed while .*\.$/);
  expect(whyText({ code: 'changed_while_asked', asked: { code: 'effects_unstated' } })).toContain('declare');
});

test('no grave consequence is usual', () => {
  expect(isUsual({ code: 'unknown_effects', of: 'command' })).toBe(true);
  expect(isUsual({ code: 'deletes_files' })).toBe(false);
  expect(isUsual({ code: 'cannot_be_undone' })).toBe(false);
});
