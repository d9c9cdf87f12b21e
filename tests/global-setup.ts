import { builtOutput } from '../scripts/built-output.mjs';
import { provideSystemPackages } from '../scripts/system-packages.mjs';

/** Before integration and security tests: what they need from Debian is there, or it has been said; `ask` is built. */
export async function setup(): Promise<void> {
  const missing = provideSystemPackages((line) => process.stderr.write(`${line}\n`));
  if (missing.length > 0 && process.env.CI) {
    throw new Error(`With CI set nothing is skipped, and these Debian packages are missing: ${missing.join(', ')}`);
  }
  await builtOutput();
}
