// @ts-check
// node proxy.mjs LOG COMMAND ARGS…: starts a server and passes its bytes on unchanged, while every line is also
// appended to LOG as {"to":"server"|"client","line":"…"}. So what two clients say to a server can be compared as it was
// sent.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';

const [log = '', command = '', ...args] = process.argv.slice(2);
const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });

/** @param {'server' | 'client'} to */
function recorder(to) {
  let rest = '';
  const decoder = new TextDecoder();
  return (/** @type {Uint8Array} */ chunk) => {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') appendFileSync(log, `${JSON.stringify({ to, line })}\n`);
  };
}

const [asked, answered] = [recorder('server'), recorder('client')];
process.stdin.on('data', asked).pipe(server.stdin);
server.stdout.on('data', answered).pipe(process.stdout);
server.stdin.on('error', () => undefined);
server.on('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
server.on('close', (code) => process.exit(code ?? 1));
for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT']))
  process.on(signal, () => {
    server.kill(signal);
    // Before the client kills this process, which would leave the server behind.
    setTimeout(() => server.kill('SIGKILL'), 1_000);
  });
