import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * Brings tools to Steward: to the open window over its local socket (`socketTransport`), or to one run of `ask`
 * (`askTransport`). Node 20, no dependencies; copy this file into your program. Types: steward-client.d.mts. Protocol:
 * docs/CLIENT-TOOLS.md of Steward.
 */
export function withClientTools(options) {
  const { transport, onStatus = () => undefined, onEvent = () => undefined } = options;
  const tools = toolsByName(options.groups);
  /** Calls that run, by request id. */
  const running = new Map();
  const wire = transport({
    options,
    runInput: () => runInputOf(options),
    onStatus,
    onMessage: (message) => {
      if (message.type === 'client_request') void answer(message);
      else if (message.type === 'client_cancel')
        running.get(message.requestId)?.abort(new Error('Steward no longer wants the answer'));
      else onEvent(message);
    },
    onDisconnected: () => {
      for (const call of running.values()) call.abort(new Error('The connection to Steward was lost'));
    },
  });

  async function answer({ requestId, toolName, callId, conversationId, arguments: given }) {
    // Sent again after a while (RetryWithBackoff): it is being worked on.
    if (running.has(requestId)) return;
    const call = new AbortController();
    running.set(requestId, call);
    let response;
    try {
      const tool = tools.get(toolName);
      if (tool === undefined) throw new Error(`There is no tool ${toolName} here.`);
      const result = await tool.run(given, { signal: call.signal, callId, conversationId });
      response = { success: true, ...resultOf(result) };
    } catch (error) {
      response = { success: false, content: [], errorMessage: error instanceof Error ? error.message : String(error) };
    }
    running.delete(requestId);
    if (!call.signal.aborted) wire.send({ type: 'client_response', requestId, ...response });
  }

  return { ended: wire.ended, close: () => wire.close() };
}

/** A text, or anything else as JSON. */
export function content(value) {
  return typeof value === 'string' ? { type: 'text', text: value } : { type: 'json', value: value ?? null };
}

/** A file, such as a picture. */
export function binary(mimeType, bytes, filename) {
  const data = Buffer.from(bytes).toString('base64');
  return { type: 'binary', mimeType, data, ...(filename === undefined ? {} : { filename }) };
}

/** A tool's result that also changes what the model is offered: see Augmentation in docs/CLIENT-TOOLS.md. */
export function withAugmentation(result, augmentation) {
  return { [AUGMENTED]: true, result, augmentation };
}

/**
 * The open window. Connects, and again after every disconnect, with growing pauses; the first time, the user is asked
 * whether to pair this program. The token is kept in `tokenFile`: who has it, is this program.
 */
export function socketTransport({
  profile = defaultProfile(),
  tokenFile,
  firstPauseMs = 500,
  longestPauseMs = 30_000,
} = {}) {
  return ({ options, runInput, onStatus, onMessage, onDisconnected }) => {
    const { name, version = '', conversation = 'current' } = options;
    const file = tokenFile ?? join(homedir(), '.config', 'steward-clients', `${encodeURIComponent(name)}.token`);
    let socket;
    let timer;
    let attempts = 0;
    let isClosed = false;
    let end;
    const ended = new Promise((resolve) => {
      end = resolve;
    });

    const finish = (outcome) => {
      if (isClosed) return;
      isClosed = true;
      clearTimeout(timer);
      socket?.end();
      onStatus({ name: 'closed', ...outcome });
      end(outcome);
    };

    const again = (reason, afterMs) => {
      if (isClosed) return;
      const pauseMs = afterMs ?? Math.min(longestPauseMs, firstPauseMs * 2 ** attempts) * (0.75 + Math.random() / 2);
      attempts++;
      onStatus({ name: 'disconnected', reason, retryInMs: Math.round(pauseMs) });
      timer = setTimeout(() => void start(), pauseMs);
    };

    const heard = async (message, state) => {
      if (message.type === 'welcome') {
        await saveToken(file, message.token);
        write(socket, { type: 'run_input', conversation, ...runInput() });
      } else if (message.type === 'refused') {
        const { code, retryAfterSeconds } = message;
        if (code === 'busy' || code === 'paused') state.afterMs = (retryAfterSeconds ?? 5) * 1000;
        else finish({ reason: message.message, code });
      } else if (message.type === 'run_accepted') {
        attempts = 0;
        onStatus({ name: 'attached', conversationId: message.conversationId, groups: message.groups });
      } else if (message.type === 'current_conversation') {
        onStatus({ name: 'current', conversationId: message.conversationId });
      } else if (message.type === 'client_error') {
        onStatus({ name: 'error', code: message.code, reason: message.message });
        if (message.code === 'revoked') finish({ reason: message.message, code: 'revoked' });
      } else onMessage(message);
    };

    const start = async () => {
      onStatus({ name: 'connecting' });
      const [path, token] = await Promise.all([socketPath(profile), readToken(file)]);
      if (isClosed) return;
      const state = { reason: 'Steward closed the connection', afterMs: undefined };
      socket = connect(path);
      socket.on('error', (error) => {
        state.reason = error.message;
      });
      socket.on('connect', () =>
        write(socket, { type: 'hello', name, version, ...(token === undefined ? {} : { token }) }),
      );
      // One after the other: the token is saved before anything else happens.
      let hearing = Promise.resolve();
      readLines(socket, (message) => {
        hearing = hearing.then(() => heard(message, state));
      });
      socket.on('close', () => {
        onDisconnected();
        void hearing.then(() => again(state.reason, state.afterMs));
      });
    };

    void start();
    return {
      ended,
      send: (message) => write(socket, message),
      close: () => finish({ reason: 'closed by this program' }),
    };
  };
}

/**
 * One run of `ask`. `command`: how it is started, such as `['npm', 'run', '--silent', 'ask', '--']` in Steward's
 * folder. `args`: further options, such as `['--approve', 'reads']`. Every event of `ask --json` goes to `onEvent`.
 */
export function askTransport({ command, args = [], prompt, cwd, env = process.env, stderr = 'inherit' }) {
  return ({ runInput, onStatus, onMessage, onDisconnected }) => {
    const stop = new AbortController();
    let child;
    const run = async () => {
      const folder = await mkdtemp(join(tmpdir(), 'steward-client-'));
      try {
        const file = join(folder, 'run-input.json');
        await writeFile(file, JSON.stringify(runInput()), { mode: 0o600 });
        const [program, ...first] = command;
        const all = [...first, ...args, '--json', '--client', '--run-input', file, '--', prompt];
        child = spawn(program, all, { cwd, env, stdio: ['pipe', 'pipe', stderr] });
        child.stdin.on('error', () => undefined);
        readLines(child.stdout, (message) => {
          if (message.type === 'run_accepted')
            onStatus({ name: 'attached', conversationId: message.conversationId, groups: message.groups });
          onMessage(message);
        });
        stop.signal.addEventListener('abort', () => child.kill());
        return await new Promise((resolve, reject) => {
          child.once('error', reject).once('close', (code) => resolve({ code }));
        });
      } finally {
        onDisconnected();
        await rm(folder, { recursive: true, force: true });
      }
    };
    const ended = run().then((outcome) => {
      onStatus({ name: 'closed', ...outcome });
      return outcome;
    });
    return { ended, send: (message) => write(child?.stdin, message), close: () => stop.abort() };
  };
}

const AUGMENTED = Symbol('augmented');

function toolsByName(groups) {
  const tools = new Map();
  for (const group of groups) for (const tool of group.tools) tools.set(tool.name, tool);
  return tools;
}

/** As Steward takes it: without the functions. */
function runInputOf({ groups, expandedContainers, hiddenTools, context, state, resetClientState }) {
  const clientToolGroups = groups.map(({ tools, ...group }) => ({
    ...group,
    tools: tools.map(({ run: _, ...tool }) => tool),
  }));
  return { clientToolGroups, expandedContainers, hiddenTools, context, state, resetClientState };
}

function resultOf(returned) {
  if (returned?.[AUGMENTED]) return { content: itemsOf(returned.result), augmentation: returned.augmentation };
  return { content: itemsOf(returned) };
}

function itemsOf(result) {
  if (result === undefined || result === null) return [];
  const isItem = (value) => ['text', 'json', 'binary'].includes(value?.type);
  if (Array.isArray(result) && result.length > 0 && result.every(isItem)) return result;
  return [isItem(result) ? result : content(result)];
}

function write(stream, message) {
  if (stream?.writable) stream.write(`${JSON.stringify(message)}\n`);
}

function readLines(stream, onMessage) {
  let pending = '';
  stream.setEncoding('utf8');
  stream.on('data', (text) => {
    const lines = (pending + text).split('\n');
    pending = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') onMessage(JSON.parse(line));
  });
}

/** Steward tells in client.json where it listens; it is there while the socket is switched on. */
async function socketPath(profile) {
  try {
    return JSON.parse(await readFile(join(profile, 'client.json'), 'utf8')).socket;
  } catch {
    return join(profile, 'client.sock');
  }
}

async function readToken(file) {
  const token = await readFile(file, 'utf8').catch(() => '');
  return token.trim() === '' ? undefined : token.trim();
}

async function saveToken(file, token) {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, token, { mode: 0o600 });
}

function defaultProfile() {
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Steward');
  if (process.platform === 'win32')
    return join(process.env.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'Steward');
  return join(process.env.XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'Steward');
}
