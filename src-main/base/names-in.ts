import { readdirSync } from 'node:fs';

/** What lies directly in a folder. One that is not there, or that we may not look into, holds nothing. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
