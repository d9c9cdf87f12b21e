import { closeSync, existsSync, linkSync, openSync, readdirSync, symlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { need } from '../../fixtures/machine-needs.ts';
import { ATTACKERS, type Attack, AttackPlace } from './attack-place.ts';

/** Writes outside the sandbox, and other ways to change the machine. */

const isRoot = process.getuid?.() === 0;

describe.each(ATTACKERS)('as %s', (attacker) => {
  let place: AttackPlace;
  beforeEach((context) => {
    place = new AttackPlace(context, attacker);
    place.put('outside/kept', 'as it was\n');
    symlinkSync(place.path('outside'), place.path('project/link'));
    linkSync(place.path('outside/kept'), place.path('project/hard'));
  });
  afterEach(() => place?.dispose());

  test.each<[string, string, RegExp]>([
    ['a file of the root', 'echo changed > README.md', /^changed$/m],
    ['a symlink', 'echo changed > link/kept', /^changed$/m],
    ['a hard link', 'echo changed > hard', /^changed$/m],
    ['a rename', 'echo changed > "$HOME/new"; mv -f "$HOME/new" "$OUTSIDE/kept"', /^changed$/m],
    ['the path itself', 'echo changed > "$OUTSIDE/kept"', /^changed$/m],
    ['another process', 'for p in /proc/[0-9]*; do echo changed > "$p/root$OUTSIDE/kept"; done', /^changed$/m],
    [
      'a descriptor of another process',
      'for f in /proc/[0-9]*/cwd/hard; do [ "$f" -ef "$PROJECT/hard" ] && echo changed > "$f"; done',
      /^changed$/m,
    ],
    ['rights', 'chmod 755 README.md && echo changed >> link/kept', /^changed$/m],
  ])('nothing is written by %s', async (_, bash, changed) => {
    await place.held({ bash });
    expect(place.read('outside/kept')).toBe('as it was\n');
    expect(place.read('project/README.md')).toBe('hello\n');
    await place.bare({ bash });
    expect(place.read('outside/kept') + place.read('project/README.md')).toMatch(changed);
  });

  test('no descriptor is inherited', async () => {
    const inherited = openSync(place.path('outside/kept'), 'a');
    const attack: Attack = { bash: 'echo changed >&3' };
    await place.held(attack, { inherited });
    expect(place.read('outside/kept')).toBe('as it was\n');
    await place.bare(attack, { inherited });
    closeSync(inherited);
    expect(place.read('outside/kept')).toBe('as it was\nchanged\n');
  });

  test('a file that bash reads when it starts runs inside only', async () => {
    place.put('project/rc', 'touch "$OUTSIDE/made"\n');
    const environment = { BASH_ENV: place.path('project/rc') };
    await place.held({ bash: 'true' }, { environment });
    expect(existsSync(place.path('outside/made'))).toBe(false);
    await place.bare({ bash: 'true' }, { environment });
    expect(existsSync(place.path('outside/made'))).toBe(true);
  });

  test('the variables of the loader, which could bring libraries of the root, are obeyed inside only', async () => {
    const environment = { LD_DEBUG: 'libs', LD_DEBUG_OUTPUT: place.path('outside/loader') };
    const written = () => readdirSync(place.path('outside')).filter((name) => name.startsWith('loader'));
    await place.held({ bash: 'true' }, { environment });
    expect(written()).toEqual([]);
    expect(await place.held({ bash: 'echo $LD_DEBUG' }, { environment })).toMatch(/^libs$/m);
    await place.bare({ bash: 'true' }, { environment });
    expect(written()).not.toEqual([]);
  });
});

/** Each prints `through` where it works, and sets what it changes to the value that it had. */
const AS_ROOT: readonly (readonly [string, string])[] = [
  ['a setting of the kernel', 'f=/proc/sys/kernel/core_pattern; v=$(cat $f); echo "$v" > $f && echo through'],
  ['the rights of a device', 'chmod "$(stat -c %a /dev/null)" /dev/null && echo through'],
  ['the owner of a device', 'chown 0:0 /dev/zero && echo through'],
  ['a device of its own', 'mknod "$HOME/null" c 1 3 && echo through'],
  ['a mount', 'unshare --mount mount --bind "$OUTSIDE" "$HOME" && echo through'],
  [
    'a root that is mounted again',
    'unshare --mount bash -c "mount --bind . . && mount -o remount,bind,ro . && mount -o remount,bind,rw . && echo through"; mount -o remount,bind,rw . && echo through',
  ],
  ['the root of the file system', 'mount -o remount,bind,rw / && echo through'],
  ['the priority of a process', 'renice -n -1 $$ > /dev/null && renice -n 0 $$ > /dev/null && echo through'],
  ['the name of the machine', 'f=/proc/sys/kernel/hostname; v=$(cat $f); echo "$v" > $f && echo through'],
];

describe('as root', () => {
  let place: AttackPlace;
  beforeEach((context) => {
    need(context, isRoot, 'needs root, who may change the system');
    place = new AttackPlace(context, 'the one who runs the tests');
  });
  afterEach(() => place?.dispose());

  test.each(AS_ROOT)('nothing of the system is changed: %s', async (_, bash) => {
    expect(await place.bare({ bash })).toContain('through');
    expect(await place.held({ bash })).not.toContain('through');
    expect(await place.held({ bash: 'id -u; echo x > /dev/null && echo usable' })).toBe('0\nusable\n');
  });

  test('what of the kernel is for root alone is not read', async () => {
    const bash =
      'for f in $(find /proc -maxdepth 1 -type f ! -perm -o=r ! -name kmsg ! -name kcore); do head -c 8 $f > /dev/null && echo $f; done';
    expect(await place.bare({ bash })).toMatch(/^\/proc\/kpageflags$/m);
    expect(await place.held({ bash })).not.toMatch(/^\/proc\//m);
  });
});

test('a program that takes the rights of its owner takes none', async (context) => {
  need(context, isRoot, 'needs root, to make such a program');
  const place = new AttackPlace(context, 'an ordinary user');
  const root = new AttackPlace(context, 'the one who runs the tests');
  await root.bare({ bash: `cp /usr/bin/id "${place.path('project/id')}" && chmod 4755 "${place.path('project/id')}"` });
  const bash = './id; grep NoNewPrivs /proc/self/status';
  expect(await place.bare({ bash })).toContain('euid=0');
  expect(await place.held({ bash })).not.toContain('euid=0');
  expect(await place.held({ bash })).toMatch(/uid=65534.*\nNoNewPrivs:\t1\n/s);
  for (const each of [place, root]) each.dispose();
});
