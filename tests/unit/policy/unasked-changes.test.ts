import { expect, test } from 'vitest';
import { UnaskedChanges } from '../../../src-main/policy/unasked-changes.ts';

const never = new AbortController().signal;

test('what is changed in another root counts for no command', async () => {
  const changes = new UnaskedChanges();
  const count = () => changes.count(['/home/ada/project', '/srv/shared/notes'], never);
  changes.add(['/home/ada/project-2/a', '/srv/other']);
  expect(await count()).toBe(0);
  changes.add(['/home/ada/project/lib/x.sh']);
  changes.add(['/srv/shared']);
  expect(await count()).toBe(2);
});

test('a command that runs in the root is waited for, and no other', async () => {
  const changes = new UnaskedChanges();
  const ends: (() => void)[] = [];
  const command = async () => {
    await new Promise<void>((resolve) => ends.push(resolve));
    changes.add(['/home/ada/project']);
  };
  const running = changes.during(['/home/ada/project'], command);
  expect(await changes.count(['/home/ada/other'], never)).toBe(0);
  const counted = changes.count(['/home/ada/project/lib'], never);
  for (const end of ends) end();
  await running;
  expect(await counted).toBe(1);
});
