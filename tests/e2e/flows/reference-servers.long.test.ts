import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator } from 'playwright';
import { expect, onTestFinished, test } from 'vitest';
import { AppRig, type RunningApp } from '../../fixtures/electron-app.ts';
import { startEverything } from '../../fixtures/mcp/http-servers.ts';
import type { ScriptedTurn } from '../../fixtures/messages-api/script.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { labels } from '../../fixtures/window-labels.ts';
import { User } from '../../fixtures/window-user.ts';

/** The reference servers, each started by its own command, in the window. */

const { servers: words } = labels;
const reference = (name: string) =>
  fileURLToPath(import.meta.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`));
const call = (name: string, input: object): ScriptedTurn => ({ blocks: [{ type: 'tool_use', name, input }] });
const GRAPH = { entities: [{ name: 'Ada', entityType: 'person', observations: ['likes tea'] }] };

async function model(turns: readonly ScriptedTurn[]) {
  const api = await startMessagesApi({ turns });
  onTestFinished(() => api.close());
  return api;
}

/** Confirms the servers of config.json, and then what each of them lists. */
async function confirmsServers(running: RunningApp, user: User, count: number): Promise<void> {
  await user.chat.getByRole('button', { name: labels.chat.reviewSettings }).first().click();
  for (let asked = 0; asked < 2 * count; asked++) await user.answers(labels.consent.confirm);
  await (await running.consent()).getByRole('alertdialog').waitFor({ state: 'detached' });
}

async function opensServer(user: User, name: string): Promise<Locator> {
  const panel = await user.opensSettings(labels.settings.servers);
  await panel.getByRole('button', { name, exact: true }).click();
  await panel.getByRole('heading', { name, exact: true }).waitFor();
  return panel;
}

test('over HTTP, SSE and stdio: tools are called with consent, and a picture is drawn in its card', async (context) => {
  const [http, sse] = await Promise.all([startEverything('streamableHttp'), startEverything('sse')]);
  const api = await model([
    call('remote__echo', { message: 'over HTTP' }),
    call('old__get-tiny-image', {}),
    call('memory__create_entities', GRAPH),
    call('files__write_file', { path: 'note.txt', content: 'from the server' }),
    { text: 'All four answered.' },
  ]);
  const rig = new AppRig(context, { api: api.url });
  const graph = join(rig.home, 'graph.jsonl');
  rig.writeConfig({
    mcpServers: {
      old: { type: 'sse', url: sse },
      memory: { command: process.execPath, args: [reference('memory')], env: { MEMORY_FILE_PATH: graph } },
      files: { command: process.execPath, args: [reference('filesystem'), rig.workspace] },
    },
  });
  const running = await rig.launch();
  const user = new User(running);
  await confirmsServers(running, user, 3);

  const panel = await user.opensSettings(labels.settings.servers);
  await panel.getByRole('button', { name: words.add }).click();
  await running.chat.getByRole('menuitem', { name: words.byForm }).click();
  await panel.getByLabel(words.name, { exact: true }).fill('remote');
  await panel.getByRole('radio', { name: words.address, exact: true }).click();
  await panel.getByLabel(words.url).fill(http);
  await panel.getByRole('button', { name: words.save }).click();
  await (await user.question()).getByText(http).first().waitFor();
  await running.shoot('mcp-http-grant');
  await user.answers(labels.consent.confirm);
  await (await user.question()).getByText('get-tiny-image').first().waitFor();
  await user.answers(labels.consent.confirm);
  await panel.getByRole('article', { name: 'echo', exact: true }).waitFor();
  await running.shoot('mcp-http-page');
  await user.closesSettings();

  await user.ask('Use all of them');
  for (const tool of ['remote__echo', 'old__get-tiny-image', 'memory__create_entities', 'files__write_file']) {
    await user.card(tool, 'waiting').waitFor();
    await user.answers(labels.consent.allowOnce);
  }
  await user.sees('All four answered.');
  await user.waits();
  const picture = user.card('old__get-tiny-image', 'done').getByRole('img');
  await picture.scrollIntoViewIfNeeded();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await running.shoot('mcp-picture');

  const last = JSON.stringify(api.requests.at(-1)?.body);
  expect(last).toContain('Echo: over HTTP');
  expect(last).toContain('"media_type":"image/png"');
  expect(readFileSync(graph, 'utf8')).toContain('likes tea');
  expect(readFileSync(join(rig.workspace, 'note.txt'), 'utf8')).toBe('from the server');
});

test('progress is shown while a call runs, Stop reaches the server, and the next call is answered', async (context) => {
  const api = await model([
    call('everything__trigger-long-running-operation', { duration: 120, steps: 600 }),
    call('everything__echo', { message: 'still here' }),
    { text: 'It is.' },
  ]);
  const rig = new AppRig(context, { api: api.url });
  const heard = join(rig.home, 'heard.jsonl');
  // `tee` keeps what the server is sent.
  const args = ['-c', 'tee "$0" | "$1" "$2"', heard, process.execPath, reference('everything')];
  rig.writeConfig({ mcpServers: { everything: { command: 'sh', args } } });
  const running = await rig.launch();
  const user = new User(running);
  await confirmsServers(running, user, 1);

  await user.ask('Take your time');
  await user.answers(labels.consent.allowOnce);
  const card = user.card('everything__trigger-long-running-operation', 'running');
  const step = async () => Number(/\b(\d+)\/600$/m.exec(await card.innerText())?.[1]);
  await expect.poll(step).toBeGreaterThan(2);
  const before = await step();
  await expect.poll(step).toBeGreaterThan(before + 2);
  await running.shoot('mcp-progress');
  await user.stops();
  await user.card('everything__trigger-long-running-operation', 'interrupted').waitFor();
  await user.waits();
  await running.shoot('mcp-stopped');
  const messages = () =>
    readFileSync(heard, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  const called = messages().find(({ method }) => method === 'tools/call');
  await expect
    .poll(() => messages().find(({ method }) => method === 'notifications/cancelled'))
    .toMatchObject({ params: { requestId: called?.id } });

  await user.ask('Are you there?');
  await user.answers(labels.consent.allowOnce);
  await user.sees('It is.');
  expect(JSON.stringify(api.requests.at(-1)?.body)).toContain('Echo: still here');
});

test('a server that crashes is shown as failed, comes back by itself and answers again', async (context) => {
  const api = await model([
    call('memory__create_entities', GRAPH),
    { text: 'Kept.' },
    call('memory__read_graph', {}),
    { text: 'There she is.' },
  ]);
  const rig = new AppRig(context, { api: api.url });
  const graph = join(rig.home, 'graph.jsonl');
  rig.writeConfig({
    mcpServers: {
      memory: { command: process.execPath, args: [reference('memory')], env: { MEMORY_FILE_PATH: graph } },
    },
  });
  const running = await rig.launch();
  const user = new User(running);
  await confirmsServers(running, user, 1);
  await user.ask('Remember Ada');
  await user.answers(labels.consent.allowOnce);
  await user.sees('Kept.');
  await user.waits();

  const panel = await opensServer(user, 'memory');
  const shown = panel.getByText(/^Process \d+/);
  const pid = async () => Number(/\d+/.exec((await shown.textContent()) ?? '')?.[0]);
  await shown.waitFor();
  const crashed = await pid();
  expect(running.processes().find((each) => each.pid === crashed)?.command).toContain('server-memory');
  process.kill(crashed, 'SIGKILL');
  await panel.getByText(/^Failed, next try/).waitFor();
  await running.shoot('mcp-crashed');
  await panel.getByText('Ready').waitFor();
  await shown.waitFor();
  await expect.poll(pid).not.toBe(crashed);
  await running.shoot('mcp-back');
  await user.closesSettings();

  await user.ask('Whom do you know?');
  await user.answers(labels.consent.allowOnce);
  await user.sees('There she is.');
  expect(JSON.stringify(api.requests.at(-1)?.body)).toContain('likes tea');
});
