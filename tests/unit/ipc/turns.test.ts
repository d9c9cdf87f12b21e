import { expect, test } from 'vitest';
import { Turns } from '../../../src-main/ipc/conversations/turns.ts';
import { ToolRegistry } from '../../../src-main/tools/registry/registry.ts';
import { registryPorts } from '../../fixtures/registry-ports.ts';

const nothing = () => undefined;
const registry = new ToolRegistry(registryPorts());
const prepare = async () => undefined;
const turns = () =>
  new Turns({ send: nothing, onChange: nothing, prepare, onEvent: nothing, onEnd: nothing, onFailure: nothing });

test('closing stops the turns that run and begins no other, so that nothing is started behind what closes', async () => {
  const running = turns();
  const ended: string[] = [];
  const begun = running.begin('a', registry, async ({ signal }) => {
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    ended.push('a');
    return 'interrupted';
  });
  const closed = running.close();
  await expect(
    running.begin('b', registry, async () => {
      ended.push('b');
      return 'end_turn';
    }),
  ).rejects.toMatchObject({ code: 'closing' });
  await Promise.all([closed, begun]);
  expect(ended).toEqual(['a']);
});
