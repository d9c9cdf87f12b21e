import { askInProcess } from './headless/ask-in-process.ts';
import { keepCertificateChecks } from './network/certificate-checks.ts';

const ignored = keepCertificateChecks(process.env);
if (ignored !== undefined) process.stderr.write(`${ignored}\n`);

process.exitCode = await askInProcess({ command: 'npm run --silent ask --', argv: process.argv.slice(2) });
// Sockets kept alive for the next request and idle workers must not hold the terminal.
process.exit();
