import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startFailure } from '../../../src-main/tools/shell/start-failure.ts';

const missing = Object.assign(new Error('spawn bash ENOENT'), { code: 'ENOENT' });

test('a program that is not there and a folder that is gone are told apart', () => {
  expect(startFailure(missing, 'bash', tmpdir())).toMatchObject({
    message: expect.stringContaining('bash was not found'),
  });
  const gone = join(tmpdir(), 'steward-not-there');
  expect(startFailure(missing, 'bash', gone)).toMatchObject({
    message: expect.stringContaining(`${gone}, does not exist`),
  });
});
