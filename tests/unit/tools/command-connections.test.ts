import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { connectedHost } from '../../../src-main/policy/accesses/connection.ts';
import { CommandConnections } from '../../../src-main/tools/shell/command-connections.ts';

test('on the user’s own network, a yes for one port is none for another', async () => {
  const decided: string[] = [];
  const signal = new AbortController().signal;
  const connections = new CommandConnections({
    http: {
      connect: async (_, { isAllowed }) =>
        (await isAllowed({ class: 'network-private', isMetadata: false })) ? new Socket() : undefined,
    },
    isAccessAllowed: async (access) => {
      if (access.kind === 'connection') decided.push(connectedHost(access));
      return true;
    },
    allowAccesses: async () => undefined,
    signal,
    folder: '/w',
    line: 'make',
    whileAsking: (ask) => ask(),
    onReached: () => undefined,
  });
  for (const port of [443, 22, 443]) await connections.connect({ host: '10.0.0.7', port }, signal);
  expect(decided).toEqual(['10.0.0.7:443', '10.0.0.7:22']);
});
