import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtOutput } from '../../../scripts/built-output.mjs';
import { sandboxLackText } from '../../../src-preload/contract/sandbox-lack.ts';
import { askRig, ofType } from '../../fixtures/ask.ts';
import { needSandbox } from '../../fixtures/machine-needs.ts';

/** Where the packages of bubblewrap put it, there is no program. */
const WITHOUT = ['bwrap', '--dev-bind', '/', '/', '--ro-bind', '/dev/null', '/usr/bin/bwrap', '--'] as const;
const LACK = sandboxLackText({ code: 'no_bubblewrap' });

test('without bubblewrap, commands and edits ask as before, and what is missing is said once', async (context) => {
  needSandbox(context);
  const ask = askRig({ program: [...WITHOUT, process.execPath, join(await builtOutput(), 'ask.js')] });
  const saidBy = async (line: string) => {
    const { stderr, events } = await ask.events(['--approve', 'none', line]);
    return { decided: ofType(events, 'decision').map(({ answer }) => answer), isSaid: stderr.includes(LACK) };
  };
  expect(await saidBy('/get_time {}')).toEqual({ decided: ['allow'], isSaid: false });
  const readOnly = '/bash {"command": "node -p 6*7", "sandbox": "read-only"}';
  expect(await saidBy(readOnly)).toEqual({ decided: ['deny'], isSaid: true });
  expect(await saidBy(readOnly)).toEqual({ decided: ['deny'], isSaid: false });
  expect(await saidBy('/write_file {"path": "a.txt", "content": "a"}')).toEqual({ decided: ['deny'], isSaid: false });
});
