import { test } from 'vitest';
import { judgeLines } from './judged-lines.ts';

test('100,000 generated lines are judged without an exception, in bounded time', () => judgeLines(100_000), 3_600_000);
