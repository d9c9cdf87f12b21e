import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { filesIn } from '../../fixtures/files-in.ts';
import type { GoogleChildInput, GoogleChildReport } from '../../fixtures/google/google-child.ts';
import { startGoogle } from '../../fixtures/google/start-google.ts';
import { KeyringHome } from '../../fixtures/keyring/keyring-session.ts';
import { needKeyring } from '../../fixtures/machine-needs.ts';

const child = fileURLToPath(new URL('../../fixtures/google/google-child.ts', import.meta.url));

beforeEach(needKeyring);
let home: KeyringHome;
beforeEach(() => {
  home = new KeyringHome();
});
afterEach(() => home.remove());

test('a sign-in is kept in gnome-keyring, renewed once by three processes, and gone when disconnected', async () => {
  const google = await startGoogle();
  const locksFolder = join(home.directory, 'locks');
  mkdirSync(locksFolder);
  const run = async (input: Pick<GoogleChildInput, 'do' | 'shiftMs' | 'processes'>) => {
    const full = { url: google.url, locksFolder, service: 'gmail', ...input } as const;
    return (await home.runProgram('unlocked', child, full, google.env)).report as GoogleChildReport;
  };
  const refreshes = () => google.tokenRequests.filter(({ grant_type }) => grant_type === 'refresh_token').length;

  expect(await run({ do: 'connect' })).toEqual([{ outcome: 'ok', questions: 1 }]);
  const [kept] = await run({ do: 'token' });
  expect(google.scopesOf(kept?.outcome ?? '')).toHaveLength(2);
  expect([kept?.questions, refreshes()]).toEqual([0, 0]);

  google.behaviour.tokenDelayMs = 200;
  const renewed = await run({ do: 'token', shiftMs: 60 * 60_000, processes: 3 });
  expect(new Set(renewed.map(({ outcome }) => outcome)).size).toBe(1);
  expect(google.scopesOf(renewed[0]?.outcome ?? '')).toHaveLength(2);
  expect([renewed.map(({ questions }) => questions), refreshes()]).toEqual([[0, 0, 0], 1]);

  const files = Object.entries(filesIn(home.directory));
  expect(files.some(([name]) => name.endsWith('.keyring'))).toBe(true);
  for (const secret of google.secrets)
    expect(files.flatMap(([name, content]) => (content.includes(secret) ? [name] : []))).toEqual([]);

  expect(await run({ do: 'disconnect' })).toEqual([{ outcome: 'ok', questions: 0 }]);
  expect(google.revocations).toHaveLength(1);
  expect(await run({ do: 'token' })).toMatchObject([{ questions: 1 }]);
});
