import { expect, test } from 'vitest';
import { whileNotGrown } from '../../../src-main/base/while-not-grown.ts';

test('makes it once for a list, anew when it has grown, and separately for another list', () => {
  let made = 0;
  const sum = whileNotGrown((list: readonly number[]) => {
    made++;
    return list.reduce((total, each) => total + each, 0);
  });
  const list = [1, 2];
  expect([sum(list), sum(list), made]).toEqual([3, 3, 1]);
  list.push(3);
  expect([sum(list), sum(list), made]).toEqual([6, 6, 2]);
  expect([sum([1, 2]), made]).toEqual([3, 3]);
});
