import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { shownProblem } from '../../../src-main/ipc/servers/server-view.ts';
import { problemText, type ServerProblem } from '../../../src-main/mcp/status/server-problem.ts';
import { Secrets } from '../../../src-main/secrets/secrets.ts';
import { MapKeychain } from '../../fixtures/keyring/map-keychain.ts';

test('what a server wrote as it ended is shown with its hidden characters', () => {
  const secrets = new Secrets({
    launchDirectory: tmpdir(),
    env: {},
    keychain: new MapKeychain(),
    onNotice: () => undefined,
  });
  const telling = 'Error: \u202ellew\u200b \u001b[2K';
  const lines = `Starting\n${telling}`;
  const problem: ServerProblem = { code: 'exited', exitCode: 1, signal: null, output: { telling, lines } };
  // The control: they are in what it said.
  expect(problemText(problem)).toContain(telling);
  const shown = (problem: ServerProblem) =>
    shownProblem({ name: 'failed', problem }, { command: 'x', transport: 'stdio' }, { secrets });
  expect(shown(problem).text).toMatch(/Error: ⟨U\+202E⟩llew⟨U\+200B⟩ ⟨U\+001B⟩\[2K$/);
  // There is more to see only if it wrote more than what is said.
  expect(shown(problem).hasOutput).toBe(true);
  expect(shown({ ...problem, output: { telling, lines: telling } }).hasOutput).toBe(false);
  expect(shown({ code: 'unreachable', reason: 'refused' }).hasOutput).toBe(false);
});
