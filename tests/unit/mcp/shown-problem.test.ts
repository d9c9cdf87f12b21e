import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { shownProblem } from '../../../src-main/ipc/servers/server-view.ts';
import { problemText, type ServerProblem } from '../../../src-main/mcp/status/server-problem.ts';
import { Secrets } from '../../../src-main/secrets/secrets.ts';
import { MapKeychain } from '../../fixtures/keyring/map-keychain.ts';

test('what a server wrote as it ended is shown with its hidden characters, line by line', () => {
  const secrets = new Secrets({
    ...{ launchDirectory: tmpdir(), env: {}, keychain: new MapKeychain(), onNotice: () => undefined },
  });
  const stderr = 'All is \u202ellew\nand\u200b \u001b[2K';
  const problem: ServerProblem = { code: 'exited', exitCode: 1, signal: null, stderr };
  // The control: they are in what it said.
  expect(problemText(problem)).toContain(stderr);
  const { text } = shownProblem(problem, { command: 'x', transport: 'stdio' }, { secrets });
  expect(text).toMatch(/All is ⟨U\+202E⟩llew\nand⟨U\+200B⟩ ⟨U\+001B⟩\[2K$/);
});
