// @ts-check
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const NEEDED_MAJOR = 24;

/**
 * Checks and tests need the Node of the devDependency `node`. Source: docs/decisions/005-node-as-a-dependency.md.
 * @param {{ root: string, version: string, platform: string }} machine repository root, `process.versions.node`,
 * `process.platform`
 * @returns {string | undefined} one line: what is wrong and what to do
 */
export function toolchainProblem({ root, version, platform }) {
  const installed = join(root, 'node_modules', 'node');
  if (!existsSync(join(installed, 'package.json'))) return 'The dependencies are not installed. Run: npm ci';
  if (!existsSync(join(installed, 'bin', platform === 'win32' ? 'node.exe' : 'node'))) {
    return 'node_modules/node has no binary: it was installed with --ignore-scripts. Run: npm rebuild node --ignore-scripts=false';
  }
  if (Number(version.split('.')[0]) < NEEDED_MAJOR) {
    return `This is Node ${version}; checks and tests need Node ${NEEDED_MAJOR}, which is in node_modules. Start them through npm: npm test, npm run check`;
  }
  return undefined;
}
