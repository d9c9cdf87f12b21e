// @ts-check
// Every check and test imports this first, on whatever Node version the machine has, so it is plain JavaScript that
// Node 20 can run.
import { fileURLToPath } from 'node:url';
import { toolchainProblem } from './toolchain.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const problem = toolchainProblem({ root, version: process.versions.node, platform: process.platform });
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
