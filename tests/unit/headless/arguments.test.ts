import { expect, test } from 'vitest';
import { parseAskArguments, UsageError } from '../../../src-main/headless/arguments.ts';

test('--client is given with --json and a prompt, with or without a run input', () => {
  expect(parseAskArguments(['--json', '--client', 'hi'])).toMatchObject({ client: true, runInput: undefined });
  const both = parseAskArguments(['--json', '--client', '--run-input', 'f.json', '--', '-x']);
  expect(both).toMatchObject({ client: true, runInput: 'f.json', prompt: '-x' });
  expect(parseAskArguments(['hi'])).toMatchObject({ client: false });
});

test('commands are held in a sandbox and calls ask, unless the user says otherwise', () => {
  expect(parseAskArguments(['hi'])).toMatchObject({ sandbox: 'auto', workFreely: false });
  expect(parseAskArguments(['--sandbox', 'auto', 'hi'])).toMatchObject({ sandbox: 'auto' });
  expect(parseAskArguments(['--work-freely', '--sandbox=off', 'hi'])).toMatchObject({
    sandbox: 'off',
    workFreely: true,
    prompt: 'hi',
  });
});

test.each([
  [['--client', 'hi'], /--client needs --json/],
  [['--client', '--json', '-'], /standard input/],
  [['--json', '--run-input', 'f', 'hi'], /--run-input needs --client/],
  [['--json', '--client', '--run-input', '', 'hi'], /--run-input needs a value/],
  [['--approve', 'some', 'hi'], /--approve takes none, reads or all, not "some"/],
  [['--sandbox', 'on', 'hi'], /--sandbox takes auto or off, not "on"/],
  [['--sandbox', '', 'hi'], /--sandbox takes auto or off, not ""/],
])('%j is a mistake in the command', (argv, message) => {
  expect(() => parseAskArguments(argv)).toThrow(UsageError);
  expect(() => parseAskArguments(argv)).toThrow(message);
});
