import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bareEnvironment } from '../fixtures/running-assistant.ts';
import type { Bench } from './bench.ts';
import { builtOutput } from './built-ask.ts';
import { type Command, msToFirstByte } from './child-processes.ts';
import { figure } from './report.ts';

const SERVER = join(import.meta.dirname, 'mcp-server.mjs');
const SERVERS = 30;
const TOOLS = 10;
/** Goals on two processors, in milliseconds. A turn waits three seconds for servers that nobody knows. */
const GOALS = { unknown: 3_500, known: 1_000, moreWithOneThatHangs: 1_000 };

/**
 * From the start of `ask` to the first byte of its answer, with many MCP servers, each of them a process that starts.
 */
export const manyServers: Bench = {
  name: 'many servers',
  meaning: 'How soon the window can be used when ten MCP servers are set up, also when one of them never answers.',
  run: async ({ isQuick, temporaryFolder }) => {
    const output = await builtOutput();
    const rounds = isQuick ? 1 : 5;
    const measured = async (hanging: number) => {
      const samples = { unknown: [] as number[], known: [] as number[] };
      for (let round = 0; round < rounds; round++) {
        const ask = askWith(output, join(temporaryFolder, `profile-${hanging}-${round}`), hanging);
        samples.unknown.push(await msToFirstByte(ask));
        // What did not list its tools in time is stored by now.
        await msToFirstByte(allTools(ask));
        samples.known.push(await msToFirstByte(ask));
      }
      return samples;
    };
    const plain = await measured(0);
    const withOne = await measured(1);
    const rows = { unknown: 'none of them known', known: 'all of them known' } as const;
    return (['unknown', 'known'] as const).flatMap((kind) => [
      figure({ what: `${SERVERS} servers, ${rows[kind]}`, unit: 'ms', ours: plain[kind] }, { atMost: GOALS[kind] }),
      figure(
        { what: '- and one that never answers', unit: 'ms', ours: withOne[kind] },
        { atMost: GOALS[kind] + GOALS.moreWithOneThatHangs },
      ),
    ]);
  },
};

function askWith(output: string, folder: string, hanging: number): Command {
  const profile = join(folder, 'profile');
  mkdirSync(profile, { recursive: true });
  const server = (args: readonly string[]) => ({ command: process.execPath, args });
  const good = Array.from({ length: SERVERS }, (_, index) => [
    `server${index}`,
    server([SERVER, '0', String(TOOLS), String(TOOLS), String(index)]),
  ]);
  const silent = Array.from({ length: hanging }, (_, index) => [
    `hanging${index}`,
    server(['-e', 'setInterval(() => {}, 1000)']),
  ]);
  const mcpServers = Object.fromEntries([...silent, ...good]);
  writeFileSync(join(profile, 'config.json'), JSON.stringify({ mcpServers }));
  return {
    program: process.execPath,
    args: [
      join(output, 'ask.js'),
      '--profile',
      profile,
      '--workspace',
      folder,
      '--approve',
      'all',
      '--model',
      'guide',
      'help',
    ],
    cwd: folder,
    env: bareEnvironment(folder),
  };
}

/** Waits until every server has listed its tools; one that hangs is left after half a minute. */
function allTools({ args, ...command }: Command): Command {
  return { ...command, args: [...args.slice(0, -1), '/tools list'] };
}
