import { isAbsolute } from 'node:path';
import type { ExecuteAccess } from '../access.ts';

/** Programs that open something with whatever the system uses for it. */
export const OPENERS: readonly string[] = ['xdg-open', 'open', 'explorer'];

/** The path that a command opens if that is all it does, as `open_path` does it. `undefined`: it does something else. */
export function openedPath(command: ExecuteAccess['command']): string | undefined {
  if (command.kind !== 'argv') return undefined;
  const [program = '', path = '', ...rest] = command.argv;
  return OPENERS.includes(program) && isAbsolute(path) && rest.length === 0 ? path : undefined;
}
