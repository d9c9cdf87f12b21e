import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redactSecrets } from '../../../src-main/secrets/redaction.ts';
import { resultForModel } from '../../../src-main/tools/registry/result-cap.ts';

test('a result over the cap is cut with a notice that says how much there was', () => {
  expect(resultForModel('x'.repeat(85_000), { toolName: 'read_file', maxChars: 40_000 })).toBe(
    `${'x'.repeat(40_000)}\n\n[OUTPUT TRUNCATED: Showing 40,000 of 85,000 characters from read_file]`,
  );
  expect(resultForModel('x'.repeat(40_000), { toolName: 'read_file', maxChars: 40_000 })).toBe('x'.repeat(40_000));
});

test('zero disables the cap, and a tool with its own cap is not cut twice', () => {
  const long = 'x'.repeat(50_000);
  expect(resultForModel(long, { toolName: 't', maxChars: 0 })).toBe(long);
  expect(resultForModel(long, { toolName: 't', maxChars: 40_000, hasOwnResultCap: true })).toBe(long);
});

test('an empty result is sent as a word', () => {
  expect(resultForModel('', { toolName: 't', maxChars: 10 })).toBe('(no output)');
});

test('a cut never splits a character', () => {
  const characters = fc.string({ unit: 'grapheme', minLength: 2, maxLength: 60 });
  fc.assert(
    fc.property(characters, fc.integer({ min: 1, max: 50 }), (text, maxChars) => {
      const capped = resultForModel(text, { toolName: 't', maxChars });
      expect(Buffer.from(capped, 'utf8').toString('utf8')).toBe(capped);
      const shown = capped.split('\n\n[OUTPUT')[0] ?? '';
      expect(text.startsWith(shown) || capped === text).toBe(true);
    }),
  );
});

test('credentials are taken out of a text, what stands around them stays', () => {
  const secrets = {
    anthropic: `sk-ant-api03-${'a1B2'.repeat(8)}`,
    openai: `sk-proj-${'x9'.repeat(12)}`,
    google: `AIza${'Sy'.repeat(17)}`,
    oauth: `ya29.${'a0'.repeat(20)}`,
    github: `ghp_${'q1'.repeat(18)}`,
    slack: `xoxb-${'123-abc'.repeat(3)}`,
  };
  for (const secret of Object.values(secrets)) {
    expect(redactSecrets(`HTTP 401 for ${secret}, try again`)).toBe('HTTP 401 for [redacted], try again');
  }
  expect(redactSecrets('Authorization: Bearer abc.def-123456')).toBe('Authorization: Bearer [redacted]');
  expect(redactSecrets('"x-api-key": "abcdef123456"')).toBe('"x-api-key": "[redacted]"');
  expect(redactSecrets('code hunter22x wrong', ['hunter22x'])).toBe('code [redacted] wrong');
  expect(redactSecrets('ask-me-anything-about-tasks and desk-lamp-number-one')).toBe(
    'ask-me-anything-about-tasks and desk-lamp-number-one',
  );
});
