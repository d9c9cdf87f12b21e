import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Everything in a folder but one of its folders, byte for byte, as one value: names, modes, links, contents. */
export function everythingBut(folder: string, excepted: string): string {
  const hash = createHash('sha256');
  const visit = (path: string) => {
    const stats = lstatSync(path);
    hash.update(`${path} ${stats.mode}`);
    if (stats.isDirectory()) for (const name of readdirSync(path).sort()) visit(join(path, name));
    else if (stats.isSymbolicLink()) hash.update(readlinkSync(path));
    else if (stats.isFile()) hash.update(readFileSync(path));
  };
  for (const name of readdirSync(folder).sort()) if (name !== excepted) visit(join(folder, name));
  return hash.digest('hex');
}
