import { closeSync, openSync, symlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ATTACKERS, AttackPlace, CANARY } from './attack-place.ts';

/** What a command must not do in the sandbox in which it can write the folder. */

describe.each(ATTACKERS)('as %s', (attacker) => {
  let place: AttackPlace;
  beforeEach((context) => {
    place = new AttackPlace(context, attacker);
    place.put('outside/kept', `${CANARY}\n`);
    symlinkSync(place.path('outside'), place.path('project/link'));
  });
  afterEach(() => place?.dispose());

  test.each<[string, string]>([
    ['a symlink', 'echo changed > link/kept'],
    ['a symlink that it makes', 'ln -s "$OUTSIDE" own; echo changed > own/kept'],
    ['a rename', 'echo changed > new; mv -f new "$OUTSIDE/kept"'],
    ['the path itself', 'echo changed > "$OUTSIDE/kept"'],
    ['the folder above', 'echo changed > ../outside/kept'],
    ['another process', 'for p in /proc/[0-9]*; do echo changed > "$p/root$OUTSIDE/kept"; done'],
    ['its own root', 'echo changed > /proc/self/root"$OUTSIDE/kept"; echo changed > /proc/1/root"$OUTSIDE/kept"'],
  ])('nothing outside is written by %s', async (_, bash) => {
    await place.held({ bash }, { canWrite: true });
    expect(place.read('outside/kept')).toBe(`${CANARY}\n`);
    await place.bare({ bash });
    expect(place.read('outside/kept')).toBe('changed\n');
  });

  test('nothing outside is read by a link that it makes', async () => {
    const bash = 'ln -s "$OUTSIDE/kept" own; ln "$OUTSIDE/kept" hard; cat own hard';
    expect(await place.held({ bash }, { canWrite: true })).not.toContain(CANARY);
    expect(await place.bare({ bash })).toContain(CANARY);
  });

  test('nothing outside is written through a descriptor that it inherits', async () => {
    const inherited = openSync(place.path('outside/kept'), 'a');
    await place.held({ bash: 'echo changed >&3' }, { inherited, canWrite: true });
    closeSync(inherited);
    expect(place.read('outside/kept')).toBe(`${CANARY}\n`);
  });

  test('what it writes in the folder is there afterwards, and it ends with all that it started', async () => {
    const bash = '(while true; do echo x >> ticks; sleep 0.02; done) & echo changed > README.md; sleep 0.3';
    await place.held({ bash }, { canWrite: true });
    expect(place.read('project/README.md')).toBe('changed\n');
    const ticks = place.read('project/ticks');
    expect(await place.bare({ bash: 'sleep 0.3; cat ticks' })).toBe(ticks);
  });
});
