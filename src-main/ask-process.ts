import { SOURCES_COMMAND } from './headless/arguments.ts';
import { askInProcess } from './headless/ask-in-process.ts';
import { keepCertificateChecks } from './network/certificate-checks.ts';

const ignored = keepCertificateChecks(process.env);
if (ignored !== undefined) process.stderr.write(`${ignored}\n`);

// Sockets kept alive for the next request and idle workers must not hold the terminal. Not awaited here, because this
// is built as CommonJS.
void askInProcess({ command: SOURCES_COMMAND, argv: process.argv.slice(2) }).then(process.exit);
