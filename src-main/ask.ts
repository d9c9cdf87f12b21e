import { ask } from './headless/ask.ts';
import { keepCertificateChecks } from './network/certificate-checks.ts';

const ignored = keepCertificateChecks(process.env);
if (ignored !== undefined) process.stderr.write(`${ignored}\n`);

process.exitCode = await ask({
  argv: process.argv.slice(2),
  env: process.env,
  directory: currentDirectory(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
});
// Sockets kept alive for the next request and idle workers must not hold the terminal.
process.exit();

function currentDirectory(): string | undefined {
  try {
    return process.cwd();
  } catch {
    // ENOENT: the reason is said where the arguments are read, in the form that was asked for.
    return undefined;
  }
}
