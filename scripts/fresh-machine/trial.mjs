// Runs inside the fresh machine: `npm ci`, then the command, or `npm start` until its window has drawn something.
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

const OPENS_WITHIN_MS = 600_000;
const ENDS_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 500;
/** The least number of values in the pixels of a screen on which something is drawn. An empty screen has one. */
const DRAWN_VALUES = 16;

const [user, home, ...command] = process.argv.slice(2);
const asUser = user === 'root' ? [] : ['setpriv', '--reuid', user, '--regid', user, '--init-groups'];
const passed = Object.entries(process.env).filter(
  ([name]) => name.startsWith('npm_config_') || /proxy|CERTS/i.test(name),
);
const environment = { ...Object.fromEntries(passed), HOME: home, PATH: process.env.PATH, LANG: 'C.UTF-8' };

if ((await run(['npm', 'ci'])).code !== 0) fail('npm ci failed');
if (command.length > 0) process.exitCode = (await run(command)).code;
else await tryStart();

async function tryStart() {
  let said = await startUntilDrawn();
  if (said.install !== undefined) {
    // A normal user can't install anything, and gets one line for it.
    process.stdout.write(`As root: ${said.install}\n`);
    const { status } = spawnSync('sh', ['-c', said.install], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...environment, DEBIAN_FRONTEND: 'noninteractive' },
    });
    if (status !== 0) fail(`The line that it printed ended with exit code ${status}`);
    said = await startUntilDrawn();
  }
  if (said.display === undefined) fail('npm start did not say where its window is');
}

async function startUntilDrawn() {
  const npm = start(['npm', 'start']);
  let output = '';
  for (const stream of [npm.child.stdout, npm.child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
      process.stdout.write(text);
    });
  const startedAt = performance.now();
  let isDrawn = false;
  let hasEnded = false;
  void npm.ended.then(() => {
    hasEnded = true;
  });
  while (!isDrawn && !hasEnded) {
    if (performance.now() - startedAt > OPENS_WITHIN_MS) fail('npm start opened no window in time');
    await wait(LOOK_EVERY_MS);
    isDrawn = hasDrawn(output);
  }
  if (hasEnded) {
    const install = /: (apt-get update && apt-get install .*)$/m.exec(output)?.[1];
    if (install === undefined) fail('npm start ended before its window was drawn');
    return { install };
  }
  process.stdout.write(`The window is drawn after ${Math.round((performance.now() - startedAt) / 1000)} s\n`);
  const chatter = output.split('\n').filter((line) => /^\[\d+:\d{4}\/|\*\*: /.test(line));
  if (chatter.length > 0) fail(`Chatter reached the terminal:\n${chatter.join('\n')}`);
  // Only npm is ended, as `timeout npm start` does where it has no process group of its own.
  npm.child.kill('SIGTERM');
  const endedAt = performance.now();
  while (leftBehind().length > 0) {
    if (performance.now() - endedAt > ENDS_WITHIN_MS)
      fail(`npm has ended and these have not: ${leftBehind().join(', ')}`);
    await wait(LOOK_EVERY_MS);
  }
  process.stdout.write(`Everything has ended after ${Math.round((performance.now() - endedAt) / 1000)} s\n`);
  return { display: /DISPLAY=:\d+ XAUTHORITY=\S+/.exec(output)?.[0] };
}

/** Whether what `npm start` said about its screen is true, and something is on it. */
function hasDrawn(output) {
  const authority = /XAUTHORITY=(\S+)/.exec(output)?.[1];
  if (authority === undefined) return false;
  const folder = authority.replace(/\/[^/]+$/, '');
  const screen = readdirSync(folder).find((name) => name.startsWith('Xvfb_screen'));
  if (screen === undefined) return false;
  const bytes = readFileSync(`${folder}/${screen}`);
  const values = new Set();
  for (let at = Math.floor(bytes.length / 4); at < bytes.length; at += 257) values.add(bytes[at]);
  return values.size >= DRAWN_VALUES;
}

/** Returns the programs that run, other than this one and what it was started with. */
function leftBehind() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid && name !== '1')
    .flatMap((name) => {
      try {
        return [`${readlinkSync(`/proc/${name}/exe`)} (${name})`];
      } catch {
        // It has ended, or is a zombie.
        return [];
      }
    });
}

function start(args) {
  const [program, ...rest] = [...asUser, ...args];
  const child = spawn(program, rest, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  return { child, ended: new Promise((resolve) => child.once('close', (code) => resolve({ code: code ?? 1 }))) };
}

function run(args) {
  process.stdout.write(`$ ${args.join(' ')}\n`);
  const { child, ended } = start(args);
  child.stdout.pipe(process.stdout, { end: false });
  child.stderr.pipe(process.stdout, { end: false });
  return ended;
}

function fail(reason) {
  process.stdout.write(`${reason}\n`);
  process.exit(1);
}
