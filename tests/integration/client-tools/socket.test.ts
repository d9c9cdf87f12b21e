import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ConversationClients } from '../../../src-main/client-tools/conversation-clients.ts';
import { ClientRegistrationError } from '../../../src-main/client-tools/conversation-clients.ts';
import type { ClientHost, ClientResponse, RunInput } from '../../../src-main/client-tools/records.ts';
import { ClientSocket, type ClientSocketOptions } from '../../../src-main/client-tools/socket/client-socket.ts';
import type { PairingRequest } from '../../../src-main/client-tools/socket/pairing.ts';
import { openStorage } from '../../../src-main/storage/storage.ts';
import { endsWithTest } from '../../fixtures/ends-with-test.ts';
import { RawProgram } from '../../fixtures/program.ts';

const TOOL = { name: 'OpenFile', description: 'Opens a file' };
const GROUP = { name: 'IDE', description: 'An editor', tools: [TOOL] };
const HELLO = { type: 'hello', name: 'Editor', version: '1' };

/** A conversation that registers everything. */
class Conversation implements ConversationClients {
  readonly hosts: ClientHost[] = [];
  readonly inputs: RunInput[] = [];
  readonly answers: { readonly response: ClientResponse; readonly host: ClientHost }[] = [];
  readonly gone: ClientHost[] = [];
  onAnswer: () => void = () => undefined;
  onGone: () => void = () => undefined;

  async register(input: RunInput, host: ClientHost) {
    const groups = (input.clientToolGroups ?? []).map(({ name }) => name);
    if (groups.includes('Bad')) throw new ClientRegistrationError('Bad', 'it is bad');
    this.inputs.push(input);
    if (!this.hosts.includes(host)) this.hosts.push(host);
    return { groups };
  }
  attach(host: ClientHost) {
    this.hosts.push(host);
  }
  answer(response: ClientResponse, host: ClientHost) {
    this.answers.push({ response, host });
    this.onAnswer();
  }
  disconnected(host: ClientHost) {
    this.gone.push(host);
    this.onGone();
  }
}

interface RigOptions {
  readonly answers?: (request: PairingRequest, signal: AbortSignal) => Promise<boolean>;
  readonly profile?: string;
  readonly env?: ClientSocketOptions['env'];
  readonly onChange?: () => void;
}

async function rig({
  answers = () => Promise.resolve(true),
  profile,
  env = {},
  onChange = () => undefined,
}: RigOptions = {}) {
  const profileDirectory = profile ?? mkdtempSync(join(tmpdir(), 'steward-sock-'));
  const storage = await openStorage({ directory: profileDirectory });
  const asked: PairingRequest[] = [];
  const conversations = new Map<string, Conversation>([
    ['current', new Conversation()],
    ['other', new Conversation()],
  ]);
  const log: string[] = [];
  const forgotten: string[] = [];
  const socket = new ClientSocket({
    profileDirectory,
    env,
    programs: storage.pairedPrograms,
    forget: (id) => forgotten.push(id),
    ask: (request, signal) => {
      asked.push(request);
      return answers(request, signal);
    },
    conversation: (id) => {
      if (id === 'later') return undefined;
      const clients = conversations.get(id);
      return clients === undefined ? { missing: `There is no conversation ${id}.` } : { id, clients };
    },
    onChange: () => onChange(),
    log: (line) => log.push(line),
  });
  onTestFinished(async () => {
    await socket.setOpen(false);
    await storage.close();
  });
  await socket.setOpen(true);
  const path = () => {
    const { state } = socket;
    if (state.name !== 'listening') throw new Error(JSON.stringify(state));
    return state.path;
  };
  const conversation = (id: string) => {
    const found = conversations.get(id);
    if (found === undefined) throw new Error(id);
    return found;
  };
  const paired = async (name = 'Editor', token?: string) => {
    const program = await RawProgram.connect(path());
    program.send({ ...HELLO, name, token });
    const { token: given } = await program.receives('welcome');
    return { program, token: String(given) };
  };
  return { socket, storage, asked, path, paired, conversation, log, profileDirectory };
}

test('the socket is open to its user alone, and gone with its file when it is switched off', async () => {
  const { socket, path, profileDirectory } = await rig();
  expect(path()).toBe(join(profileDirectory, 'client.sock'));
  expect(statSync(path()).mode & 0o777).toBe(0o600);
  expect(statSync(profileDirectory).mode & 0o077).toBe(0);
  expect(JSON.parse(readFileSync(join(profileDirectory, 'client.json'), 'utf8'))).toEqual({ socket: path() });
  const file = path();
  await socket.setOpen(false);
  expect(existsSync(file)).toBe(false);
  expect(existsSync(join(profileDirectory, 'client.json'))).toBe(false);
});

test('a long profile path has its socket in the runtime folder of the user', async () => {
  const runtime = mkdtempSync(join(tmpdir(), 'run-'));
  const profile = join(mkdtempSync(join(tmpdir(), 'steward-')), 'x'.repeat(100));
  const { path, paired, profileDirectory } = await rig({ profile, env: { XDG_RUNTIME_DIR: runtime } });
  expect(path()).toMatch(new RegExp(`^${runtime}/steward-[0-9a-f]{16}\\.sock$`));
  expect(JSON.parse(readFileSync(join(profileDirectory, 'client.json'), 'utf8'))).toEqual({ socket: path() });
  await paired();
});

test('a link in place of the runtime folder leads nowhere else later', async () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'run-')));
  const [real, elsewhere, link] = [join(base, 'real'), join(base, 'elsewhere'), join(base, 'link')];
  for (const folder of [real, elsewhere]) mkdirSync(folder, { mode: 0o700 });
  symlinkSync(real, link);
  const profile = join(mkdtempSync(join(tmpdir(), 'steward-')), 'x'.repeat(100));
  const { paired, profileDirectory } = await rig({ profile, env: { XDG_RUNTIME_DIR: link } });
  rmSync(link);
  symlinkSync(elsewhere, link);
  const told: unknown = JSON.parse(readFileSync(join(profileDirectory, 'client.json'), 'utf8'));
  expect(told).toMatchObject({ socket: expect.stringMatching(new RegExp(`^${real}/`)) });
  await paired();
});

test('a folder in which others may replace the socket is not used', async () => {
  const runtime = mkdtempSync(join(tmpdir(), 'run-'));
  chmodSync(runtime, 0o777);
  const profile = join(mkdtempSync(join(tmpdir(), 'steward-')), 'x'.repeat(100));
  const { socket } = await rig({ profile, env: { XDG_RUNTIME_DIR: runtime } });
  expect(socket.state).toMatchObject({ name: 'failed' });
});

test('the socket of a crashed process is replaced; one that answers, or a file, is not', async () => {
  const crashed = mkdtempSync(join(tmpdir(), 'steward-sock-'));
  const listens = `require('node:net').createServer().listen(${JSON.stringify(join(crashed, 'client.sock'))}, () => console.log(1))`;
  const child = spawn(process.execPath, ['-e', listens]);
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'close');
  expect(statSync(join(crashed, 'client.sock')).isSocket()).toBe(true);
  const { paired } = await rig({ profile: crashed });
  await paired();

  const taken = mkdtempSync(join(tmpdir(), 'steward-sock-'));
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(join(taken, 'client.sock'), resolve));
  onTestFinished(() => void other.close());
  expect((await rig({ profile: taken })).socket.state).toMatchObject({ name: 'failed' });
  expect(other.listening && existsSync(join(taken, 'client.sock'))).toBe(true);

  const file = mkdtempSync(join(tmpdir(), 'steward-sock-'));
  writeFileSync(join(file, 'client.sock'), 'mine');
  expect((await rig({ profile: file })).socket.state).toMatchObject({ name: 'failed' });
  expect(readFileSync(join(file, 'client.sock'), 'utf8')).toBe('mine');

  // What a link leads to keeps its permissions.
  const linked = mkdtempSync(join(tmpdir(), 'steward-sock-'));
  writeFileSync(join(linked, 'target'), '', { mode: 0o644 });
  symlinkSync(join(linked, 'target'), join(linked, 'client.sock'));
  expect((await rig({ profile: linked })).socket.state).toEqual({
    name: 'failed',
    reason: `${join(linked, 'client.sock')} exists and is not a socket. Remove it, then try again.`,
  });
  expect(statSync(join(linked, 'target')).mode & 0o777).toBe(0o644);
});

test('a paired program registers groups, is asked and answers, in any order', async () => {
  const { paired, conversation } = await rig();
  const { program } = await paired();
  program.send({ type: 'run_input', conversation: 'other', clientToolGroups: [GROUP] });
  expect(await program.receives('run_accepted')).toEqual({
    type: 'run_accepted',
    conversationId: 'other',
    groups: ['IDE'],
  });
  const { hosts, answers } = conversation('other');
  expect(hosts.map(({ name, isConnected }) => ({ name, isConnected }))).toEqual([
    { name: 'Editor', isConnected: true },
  ]);
  for (const requestId of ['a', 'b'])
    hosts[0]?.request({ requestId, toolName: 'OpenFile', callId: `call ${requestId}`, arguments: { path: 'x' } });
  expect(await program.receives('client_request', ({ requestId }) => requestId === 'b')).toEqual({
    type: 'client_request',
    conversationId: 'other',
    requestId: 'b',
    toolName: 'OpenFile',
    callId: 'call b',
    arguments: { path: 'x' },
  });
  const both = new Promise<void>((resolve) => {
    conversation('other').onAnswer = () => answers.length === 2 && resolve();
  });
  for (const requestId of ['b', 'a'])
    program.send({ type: 'client_response', requestId, content: [{ type: 'text', text: requestId }] });
  await both;
  expect(answers.map(({ response }) => response.requestId)).toEqual(['b', 'a']);
});

test('an answer is taken once, for an open request, from the program that was asked', async () => {
  const { paired, conversation, log } = await rig();
  const [editor, other] = [await paired('Editor'), await paired('Other')];
  for (const { program } of [editor, other]) {
    program.send({ type: 'run_input', conversation: 'current' });
    await program.receives('run_accepted');
  }
  const [host] = conversation('current').hosts;
  host?.request({ requestId: 'r', toolName: 'OpenFile', callId: 'c', arguments: {} });
  await editor.program.receives('client_request');

  const stolen = { type: 'client_response', requestId: 'r', content: [{ type: 'text', text: 'from the other' }] };
  other.program.send(stolen);
  other.program.send({ ...stolen, requestId: 'x'.repeat(1_000_000) });
  other.program.send({ type: 'run_input', conversation: 'other' });
  await other.program.receives('run_accepted', ({ conversationId }) => conversationId === 'other');
  expect(conversation('current').answers).toEqual([]);

  const answered = new Promise<void>((resolve) => {
    conversation('current').onAnswer = resolve;
  });
  for (const text of ['first', 'second'])
    editor.program.send({ type: 'client_response', requestId: 'r', content: [{ type: 'text', text }] });
  await answered;
  editor.program.send({ type: 'run_input', conversation: 'other' });
  await editor.program.receives('run_accepted', ({ conversationId }) => conversationId === 'other');
  expect(conversation('current').answers.map(({ response }) => response.content)).toEqual([
    [{ type: 'text', text: 'first' }],
  ]);
  expect(log).toHaveLength(3);
  expect(log.join('')).not.toContain('xxx');
});

test('a program that goes away is a disconnect, also one that crashes in the middle of a line', async () => {
  const { paired, conversation, socket } = await rig();
  const { program } = await paired();
  program.send({ type: 'run_input', conversation: 'current', clientToolGroups: [GROUP] });
  await program.receives('run_accepted');
  const gone = new Promise<void>((resolve) => {
    conversation('current').onGone = resolve;
  });
  program.socket.end('{"type":"client_resp');
  await gone;
  expect(conversation('current').gone).toEqual(conversation('current').hosts);
  expect(conversation('current').hosts[0]?.isConnected).toBe(false);
  expect(conversation('current').answers).toEqual([]);
  await program.closed;
  expect(socket.connected).toEqual([]);
});

test('a second connection with the same token is visible, and each is asked for its own groups', async () => {
  const { paired, socket, conversation, storage } = await rig();
  const { program, token } = await paired();
  const second = (await paired('Another name', token)).program;
  for (const [each, name] of [
    [program, 'IDE'],
    [second, 'Terminal'],
  ] as const) {
    each.send({ type: 'run_input', conversation: 'current', clientToolGroups: [{ ...GROUP, name }] });
    await each.receives('run_accepted');
  }
  const [row] = storage.pairedPrograms.list();
  expect(socket.connected).toEqual([
    {
      id: row?.id,
      name: 'Editor',
      connections: 2,
      attachments: [{ conversationId: 'current', groups: ['IDE', 'Terminal'] }],
    },
  ]);
  const [first] = conversation('current').hosts;
  first?.request({ requestId: 'r', toolName: 'OpenFile', callId: 'c', arguments: {} });
  await program.receives('client_request');
  second.send({ type: 'client_response', requestId: 'r', content: [{ type: 'text', text: 'from the other' }] });
  second.send({ type: 'run_input', conversation: 'other' });
  await second.receives('run_accepted', ({ conversationId }) => conversationId === 'other');
  expect(conversation('current').answers).toEqual([]);
});

test('revoking a pairing ends its connections, and the token no longer works', async () => {
  let questions = 0;
  const { paired, socket, storage, conversation, path } = await rig({
    answers: () => Promise.resolve(++questions === 1),
  });
  const { program, token } = await paired();
  program.send({ type: 'run_input', conversation: 'current', clientToolGroups: [GROUP] });
  await program.receives('run_accepted');
  const [row] = storage.pairedPrograms.list();
  expect(socket.revoke(row?.id ?? '')).toBe(true);
  expect(conversation('current').gone).toHaveLength(1);
  expect(conversation('current').inputs.at(-1)).toEqual({ resetClientState: true });
  expect(await program.receives('client_error')).toMatchObject({ code: 'revoked' });
  await program.closed;

  const again = await RawProgram.connect(path());
  again.send({ ...HELLO, token });
  expect(await again.receives('refused')).toMatchObject({ code: 'declined' });
  await again.closed;
  expect(socket.revoke(row?.id ?? '')).toBe(false);
});

test('a token survives a restart; the database holds only its hash', async () => {
  const first = await rig();
  const { token } = await first.paired();
  await first.socket.setOpen(false);
  await first.storage.close();
  const database = readFileSync(join(first.profileDirectory, 'steward.db'));
  expect(database.includes('Editor')).toBe(true);
  expect(database.includes(token)).toBe(false);

  const second = await rig({ profile: first.profileDirectory });
  await second.paired('Editor', token);
  expect(second.asked).toEqual([]);
});

test('from a program that is not paired only a hello is read', async () => {
  const { path, conversation } = await rig({ answers: () => new Promise(() => undefined) });
  for (const first of [
    JSON.stringify({ type: 'run_input', conversation: 'current', clientToolGroups: [GROUP] }),
    'GET / HTTP/1.1',
    'x'.repeat(20_000),
  ]) {
    const program = await RawProgram.connect(path());
    program.socket.write(`${first}\n`);
    const { code, message } = await program.receives('client_error');
    expect(['hello_expected', 'line_too_long']).toContain(code);
    if (code === 'line_too_long') expect(message).toBe('A line is too long (more than 16 KB).');
    await program.closed;
  }
  const eager = await RawProgram.connect(path());
  eager.send(HELLO);
  eager.send({ type: 'run_input', conversation: 'current', clientToolGroups: [GROUP] });
  await eager.leave();
  expect(conversation('current').inputs).toEqual([]);
});

test('a question about a program that left is withdrawn', async () => {
  let withdrawn: () => void = () => undefined;
  const isWithdrawn = new Promise<void>((resolve) => {
    withdrawn = resolve;
  });
  let isAsked: () => void = () => undefined;
  const question = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  const { path } = await rig({
    answers: (_request, signal) =>
      new Promise((_resolve, reject) => {
        isAsked();
        signal.addEventListener('abort', () => {
          withdrawn();
          reject(signal.reason);
        });
      }),
  });
  const program = await RawProgram.connect(path());
  program.send(HELLO);
  await question;
  await program.leave();
  await isWithdrawn;
  const next = await RawProgram.connect(path());
  next.send(HELLO);
  expect(await next.receives('refused')).toMatchObject({ code: 'paused', retryAfterSeconds: 30 });
});

test('a flood of unknown programs opens one card, and the socket stays usable for paired ones', async () => {
  const { path, asked, paired } = await rig({
    answers: ({ name }) => (name === 'Editor' ? Promise.resolve(true) : new Promise(() => undefined)),
  });
  const { token } = await paired();
  const flood = await Promise.all(Array.from({ length: 200 }, () => RawProgram.connect(path())));
  for (const program of flood) program.send({ ...HELLO, name: 'Flood' });
  // All but the one that is asked about.
  await new Promise<void>((resolve) => {
    let closed = 0;
    for (const program of flood) void program.closed.then(() => ++closed === flood.length - 1 && resolve());
  });
  expect(asked.map(({ name }) => name)).toEqual(['Editor', 'Flood']);
  for (const program of flood) await program.leave();
  await paired('Editor', token);
  expect(asked).toHaveLength(2);
});

test.each([
  ['a flood of lines', () => `${'{"type":"run_input"}\n'.repeat(20_000)}`, 'too_many_lines'],
  ['a line of more than 8 MB', () => 'x'.repeat(9 * 1024 * 1024), 'line_too_long'],
  ['lines that are no messages', () => '[]\n'.repeat(900), 'too_many_bad_lines'],
])('%s ends the connection of that program alone', async (_what, text, code) => {
  const { paired, conversation } = await rig();
  const [bad, good] = [await paired('Bad'), await paired('Good')];
  bad.program.socket.write(text());
  expect(await bad.program.receives('client_error', (message) => message.code === code)).toMatchObject({ code });
  await bad.program.closed;
  good.program.send({ type: 'run_input', conversation: 'current', clientToolGroups: [GROUP] });
  await good.program.receives('run_accepted');
  expect(conversation('current').gone.filter(({ name }) => name === 'Good')).toEqual([]);
});

test('a program that does not read what it is asked is disconnected', async () => {
  const { paired, conversation } = await rig();
  const { program } = await paired();
  program.send({ type: 'run_input', conversation: 'current', clientToolGroups: [GROUP] });
  await program.receives('run_accepted');
  program.socket.pause();
  const [host] = conversation('current').hosts;
  const gone = new Promise<void>((resolve) => {
    conversation('current').onGone = resolve;
  });
  for (let index = 0; index < 5_000 && host?.isConnected; index++)
    host.request({
      requestId: String(index),
      toolName: 'OpenFile',
      callId: 'c',
      arguments: { text: 'x'.repeat(10_000) },
    });
  await gone;
  expect(host?.isConnected).toBe(false);
  await program.leave();
});

test('a registration that fails, or a conversation that is not there, is told, and the connection stays', async () => {
  const { paired } = await rig();
  const { program } = await paired();
  program.send({ type: 'run_input', conversation: 'current', clientToolGroups: [{ ...GROUP, name: 'Bad' }] });
  expect(await program.receives('client_error')).toMatchObject({
    code: 'registration_failed',
    message: 'Client tool registration failed: Bad: it is bad',
  });
  program.send({ type: 'run_input', conversation: 'nowhere' });
  expect(await program.receives('client_error', ({ code }) => code === 'no_conversation')).toBeDefined();
  program.socket.write('{"type":"client_resp\n');
  expect(await program.receives('client_error', ({ code }) => code === 'bad_line')).toBeDefined();
  program.send({ type: 'run_input', conversation: 'current', clientToolGroups: [GROUP] });
  await program.receives('run_accepted');
});

test('while a run input waits for a conversation, the lines that follow are read', async () => {
  const { paired } = await rig();
  const { program } = await paired();
  for (let index = 0; index < 9; index++) program.send({ type: 'run_input', conversation: 'later' });
  program.send({ type: 'run_input', conversation: 'other', clientToolGroups: [GROUP] });
  expect(await program.receives('run_accepted')).toMatchObject({ conversationId: 'other' });
  expect(program.received.filter(({ type }) => type === 'client_error')).toMatchObject([{ code: 'no_conversation' }]);
});

test('what a program brought to the current conversation follows to the next one, and it is told', async () => {
  const { socket, paired, conversation } = await rig();
  const { program } = await paired();
  program.send({ type: 'run_input', conversation: 'current', clientToolGroups: [GROUP] });
  await program.receives('run_accepted');
  program.send({ type: 'run_input', conversation: 'current', context: [{ description: 'Open file', value: 'a.ts' }] });
  await program.receives(
    'run_accepted',
    () => program.received.filter((each) => each.type === 'run_accepted').length === 2,
  );

  const other = { id: 'other', clients: conversation('other') };
  await socket.currentIs(other);
  await program.receives('current_conversation', ({ conversationId }) => conversationId === 'other');
  expect(await program.receives('run_accepted', ({ conversationId }) => conversationId === 'other')).toMatchObject({
    groups: ['IDE'],
  });
  expect(conversation('other').inputs.at(-1)).toMatchObject({
    clientToolGroups: [{ name: 'IDE' }],
    context: [{ description: 'Open file', value: 'a.ts' }],
  });
  const { length } = conversation('other').inputs;
  await socket.currentIs(other);
  expect(conversation('other').inputs).toHaveLength(length);

  // A program that is in a conversation by its id stays there.
  const fixed = await paired('Fixed');
  fixed.program.send({ type: 'run_input', conversation: 'other', clientToolGroups: [{ ...GROUP, name: 'Own' }] });
  await fixed.program.receives('run_accepted');
  await socket.currentIs({ id: 'current', clients: conversation('current') });
  await program.receives('current_conversation', ({ conversationId }) => conversationId === 'current');
  expect(fixed.program.received.some(({ type }) => type === 'current_conversation')).toBe(false);
});

test('the socket can be opened again after a step of opening or closing failed', async () => {
  let fails = false;
  const { socket, profileDirectory, log } = await rig({
    onChange: () => {
      if (fails) throw new Error('the window is gone');
    },
  });
  fails = true;
  await socket.setOpen(false);
  expect(socket.state.name).toBe('off');
  expect(log).not.toEqual([]);
  fails = false;
  await socket.setOpen(true);
  // A folder can't be removed as a file is.
  rmSync(join(profileDirectory, 'client.json'));
  mkdirSync(join(profileDirectory, 'client.json'));
  await socket.setOpen(false);
  expect(socket.state.name).toBe('failed');
  rmSync(join(profileDirectory, 'client.json'), { recursive: true });
  await socket.setOpen(true);
  expect(socket.state.name).toBe('listening');
});

test('a program that does not read megabytes of answers is disconnected', async () => {
  const { path, conversation } = await rig();
  const child = spawn(process.execPath, [
    '-e',
    `const socket = require('node:net').connect(process.argv[1]);
    const send = (message) => socket.write(JSON.stringify(message) + '\\n');
    send({ type: 'hello', name: 'Deaf', version: '1' });
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.pause();
      const tools = [{ name: 'a', description: 'b' }];
      const clientToolGroups = [{ name: 'x'.repeat(8_000_000), description: 'c', tools }];
      for (let times = 0; times < 20; times++) send({ type: 'run_input', clientToolGroups });
      setInterval(() => undefined, 1_000);
    });`,
    path(),
  ]);
  endsWithTest(child);
  await new Promise<void>((resolve) => {
    conversation('current').onGone = resolve;
  });
  expect(conversation('current').inputs.length).toBeLessThan(15);
});

test('switching the socket off ends its connections', async () => {
  const { socket, paired } = await rig();
  const { program } = await paired();
  await socket.setOpen(false);
  expect(await program.receives('client_error')).toMatchObject({ code: 'closing' });
  await program.closed;
});

test('a profile folder that others may read is accepted', async () => {
  const profile = mkdtempSync(join(tmpdir(), 'steward-sock-'));
  mkdirSync(join(profile, 'sub'), { mode: 0o755 });
  chmodSync(join(profile, 'sub'), 0o755);
  const { path } = await rig({ profile: join(profile, 'sub') });
  expect(statSync(path()).mode & 0o777).toBe(0o600);
});
