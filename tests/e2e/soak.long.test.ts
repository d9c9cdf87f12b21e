import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { AppRig, type RunningApp } from '../fixtures/electron-app.ts';
import { needLinux } from '../fixtures/machine-needs.ts';
import { STDIO_SERVER } from '../fixtures/mcp/connections.ts';
import type { ScriptedTurn } from '../fixtures/messages-api/script.ts';
import { startMessagesApi } from '../fixtures/messages-api/server.ts';
import { repetitions } from '../fixtures/repetitions.ts';
import { labels } from '../fixtures/window-labels.ts';
import { User } from '../fixtures/window-user.ts';

/** With ten calls each; thorough, that is what a full day of use brings. */
const TURNS = repetitions(20, 500);
/** The window keeps the last conversations in memory, and V8 still compiles what is used now and then. */
const WARM_UP = 60;
const WITHIN_MS = repetitions(8, 40) * 60_000;
const TURNS_PER_CONVERSATION = 5;
const TURNS_PER_SERVER_START = 10;
/** What may be more at the end than after the warm-up: compiled code, and what is kept of each conversation. */
const MAX_GROWTH = 1.05;
const FILES = Object.fromEntries(
  Array.from({ length: 9 }, (_, index) => [
    `part-${index}.md`,
    `# Part ${index}\n\n${'Some words to read. '.repeat(200)}\n`,
  ]),
);
const TURN_OF_CALLS: ScriptedTurn = {
  text: 'I read all parts first.',
  blocks: [
    ...Object.keys(FILES).map((file) => ({ type: 'tool_use', name: 'read_file', input: { file_path: file } }) as const),
    { type: 'tool_use', name: 'bash', input: { command: 'cat part-1.md | head -3' } },
  ],
};
const ANSWER: ScriptedTurn = {
  text: `All parts were read.\n\n${'| a | b |\n|---|---|\n| 1 | `code` |\n\n'.repeat(5)}`,
};

interface Footprint {
  readonly mainBytes: number;
  readonly pageBytes: number;
  readonly nodes: number;
  readonly listeners: number;
  /** Kinds of what keeps the main process alive, with their number. */
  readonly handles: Readonly<Record<string, number>>;
  /** Without Chromium’s own files, which it opens when it likes. */
  readonly descriptors: number;
  readonly children: number;
}

test(
  'after many turns, conversations and starts of a server, the app is as large as after the first ones',
  async (context) => {
    needLinux(context, 'elsewhere open files are listed in other ways');
    const api = await startMessagesApi({ answer: ({ body }) => (endsWithResults(body) ? ANSWER : TURN_OF_CALLS) });
    onTestFinished(() => api.close());
    const rig = new AppRig(context, {
      api: api.url,
      files: FILES,
      config: { mcpServers: { plain: { command: process.execPath, args: [STDIO_SERVER, 'plain'] } } },
    });
    const running = await rig.launch();
    const user = new User(running);
    await user.chat.getByRole('button', { name: labels.chat.reviewSettings }).first().click();
    await user.answers(labels.consent.confirm);
    await user.answers(labels.consent.confirm);
    await (await running.consent()).getByRole('alertdialog').waitFor({ state: 'detached' });

    await useFor(user, WARM_UP);
    const before = await footprint(running, rig.profile);
    await useFor(user, TURNS);
    const after = await footprint(running, rig.profile);
    process.stdout.write(`${TURNS} turns: ${JSON.stringify(before)} -> ${JSON.stringify(after)}\n`);

    expect(after.mainBytes).toBeLessThanOrEqual(before.mainBytes * MAX_GROWTH);
    expect(after.pageBytes).toBeLessThanOrEqual(before.pageBytes * MAX_GROWTH);
    // What is under way, as a timer, ends by itself.
    await expect
      .poll(async () => grown(before, await footprint(running, rig.profile)), { timeout: 60_000, interval: 1_000 })
      .toEqual([]);
    // Each conversation that was used has a row in the list.
    const rows = TURNS / TURNS_PER_CONVERSATION;
    expect(after.nodes - before.nodes).toBeLessThan(rows * 50);
    expect(after.listeners - before.listeners).toBeLessThan(rows * 20);
  },
  WITHIN_MS,
);

/** Some turns, in a new conversation now and then, and with a server that is switched off and on. */
async function useFor(user: User, turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    if (turn % TURNS_PER_CONVERSATION === 0) await newConversation(user);
    if (turn % TURNS_PER_SERVER_START === 0) await restartServer(user);
    await user.ask('Go');
    await user.waits();
    await user.sees('All parts were read.');
  }
  await newConversation(user);
}

async function newConversation({ chat }: User): Promise<void> {
  await chat.keyboard.press('Control+n');
  await chat.getByRole('heading', { name: labels.chat.empty }).waitFor();
}

async function restartServer(user: User): Promise<void> {
  const panel = await user.opensSettings(labels.settings.servers);
  const isOn = panel.getByRole('switch', { name: labels.servers.isOn('plain') });
  await isOn.click();
  await isOn.and(panel.getByRole('switch', { checked: false })).waitFor();
  await isOn.click();
  await isOn.and(panel.getByRole('switch', { checked: true })).waitFor();
  await panel.getByText('Ready').first().waitFor();
  await user.closesSettings();
}

/** Both heaps after a collection, and what is open. */
async function footprint({ app, chat, pid, processes }: RunningApp, profile: string): Promise<Footprint> {
  const main = await app.evaluate(async () => {
    const { setFlagsFromString } = process.getBuiltinModule('node:v8');
    const { runInNewContext } = process.getBuiltinModule('node:vm');
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    for (let times = 0; times < 5; times++) {
      collect();
      await new Promise((resolve) => setImmediate(resolve));
    }
    const handles: Record<string, number> = {};
    // A request that is under way ends by itself.
    for (const kind of process.getActiveResourcesInfo().filter((each) => !each.includes('Req')))
      handles[kind] = (handles[kind] ?? 0) + 1;
    return { bytes: process.memoryUsage().heapUsed, handles };
  });
  const session = await chat.context().newCDPSession(chat);
  await session.send('HeapProfiler.collectGarbage');
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  await session.detach();
  const metric = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
  return {
    mainBytes: main.bytes,
    pageBytes: metric('JSHeapUsedSize'),
    nodes: metric('Nodes'),
    listeners: metric('JSEventListeners'),
    handles: main.handles,
    descriptors: openedBy(pid).filter((path) => !path.startsWith(join(profile, 'window'))).length,
    children: processes().length,
  };
}

function openedBy(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${descriptor}`)];
    } catch {
      // It was closed meanwhile.
      return [];
    }
  });
}

/** Of what there are more than before. */
function grown(before: Footprint, after: Footprint): string[] {
  const counts = ({ handles, descriptors, children }: Footprint) => ({ ...handles, descriptors, children });
  const earlier: Readonly<Record<string, number>> = counts(before);
  return Object.entries(counts(after)).flatMap(([what, count]) => (count > (earlier[what] ?? 0) ? [what] : []));
}

function endsWithResults(body: unknown): boolean {
  const { messages = [] } = body as { messages?: { content: readonly { type: string }[] }[] };
  return messages.at(-1)?.content.some(({ type }) => type === 'tool_result') ?? false;
}
