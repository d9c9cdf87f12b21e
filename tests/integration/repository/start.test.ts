import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { needLinux } from '../../fixtures/machine-needs.ts';

const START = fileURLToPath(new URL('../../../scripts/start.mjs', import.meta.url));

test('without a display, and without a virtual one, it names the package and the way without a window', (context) => {
  needLinux(context, 'other systems always have a display');
  const { status, stdout, stderr } = spawnSync(process.execPath, [START], {
    env: { PATH: '', HOME: '/nonexistent' },
    encoding: 'utf8',
  });
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: '',
    stderr:
      'There is no display to open a window on. To run it unseen: apt-get install xvfb (Debian). Without a window: npm run --silent ask -- "your question"\n',
  });
});
