import { expect, test } from 'vitest';
import { pastedServers } from '../../../src-main/mcp/setup/pasted-servers.ts';
import { splitCommandWords } from '../../../src-main/policy/shell-words.ts';
import { SNIPPETS } from '../../fixtures/pastes/snippets.ts';
import { toldServer } from '../../fixtures/pastes/told-server.ts';

test.each(SNIPPETS)('%s', (text, ...expected) => {
  const result = pastedServers(text, splitCommandWords);
  expect('problem' in result ? [`!${result.problem.code}`] : result.servers.map(toldServer)).toEqual(expected);
});
