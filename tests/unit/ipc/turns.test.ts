import { expect, test } from 'vitest';
import { Turns } from '../../../src-main/ipc/turns.ts';

const nothing = () => undefined;
const turns = () => new Turns({ send: nothing, onChange: nothing, onEnd: nothing, onFailure: nothing });

test('closing stops the turns that run and begins no other, so that nothing is started behind what closes', async () => {
  const running = turns();
  const ended: string[] = [];
  const begun = running.begin('a', async ({ signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    ended.push('a');
    return 'interrupted';
  });
  const closed = running.close();
  await expect(
    running.begin('b', async () => {
      ended.push('b');
      return 'end_turn';
    }),
  ).rejects.toMatchObject({ code: 'closing' });
  await Promise.all([closed, begun]);
  expect(ended).toEqual(['a']);
});
