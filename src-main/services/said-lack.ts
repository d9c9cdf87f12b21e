import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRemediable, type SandboxLack, sandboxLackText } from '../../src-preload/contract/sandbox-lack.ts';
import type { Notice } from '../assistant/turn.ts';

/**
 * Says why commands can't be held, if the user can change that: once in each profile, and not at every start. A file
 * remembers it. Where there can't be one, only Settings says it.
 */
export function sayLackOnce(
  lack: SandboxLack,
  { profileDirectory, notify }: { readonly profileDirectory: string; readonly notify: (notice: Notice) => void },
): void {
  if (isRemediable(lack) && isFirst(join(profileDirectory, 'cache'), `said-${lack.code}`))
    notify({ code: 'sandbox', message: sandboxLackText(lack) });
}

function isFirst(cache: string, name: string): boolean {
  try {
    if (!existsSync(cache)) mkdirSync(cache, { mode: 0o700 });
    writeFileSync(join(cache, name), '', { flag: 'wx', mode: 0o600 });
    return true;
  } catch {
    // It is there already, or the folder can't be written.
    return false;
  }
}
