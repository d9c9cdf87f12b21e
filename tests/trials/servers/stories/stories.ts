import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LosslessNumber, stringify } from 'lossless-json';
import { errorMessage } from '../../../../src-main/base/errors.ts';
import { isRecord } from '../../../../src-main/base/json.ts';
import { linesIn, linesTo, logged, type Program } from '../official.ts';
import { installed, programOf } from '../packages.ts';
import { receivedCalls } from '../steward.ts';
import { SERVERS } from '../table.ts';
import { changesIn, httpRecorder, kubectlRecorder, mongoRecorder } from './recorders.ts';
import { replayed, type StoryResult } from './story.ts';

interface Started extends Program {
  /** The files that the server may use. */
  readonly folder: string;
  /** A module of the server. */
  readonly entry: string;
}

const BLOCK = '00000000-0000-4000-8000-000000000001';

/** The servers whose calls are replayed, and how. */
const STORIES: Readonly<Record<string, (server: Started) => Promise<readonly StoryResult[]>>> = {
  '@modelcontextprotocol/server-everything': numbers,
  '@modelcontextprotocol/server-filesystem': files,
  'mcp-server-kubernetes': cluster,
  'mongodb-mcp-server': database,
  '@notionhq/notion-mcp-server': notes,
};

/** All stories of these packages. What can't be installed is a story that ends badly. */
export async function replayedStories(packages: readonly string[]): Promise<readonly StoryResult[]> {
  const results: StoryResult[] = [];
  for (const name of packages) {
    const story = STORIES[name];
    const server = SERVERS.find((each) => each.package === name);
    if (story === undefined || server === undefined) continue;
    try {
      const at = await installed(server);
      results.push(...(await story({ ...programOf(server, at), entry: at.entry })));
    } catch (error) {
      results.push({ asked: name, wanted: 'its stories are replayed', happened: '', fault: errorMessage(error) });
    }
  }
  return results;
}

/** A trial run that is not one changes the file. */
async function files({ folder, ...program }: Started): Promise<readonly StoryResult[]> {
  const path = join(folder, 'edited.txt');
  const results: StoryResult[] = [];
  for (const dryRun of ['yes', 1, null]) {
    writeFileSync(path, 'one\n');
    const input = { path, edits: [{ oldText: 'one', newText: 'two' }], dryRun };
    const effects = () => [readFileSync(path, 'utf8')].filter((text) => text !== 'one\n');
    results.push(await replayed({ program, tool: 'edit_file', input, effects }));
  }
  return results.map((result) => ({ ...result, asked: result.asked.replaceAll(folder, '…') }));
}

/** A trial run that is not one patches; a namespace that cannot be read means another one. */
async function cluster({ folder, env, ...given }: Started): Promise<readonly StoryResult[]> {
  const log = join(folder, 'kubectl.log');
  const { path } = kubectlRecorder(folder, log);
  const program = { ...given, env: { ...env, PATH: path } };
  const commands = () =>
    linesIn(log)
      .map((line): readonly string[] => JSON.parse(line))
      .filter(([verb]) => verb !== 'config' && verb !== 'version');
  const patch = { resourceType: 'deployment', name: 'web', patchData: { spec: { replicas: 0 } }, dryRun: 'client' };
  const remove = { resourceType: 'deployment', name: 'web', namespace: { name: 'prod' } };
  return [
    await replayed({ program, tool: 'kubectl_patch', input: patch, effects: commands }),
    await replayed({ program, tool: 'kubectl_delete', input: remove, effects: commands }),
    await replayed({
      program,
      tool: 'kubectl_get',
      input: { resourceType: 'events' },
      effects: commands,
      wanted: [['get', 'events', '--all-namespaces', '--sort-by=.lastTimestamp', '-o', 'json']],
    }),
  ];
}

/** A deletion that loses its filter means all documents. */
async function database({ folder: _, env, entry, ...given }: Started): Promise<readonly StoryResult[]> {
  const recorder = await mongoRecorder(entry);
  const connection = { MDB_MCP_CONNECTION_STRING: recorder.address, MDB_MCP_CONFIRMATION_REQUIRED_TOOLS: '' };
  const program = { ...given, env: { ...env, ...connection, MDB_MCP_TELEMETRY: 'disabled' } };
  const target = { connectionId: 'preconfigured', database: 'shop', collection: 'customers' };
  const story = { program, tool: 'delete-many', effects: () => [...changesIn(recorder.received)] };
  try {
    return [
      await replayed({ ...story, input: { ...target, filter: '{age: 3}' } }),
      await replayed({ ...story, input: { ...target, filters: { age: 3 } } }),
      await replayed({
        ...story,
        input: { ...target, filter: '{"age": 3}' },
        wanted: [[{ q: { age: 3 }, limit: 0 }]],
      }),
    ];
  } finally {
    await recorder.close();
  }
}

/** A number that JavaScript does not hold would arrive as another one. */
async function numbers({ folder, ...given }: Started): Promise<readonly StoryResult[]> {
  const log = join(folder, 'calls.log');
  writeFileSync(log, '');
  const program = logged(given, log);
  const effects = () => receivedCalls(linesTo('server', log)).map(({ input }) => stringify(input));
  const wanted = ['{"a":9007199254740993,"b":1}'];
  return [
    await replayed({
      program,
      tool: 'get-sum',
      input: { a: new LosslessNumber('9007199254740993'), b: 1 },
      effects,
      wanted,
    }),
  ];
}

/** A default that nobody asked for deletes a block, or takes a page out of the trash. */
async function notes({ folder: _, env, ...given }: Started): Promise<readonly StoryResult[]> {
  const recorder = await httpRecorder();
  const program = { ...given, env: { ...env, BASE_URL: recorder.address } };
  const bodies = (path: string) =>
    recorder.received.filter(isRecord).flatMap((request) => (request.path === path ? [request.body] : []));
  const type = { paragraph: { rich_text: [{ text: { content: 'New text' } }] } };
  const properties = { Name: { title: [{ text: { content: 'New name' } }] } };
  try {
    return [
      await replayed({
        program,
        tool: 'API-update-a-block',
        input: { block_id: BLOCK, type },
        effects: () => bodies(`/v1/blocks/${BLOCK}`),
        wanted: [{ type }],
      }),
      await replayed({
        program,
        tool: 'API-patch-page',
        input: { page_id: BLOCK, properties },
        effects: () => bodies(`/v1/pages/${BLOCK}`),
        wanted: [{ properties }],
      }),
    ];
  } finally {
    await recorder.close();
  }
}
