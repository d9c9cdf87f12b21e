import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Secrets, type SecretsNotice } from '../../../src-main/secrets/secrets.ts';
import { MapKeychain } from '../../fixtures/keyring/map-keychain.ts';

let launchDirectory: string;
let path: string;
let notices: SecretsNotice[];
let secrets: Secrets;
beforeEach(() => {
  launchDirectory = mkdtempSync(join(tmpdir(), 'steward-dotenv-'));
  path = join(launchDirectory, '.env');
  notices = [];
  secrets = new Secrets({
    launchDirectory,
    env: {},
    keychain: new MapKeychain(),
    onNotice: (notice) => notices.push(notice),
  });
});
afterEach(() => rmSync(launchDirectory, { recursive: true, force: true }));

test('the current content of a .env file is read, and never changed', async () => {
  expect(await secrets.get('anthropic-api-key')).toBeUndefined();
  writeFileSync(path, '# keys\nexport ANTHROPIC_API_KEY="sk-first" # mine\n', { mode: 0o400 });
  const before = statSync(path).mtimeMs;
  expect(await secrets.get('anthropic-api-key')).toEqual({ value: 'sk-first', source: '.env' });
  expect(statSync(path).mtimeMs).toBe(before);
  chmodSync(path, 0o600);
  writeFileSync(path, '\ufeffANTHROPIC_API_KEY=sk-second\r\n');
  expect(await secrets.get('anthropic-api-key')).toEqual({ value: 'sk-second', source: '.env' });
  rmSync(path);
  expect(await secrets.get('anthropic-api-key')).toBeUndefined();
  expect(notices).toEqual([]);
});

test('only the seven names are read; tokens and MCP secrets never come from a file', async () => {
  writeFileSync(path, 'GOOGLE_GMAIL=x\ngoogle-gmail=x\nTOKEN=x\nANTHROPIC_BASE_URL=http://evil.example\n');
  expect((await secrets.status(['mcp/files/TOKEN'])).filter(({ isSet }) => isSet)).toEqual([]);
});

test.each([
  ['a huge one', () => writeFileSync(path, `ANTHROPIC_API_KEY=x\n${'#'.repeat(300_000)}`), 'is larger than'],
  ['a binary one', () => writeFileSync(path, Buffer.from([0xff, 0xfe, 65, 0, 61, 0])), 'is not a text file'],
  ['a pipe', () => void execFileSync('mkfifo', [path]), 'is not a plain file'],
])('%s is ignored with a notice', async (_, make, words) => {
  make();
  expect(await secrets.get('anthropic-api-key')).toBeUndefined();
  await secrets.get('openai-api-key');
  expect(notices).toEqual([{ code: 'dotenv_ignored', message: expect.stringContaining(words) }]);
  expect(notices[0]?.message).toContain(path);
});

test('a folder by that name (a Python environment) is not a .env file', async () => {
  mkdirSync(path);
  expect(await secrets.get('anthropic-api-key')).toBeUndefined();
  expect(notices).toEqual([]);
});
