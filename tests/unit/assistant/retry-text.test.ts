import { expect, test } from 'vitest';
import { retryNotice } from '../../../src-main/assistant/retry-text.ts';
import { ModelError } from '../../../src-main/models/provider.ts';

test('a wait that people notice says when it ends, a short one does not', () => {
  const error = new ModelError('overloaded', 'Overloaded');
  const began = Date.now();
  const long = retryNotice({ type: 'retry', error, attempt: 2, most: 5, waitMs: 20_000 });
  expect(long.message).toBe('The service is overloaded. Retrying 2 of 5 in 20 s…');
  expect(Date.parse(long.until ?? '')).toBeGreaterThanOrEqual(began + 20_000);
  const short = retryNotice({ type: 'retry', error, attempt: 1, most: 5, waitMs: 900 }, 'work');
  expect(short).toEqual({
    type: 'notice',
    code: 'retrying',
    message: 'work: The service is overloaded. Retrying 1 of 5…',
  });
});
