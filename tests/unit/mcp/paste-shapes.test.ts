import { expect, test } from 'vitest';
import { pastedServers } from '../../../src-main/mcp/setup/pasted-servers.ts';
import { splitCommandWords } from '../../../src-main/policy/shell-words.ts';
import { expectedOf, SERVERS, SHAPES } from '../../fixtures/pastes/shapes.ts';
import { toldServer } from '../../fixtures/pastes/told-server.ts';

test.each(SHAPES)('$name: every server is read (remote: $isRemote)', ({ isRemote, saysName, text }) => {
  for (const server of SERVERS.filter(({ url }) => (url !== '') === isRemote)) {
    const result = pastedServers(text(server), splitCommandWords);
    const told = 'problem' in result ? [JSON.stringify(result.problem)] : result.servers.map(toldServer);
    expect(told, text(server)).toEqual([expectedOf(server, saysName)]);
  }
});
