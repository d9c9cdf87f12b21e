import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { DoctorReport, DoctorStep } from '../../../src-preload/contract/server-doctor.ts';
import { STDIO_SERVER } from '../../fixtures/mcp/connections.ts';
import { WindowRig } from '../../fixtures/window-rig.ts';

type Bag = Record<string, unknown>;
const SECRET = 'a-password-of-the-server';
const server = (...args: readonly string[]) => ({ command: process.execPath, args: [STDIO_SERVER, ...args] });

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'doctor-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** A program that does this. */
function program(name: string, script: string, directory = folder()): string {
  const path = join(directory, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

async function listening(made: Server | TcpServer): Promise<number> {
  await new Promise<void>((done) => void made.listen(0, '127.0.0.1', done));
  onTestFinished(() => void made.close());
  return (made.address() as AddressInfo).port;
}

async function rigWith(entry: Bag, isConfirmed = true): Promise<WindowRig> {
  const rig = new WindowRig({ config: { mcpServers: { it: entry } } });
  if (!isConfirmed) return rig;
  const confirming = rig.request('settings.confirmPending');
  await rig.answer({ answer: 'once' });
  await confirming;
  return rig;
}

async function examine(
  entry: Bag,
  isConfirmed = true,
): Promise<DoctorReport & { step: (id: string) => DoctorStep | undefined }> {
  const rig = await rigWith(entry, isConfirmed);
  const report = await rig.request<DoctorReport>('serverDiagnostics.examine', { server: 'it' });
  const told = rig.events.flatMap(({ name, data }) => (name === 'doctorStep' ? [(data as Bag).step] : []));
  // What was shown while it went on is what it ends with.
  expect(told).toEqual(report.steps);
  return { ...report, step: (id) => report.steps.find((step) => step.id === id) };
}

const outcomes = ({ steps }: DoctorReport) => steps.map(({ id, outcome }) => [id, outcome]);

test('for a working server, every step passes and shows what it found', async () => {
  const report = await examine({ ...server(), env: { SERVICE_PASSWORD: SECRET } });
  expect(outcomes(report)).toEqual([
    ['entry', 'ok'],
    ['search_path', 'ok'],
    ['program', 'ok'],
    ['directory', 'ok'],
    ['runtime', 'ok'],
    ['start', 'ok'],
    ['messages', 'ok'],
  ]);
  expect(report.step('entry')?.facts).toContainEqual({ code: 'field', name: 'env', value: 'SERVICE_PASSWORD' });
  const folders = [...new Set(process.env.PATH?.split(':'))];
  expect(report.step('search_path')?.facts[0]).toMatchObject({ folders: expect.arrayContaining(folders) });
  expect(report.step('program')?.facts).toEqual([{ code: 'program', path: process.execPath }]);
  const version = process.version.slice(1);
  expect(report.step('runtime')?.facts).toEqual([
    { code: 'runtime', runtime: 'node', version, path: process.execPath },
  ]);
  expect(report.step('start')?.facts).toEqual([
    {
      code: 'ready',
      wasRunning: expect.any(Boolean),
      pid: expect.any(Number),
      protocolVersion: '2025-06-18',
      era: 'legacy',
      tools: 9,
    },
  ]);
  expect(JSON.stringify(report)).not.toContain(SECRET);
});

test('of an entry that nobody confirmed nothing is started; the control shows that it would be', async () => {
  const sign = join(folder(), 'started');
  const entry = { command: program('server', `touch ${sign}; exit 3`) };
  const report = await examine(entry, false);
  expect(outcomes(report)).toEqual([
    ['entry', 'warning'],
    ['search_path', 'ok'],
    ['program', 'ok'],
    ['directory', 'ok'],
    ['runtime', 'skipped'],
    ['start', 'skipped'],
  ]);
  expect(report.step('entry')?.advice).toEqual([{ code: 'confirm' }]);
  expect(existsSync(sign)).toBe(false);
  await examine(entry);
  expect(existsSync(sign)).toBe(true);
});

test('of a URL that nobody confirmed nothing is connected to; the control shows that it would be', async () => {
  let connections = 0;
  const port = await listening(
    createTcpServer((socket) => {
      connections++;
      socket.destroy();
    }),
  );
  const entry = { url: `http://127.0.0.1:${port}/mcp` };
  const report = await examine(entry, false);
  expect(outcomes(report)).toEqual([
    ['entry', 'warning'],
    ['address', 'ok'],
    ['lookup', 'skipped'],
    ['start', 'skipped'],
  ]);
  expect(connections).toBe(0);
  await examine(entry);
  expect(connections).toBeGreaterThan(0);
});

test('a server that is switched off is not started either', async () => {
  const sign = join(folder(), 'started');
  const report = await examine({ command: program('server', `touch ${sign}`), enabled: false });
  expect(report.step('start')).toMatchObject({ outcome: 'skipped', facts: [{ code: 'disabled' }] });
  expect(report.step('entry')?.advice).toEqual([{ code: 'enable' }]);
  expect(existsSync(sign)).toBe(false);
});

test.each([
  ['uvx', { code: 'install', program: 'uv' }],
  ['npx', { code: 'install', program: 'node' }],
  ['dotnet', { code: 'install', program: 'dotnet' }],
  ['docker', { code: 'install', program: 'docker' }],
  ['no-such-program-here', { code: 'full_path', command: 'no-such-program-here' }],
])('the program %s is missing: what to install, and where it was looked for', async (command, advice) => {
  const nowhere = folder();
  const report = await examine({ command, env: { PATH: nowhere } });
  expect(report.step('search_path')?.facts).toEqual([{ code: 'search_path', source: 'entry', folders: [nowhere] }]);
  expect(report.step('program')).toMatchObject({ outcome: 'problem', facts: [{ code: 'program_missing', command }] });
  expect(report.step('program')?.advice).toContainEqual(advice);
  expect(report.step('start')?.facts).toEqual([{ code: 'came_before', step: 'program' }]);
});

test.each([
  ['an older Node', 'node', 'echo "npm ERR! code EBADENGINE" >&2; exit 1', { code: 'other_node', version: '16.1.0' }],
  ['a missing module', 'node', 'echo "Error: Cannot find module /x/index.js" >&2; exit 1', { code: 'missing_module' }],
  [
    'a daemon that is not there',
    'docker',
    'echo "Cannot connect to the Docker daemon" >&2; exit 1',
    { code: 'start_docker' },
  ],
  [
    'an SDK that is not there',
    'dotnet',
    'echo "No .NET SDKs were found." >&2; exit 145',
    { code: 'install', program: 'dotnet' },
  ],
  ['anything else', 'python3', 'echo "Traceback" >&2; exit 1', { code: 'read_stderr' }],
])('a process that ends because of %s', async (_what, name, script, advice) => {
  // The program tells its version, and fails at everything else.
  const path = program(name, `case "$*" in --version|version*) echo "v16.1.0"; exit 0;; esac\n${script}`);
  const report = await examine({ command: path, args: ['server'] });
  expect(report.step('start')).toMatchObject({ outcome: 'problem' });
  expect(report.step('start')?.facts[0]).toMatchObject({ code: 'exited', exitCode: expect.any(Number) });
  expect(report.step('start')?.facts[1]).toMatchObject({ code: 'stderr', lines: expect.any(Array) });
  // The advice is given once, by the first step that saw it.
  const given = report.steps.flatMap((step) => step.advice);
  expect(given.filter((each) => each.code === advice.code)).toEqual([advice]);
  expect(report.step('messages')?.facts).toContainEqual(
    expect.objectContaining({ code: 'message', kind: 'unanswered', direction: 'sent', method: 'initialize' }),
  );
});

test('a runtime that is too old, or does not run, is seen before the server is', async () => {
  const old = await examine({ command: program('node', 'echo v14.2.0') });
  expect(old.step('runtime')).toMatchObject({
    outcome: 'warning',
    advice: [{ code: 'other_node', version: '14.2.0' }],
  });
  const broken = await examine({ command: program('docker', 'echo no daemon >&2; exit 1') });
  expect(broken.step('runtime')).toMatchObject({
    outcome: 'problem',
    facts: [{ code: 'runtime_failed', runtime: 'docker', output: 'no daemon' }],
    advice: [{ code: 'start_docker' }],
  });
});

test('a server that prints to stdout is told so, and dotnet run what to do about it', async () => {
  const report = await examine(server('garbage'));
  expect(report.step('start')).toMatchObject({
    outcome: 'warning',
    facts: [{ code: 'ready' }, { code: 'stray', count: 3, lines: ['Installing packages…', '{"half": ', '[1,2]'] }],
    advice: [{ code: 'keep_stdout_clean' }],
  });
  const dotnet = program(
    'dotnet',
    `[ "$1" = --version ] && echo 9.0.1 && exit 0\necho Building; exec ${process.execPath} ${STDIO_SERVER}`,
  );
  const built = await examine({ command: dotnet, args: ['run', '--project', 'x'] });
  expect(built.step('start')?.advice).toEqual([{ code: 'dotnet_build' }]);
});

test('a missing keychain entry is named', async () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how people write it in config.json
  const report = await examine({ ...server(), env: { KEY: '${keychain:TOKEN}' } });
  expect(report.step('secrets')).toEqual({
    id: 'secrets',
    outcome: 'problem',
    facts: [{ code: 'keychain_entry', name: 'TOKEN', isSet: false }],
    advice: [{ code: 'set_secret', name: 'TOKEN' }],
  });
  expect(report.step('start')?.facts).toEqual([{ code: 'came_before', step: 'secrets' }]);
});

test.each([
  [401, 'sign_in'],
  [403, 'forbidden'],
  [404, 'check_url'],
  [405, 'other_transport'],
])('a URL that answers %d is explained', async (status, advice) => {
  const port = await listening(createServer((_request, response) => void response.writeHead(status).end()));
  const report = await examine({ url: `http://127.0.0.1:${port}/mcp` });
  expect(outcomes(report).slice(0, 4)).toEqual([
    ['entry', 'ok'],
    ['address', 'ok'],
    ['lookup', 'ok'],
    ['port', 'ok'],
  ]);
  const facts = status === 401 ? [{ code: 'sign_in' }] : [{ code: 'http_status', status }];
  expect(report.step('start')).toMatchObject({ outcome: 'problem', facts });
  expect(report.step('start')?.advice.map(({ code }) => code)).toContain(advice);
});

test('a closed port and a port that does not speak TLS are told apart', async () => {
  const free = createTcpServer();
  const closed = await listening(free);
  await new Promise((done) => void free.close(done));
  const refused = await examine({ url: `http://127.0.0.1:${closed}/mcp` });
  expect(refused.step('port')).toEqual({
    id: 'port',
    outcome: 'problem',
    facts: [{ code: 'failed', error: 'ECONNREFUSED' }],
    advice: [{ code: 'closed_port', host: '127.0.0.1', port: closed, isOwnMachine: true }],
  });
  expect(refused.step('start')?.facts).toEqual([{ code: 'came_before', step: 'port' }]);
  const port = await listening(createServer((_request, response) => void response.end('plain')));
  const plain = await examine({ url: `https://127.0.0.1:${port}/mcp` });
  expect(plain.step('tls')).toMatchObject({ outcome: 'problem', advice: [{ code: 'plain_http' }] });
});

test('a further examination ends the one before', async () => {
  const rig = await rigWith(server('hang'));
  const first = rig.code('serverDiagnostics.examine', { server: 'it' });
  const second = rig.request<DoctorReport>('serverDiagnostics.examine', { server: 'nothing' });
  expect(await first).toBe('superseded');
  expect((await second).steps).toMatchObject([{ id: 'entry', outcome: 'problem', facts: [{ code: 'no_entry' }] }]);
});

test('a network share is not looked at before it is confirmed: looking tells that machine who the user is', async () => {
  const command = `//${program('tool', 'exit 0')}`;
  const before = await examine({ command, args: [] }, false);
  expect(before.step('program')).toMatchObject({ outcome: 'skipped', facts: [{ code: 'not_confirmed' }] });
  const after = await examine({ command, args: [] });
  expect(after.step('program')).toMatchObject({ outcome: 'ok' });
});

test('for a server that was killed, no missing program is reported', async () => {
  const report = await examine({ command: program('dies', 'kill -KILL $$') });
  const start = report.step('start');
  expect(start?.facts).toContainEqual({ code: 'exited', exitCode: null, signal: 'SIGKILL' });
  expect(start?.advice).toEqual([{ code: 'ended_from_outside', signal: 'SIGKILL' }]);
});
