import { ask } from './headless/ask.ts';

process.exitCode = await ask({
  argv: process.argv.slice(2),
  env: process.env,
  directory: process.cwd(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
});
// Sockets kept alive for the next request and idle workers must not hold the terminal.
process.exit();
