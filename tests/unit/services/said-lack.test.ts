import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sayLackOnce } from '../../../src-main/services/said-lack.ts';
import { type SandboxLack, sandboxLackText } from '../../../src-preload/contract/sandbox-lack.ts';

function profile() {
  const directory = mkdtempSync(join(tmpdir(), 'steward-lack-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const said: string[] = [];
  const say = (lack: SandboxLack) =>
    sayLackOnce(lack, { profileDirectory: directory, notify: ({ message }) => void said.push(message) });
  return { directory, said, say };
}

const MISSING: SandboxLack = { code: 'no_bubblewrap' };
const RESTRICTED: SandboxLack = { code: 'apparmor' };

test('what is missing is said once in each profile, and another thing once too', () => {
  const { said, say } = profile();
  for (const lack of [MISSING, MISSING, RESTRICTED, RESTRICTED, MISSING]) say(lack);
  expect(said).toEqual([sandboxLackText(MISSING), sandboxLackText(RESTRICTED)]);
  const other = profile();
  other.say(MISSING);
  expect(other.said).toEqual([sandboxLackText(MISSING)]);
});

test.each<SandboxLack>([{ code: 'off' }, { code: 'system' }, { code: 'wide_root' }])(
  'nothing is said of what can’t be changed on this computer: $code',
  (lack) => {
    const { said, say } = profile();
    say(lack);
    expect(said).toEqual([]);
  },
);

test('a profile that was deleted is not made again for it', () => {
  const { directory, said, say } = profile();
  rmSync(directory, { recursive: true });
  say(MISSING);
  expect(said).toEqual([]);
  expect(existsSync(directory)).toBe(false);
});

test('it names the package or the profile, and what that brings', () => {
  expect(sandboxLackText(MISSING)).toMatch(/package bubblewrap.*only look need no question/);
  expect(sandboxLackText(RESTRICTED)).toMatch(/apparmor-profiles.*bwrap-userns-restrict.*only look need no question/);
  expect(sandboxLackText({ code: 'refused', said: 'bwrap: no' })).toMatch(/It says: bwrap: no$/);
});
