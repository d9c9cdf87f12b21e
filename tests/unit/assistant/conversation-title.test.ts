import { expect, test } from 'vitest';
import { titleOf } from '../../../src-main/assistant/conversation-title.ts';

test.each([
  ['  What is here?\nAnd there?', 'What is here?'],
  ['x'.repeat(61), `${'x'.repeat(59)}…`],
  ['/read_file {"path": "a.txt"}', '/read_file a.txt'],
  ['/grep {"pattern": "a\\nb", "path": "src", "head_limit": 3, "multiline": true}', '/grep a b · src · 3'],
  ['/get_time {}', '/get_time'],
  ['/get_time', '/get_time'],
  ['/read_file {path}', '/read_file {path}'],
  ['/read_file [1]', '/read_file [1]'],
])('%j is called %j', (prompt, title) => {
  expect(titleOf(prompt)).toBe(title);
});
