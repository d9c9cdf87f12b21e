import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type AskRig, askRig, ofType, writeConfig } from '../../fixtures/ask.ts';
import { needSandbox } from '../../fixtures/machine-needs.ts';

const none = ['--approve', 'none'];
const freely = [...none, '--work-freely'];
const writeFile = (path: string) => `/write_file ${JSON.stringify({ path, content: 'new' })}`;
const bash = (command: string) => `/bash ${JSON.stringify({ command })}`;

async function decided(ask: AskRig, args: readonly string[]) {
  const { events, code } = await ask.events(args);
  const [decision, ...more] = ofType(events, 'decision');
  expect({ code, more }).toEqual({ code: 0, more: [] });
  const notices = ofType(events, 'notice').filter((notice) => notice.code === 'work_freely');
  return { answer: `${decision?.answer} by ${decision?.by}`, notices: notices.map(({ message }) => message) };
}

test('a file is edited without a question in this run, and in no other', async () => {
  const ask = askRig();
  expect(await decided(ask, [...freely, writeFile('a.txt')])).toMatchObject({ answer: 'allow by grant' });
  expect(readFileSync(join(ask.workspace, 'a.txt'), 'utf8')).toBe('new');
  expect((await ask.run(['/rules'])).stdout).toBe("You haven't allowed anything permanently.\n");
  expect(await decided(ask, [...none, writeFile('b.txt')])).toEqual({ answer: 'deny by flag', notices: [] });
  expect(existsSync(join(ask.workspace, 'b.txt'))).toBe(false);
});

test('what programs obey by themselves is still asked about, and so is what is outside', async () => {
  const ask = askRig();
  expect(await decided(ask, [...freely, writeFile('.envrc')])).toMatchObject({ answer: 'deny by flag' });
  expect(existsSync(join(ask.workspace, '.envrc'))).toBe(false);
  expect(await decided(ask, [...freely, writeFile('../a.txt')])).toMatchObject({ answer: 'deny by default' });
});

test('--approve answers what is not granted, as without the grant', async () => {
  const ask = askRig();
  const all = ['--approve', 'all', '--work-freely'];
  expect(await decided(ask, [...all, writeFile('.envrc')])).toMatchObject({ answer: 'allow by flag' });
  expect(await decided(ask, [...all, writeFile('a.txt')])).toMatchObject({ answer: 'allow by grant' });
});

test('a folder that was granted counts as the workspace does', async () => {
  const ask = askRig();
  const other = join(ask.workspace, '..', 'other');
  mkdirSync(other);
  writeConfig(ask, { folders: [other] });
  expect((await ask.run(['--approve', 'all', '/rules'])).code).toBe(0);
  expect(await decided(ask, [...freely, writeFile(join(other, 'a.txt'))])).toMatchObject({ answer: 'allow by grant' });
});

test('the home, and what contains it, is never free', async () => {
  const ask = askRig();
  const home = join(ask.workspace, 'home');
  mkdirSync(home);
  const { events } = await ask.events([...freely, writeFile('a.txt')], { env: { HOME: home } });
  expect(ofType(events, 'decision')).toMatchObject([{ answer: 'deny', by: 'flag' }]);
  expect(ofType(events, 'notice')).toMatchObject([
    { code: 'work_freely', message: expect.stringMatching(/still asks, because it is your home folder/) },
  ]);
});

test('a command is held, and writes only where it may', async (context) => {
  needSandbox(context);
  const ask = askRig();
  const outside = join(ask.workspace, '..', 'outside');
  const command = `echo a > b; echo a > ${outside}`;
  expect(await decided(ask, [...freely, bash(command)])).toEqual({ answer: 'allow by grant', notices: [] });
  expect(readFileSync(join(ask.workspace, 'b'), 'utf8')).toBe('a\n');
  expect(existsSync(outside)).toBe(false);
  expect(await decided(ask, [...none, bash('echo a > c')])).toMatchObject({ answer: 'deny by flag' });
});

test('without the sandbox the grant is for edits alone, which is said once', async () => {
  const ask = askRig();
  const off = [...freely, '--sandbox', 'off'];
  const notices = [expect.stringMatching(/^Commands still ask/)];
  expect(await decided(ask, [...off, bash('echo a > b')])).toEqual({ answer: 'deny by flag', notices });
  expect(existsSync(join(ask.workspace, 'b'))).toBe(false);
  expect(await decided(ask, [...off, writeFile('a.txt')])).toEqual({ answer: 'allow by grant', notices });
});
