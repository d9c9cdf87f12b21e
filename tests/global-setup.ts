import { builtOutput } from '../scripts/built-output.mjs';
import { provideSystemForTests } from '../scripts/system-packages.mjs';

/** Before integration and security tests: what they need from Debian is there, or it has been said; `ask` is built. */
export async function setup(): Promise<void> {
  provideSystemForTests((line) => process.stderr.write(`${line}\n`));
  await builtOutput();
}
