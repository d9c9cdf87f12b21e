import { expect, test } from 'vitest';
import { Listeners } from '../../../src-main/base/listeners.ts';

test('a listener that leaves or comes while others are told changes nothing for them', () => {
  const listeners = new Listeners<[word: string]>();
  const heard: string[] = [];
  const leave = listeners.add((word) => {
    heard.push(`first ${word}`);
    leave();
    listeners.add((late) => void heard.push(`late ${late}`));
  });
  listeners.add((word) => void heard.push(`second ${word}`));
  listeners.tell('a');
  expect(heard).toEqual(['first a', 'second a']);
  listeners.tell('b');
  expect(heard.slice(2)).toEqual(['second b', 'late b']);
  expect(listeners.count).toBe(2);
  listeners.clear();
  listeners.tell('c');
  expect(heard).toHaveLength(4);
});
