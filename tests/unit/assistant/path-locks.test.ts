import { expect, test } from 'vitest';
import { PathLocks } from '../../../src-main/assistant/path-locks.ts';

function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

test('work on the same path waits, in order, and knows that it waited', async () => {
  const locks = new PathLocks();
  const order: string[] = [];
  const first = gate();
  const done = [
    locks.run(['/a'], async (waited) => {
      await first.opened;
      order.push(`first ${waited}`);
    }),
    locks.run(['/b', '/a'], async (waited) => {
      order.push(`second ${waited}`);
    }),
    locks.run(['/c'], async (waited) => {
      order.push(`other ${waited}`);
    }),
  ];
  await done[2];
  expect(order).toEqual(['other false']);
  first.open();
  await Promise.all(done);
  expect(order).toEqual(['other false', 'first false', 'second true']);
});

test('work that fails does not block the path', async () => {
  const locks = new PathLocks();
  await expect(locks.run(['/a'], () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(locks.run(['/a'], async () => 'yes')).resolves.toBe('yes');
});
