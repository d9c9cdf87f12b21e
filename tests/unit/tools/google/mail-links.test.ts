import { expect, test } from 'vitest';
import { plainLinks } from '../../../../src-main/tools/google/mail-links.ts';

test.each([
  ['https://news.example.com/2026/spring-menu', 1],
  ['https://unsubscribe.example.com/ada', 0],
  ['https://confirm.example.com/x', 0],
  ['https://rsvp.example/no', 0],
  ['https://otp.example.com/now', 0],
  ['https://a1b2c3d4e5f6a7b8c9.example.com/', 0],
  ['https://example.com/unsubscribe', 0],
])('%s is plain, its host counted: %i', (link, count) => {
  expect(plainLinks([link])).toHaveLength(count);
});
