import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startFailure } from '../../../src-main/processes/start-failure.ts';

const missing = Object.assign(new Error('spawn bash ENOENT'), { code: 'ENOENT' });

test('a missing program and a deleted folder are distinguished', () => {
  expect(startFailure(missing, 'bash', tmpdir())).toMatchObject({
    message: expect.stringContaining('bash was not found'),
  });
  const gone = join(tmpdir(), 'steward-not-there');
  expect(startFailure(missing, 'bash', gone)).toMatchObject({
    message: expect.stringContaining(`${gone}, does not exist`),
  });
});

test('a program that may not be executed and a folder that may not be entered are told apart', () => {
  const refused = Object.assign(new Error('spawn rg EACCES'), { code: 'EACCES' });
  expect(startFailure(refused, './tool', tmpdir())).toMatchObject({
    message: './tool may not be executed (permission denied)',
  });
  // What has no right to be executed: for a folder that means that nobody may enter it, root neither.
  const closed = fileURLToPath(import.meta.url);
  expect(startFailure(refused, 'rg', closed)).toMatchObject({
    message: `the folder ${closed} may not be entered (permission denied)`,
  });
});
