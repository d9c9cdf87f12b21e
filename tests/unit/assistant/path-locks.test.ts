import { expect, test } from 'vitest';
import { PathLocks } from '../../../src-main/assistant/path-locks.ts';

const writes = (paths: readonly string[]) => ({ paths, runs: false });
const COMMAND = { paths: [], runs: true };

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
    locks.run(writes(['/a']), async (waited) => {
      await first.opened;
      order.push(`first ${waited}`);
    }),
    locks.run(writes(['/b', '/a']), async (waited) => {
      order.push(`second ${waited}`);
    }),
    locks.run(writes(['/c']), async (waited) => {
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
  await expect(locks.run(writes(['/a']), () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(locks.run(writes(['/a']), async () => 'yes')).resolves.toBe('yes');
});

test('a write waits for commands, and neither commands nor reads wait for one another', async () => {
  const locks = new PathLocks();
  const order: string[] = [];
  const command = gate();
  const done = [
    locks.run(COMMAND, async () => {
      await command.opened;
      order.push('command');
    }),
    locks.run(writes(['/a']), async (waited) => {
      order.push(`write ${waited}`);
    }),
    locks.run(COMMAND, async (waited) => {
      order.push(`other command ${waited}`);
    }),
    locks.run(writes([]), async (waited) => {
      order.push(`read ${waited}`);
    }),
  ];
  await Promise.all(done.slice(2));
  expect(order).toEqual(['other command false', 'read false']);
  expect(locks.isHeld(writes(['/b']))).toBe(true);
  command.open();
  await Promise.all(done);
  expect(order.slice(2)).toEqual(['command', 'write true']);
  expect(locks.isHeld(writes(['/b']))).toBe(false);
});
