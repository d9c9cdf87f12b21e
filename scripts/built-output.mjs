import { createHash } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = ['src-main', 'src-preload', 'vite.config.ts', 'package-lock.json'];
const KEEP_OLD_BUILDS_MS = 24 * 60 * 60 * 1000;

/**
 * The folder with the built main process. Its name holds a fingerprint of the sources, so a build is never stale, two
 * processes may build at once, and one that runs keeps the chunks that it has yet to load.
 */
export async function builtOutput() {
  const folder = join(root, 'out', `main-${fingerprint()}`);
  if (existsSync(join(folder, 'ask.js'))) return folder;
  process.stderr.write('Building Steward (only after a change of its sources)…\n');
  const { build } = await import('vite');
  const temporary = `${folder}.${process.pid}`;
  await build({ root, configFile: join(root, 'vite.config.ts'), build: { outDir: temporary } });
  try {
    renameSync(temporary, folder);
  } catch (error) {
    // Another process finished the same build first.
    if (!existsSync(join(folder, 'ask.js'))) throw error;
    rmSync(temporary, { recursive: true, force: true });
  }
  removeOldBuilds(folder);
  return folder;
}

function fingerprint() {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap(filesOf).sort()) {
    const { mtimeMs, size } = statSync(file);
    hash.update(`${file}\0${mtimeMs}\0${size}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

function filesOf(source) {
  const path = join(root, source);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (!stat.isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.md'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

function removeOldBuilds(current) {
  const out = join(root, 'out');
  for (const name of readdirSync(out)) {
    const folder = join(out, name);
    if (!name.startsWith('main-') || folder === current) continue;
    // Another process may have removed it in this moment.
    const stat = statSync(folder, { throwIfNoEntry: false });
    if (stat !== undefined && Date.now() - stat.mtimeMs > KEEP_OLD_BUILDS_MS)
      rmSync(folder, { recursive: true, force: true });
  }
}
