import { readdirSync } from 'node:fs';

/** The names in a folder. Empty if it doesn't exist or can't be read. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
