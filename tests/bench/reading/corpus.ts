import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PublicPackage } from './packages.ts';

const execute = promisify(execFile);
const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'steward', 'reading');

export interface CorpusFile {
  readonly package: string;
  readonly path: string;
  readonly bytes: Buffer;
}

/** A package as it was found: `version` may be newer than the one asked for, which registries stop offering. */
export interface UnpackedPackage {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
}

export interface Unpacked {
  readonly packages: readonly UnpackedPackage[];
  /** Why others are not among them. */
  readonly missing: readonly string[];
}

/** Downloads each package once, with the registry's own client. Nothing in it is run or installed. */
export async function unpacked(wanted: readonly PublicPackage[]): Promise<Unpacked> {
  const packages: UnpackedPackage[] = [];
  const missing: string[] = [];
  for (const each of wanted) {
    try {
      packages.push(each.registry === 'npm' ? await fromNpm(each) : await fromDebian(each));
    } catch (error) {
      missing.push(`${each.name} ${each.version}: ${firstLine(error)}`);
    }
  }
  return { packages, missing };
}

/**
 * At most `most` of each package, spread evenly over those whose names match, so that no package outweighs the others.
 */
export async function filesOf(
  { name, folder }: UnpackedPackage,
  isWanted: (path: string) => boolean,
  most: number,
): Promise<readonly CorpusFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(isWanted)
    .sort();
  const chosen = paths.filter(
    (_, index) => Math.floor((index * most) / paths.length) !== Math.floor(((index - 1) * most) / paths.length),
  );
  const files: CorpusFile[] = [];
  for (const path of paths.length <= most ? paths : chosen)
    if ((await stat(path)).size > 0)
      files.push({ package: name, path: path.slice(folder.length + 1), bytes: await readFile(path) });
  return files;
}

async function fromDebian({ name, version }: PublicPackage): Promise<UnpackedPackage> {
  const exact = folderOf('debian', name, version);
  if (existsSync(exact)) return { name, version, folder: exact };
  const available = await candidateOf(name);
  const found = available.includes(version) ? version : available[0];
  if (found === undefined) throw new Error('apt does not know it');
  const folder = folderOf('debian', name, found);
  if (!existsSync(folder))
    await unpackInto(folder, async (download) => {
      await execute('apt-get', ['download', '-q', `${name}=${found}`], { cwd: download });
      await execute('dpkg-deb', ['-x', await onlyFileIn(download), join(download, 'files')]);
    });
  return { name, version: found, folder };
}

async function candidateOf(name: string): Promise<readonly string[]> {
  const { stdout } = await execute('apt-cache', ['madison', name]);
  return stdout.split('\n').flatMap((line) => line.split('|')[1]?.trim() ?? []);
}

async function fromNpm({ name, version }: PublicPackage): Promise<UnpackedPackage> {
  const folder = folderOf('npm', name, version);
  if (!existsSync(folder))
    await unpackInto(folder, async (download) => {
      await execute('npm', ['pack', '--silent', '--ignore-scripts', `${name}@${version}`], { cwd: download });
      const archive = await onlyFileIn(download);
      await mkdir(join(download, 'files'));
      await execute('tar', ['-xzf', archive, '-C', join(download, 'files')]);
    });
  return { name, version, folder };
}

/** Whole or not at all: a download that is cut off must not pass for a package. */
async function unpackInto(folder: string, download: (into: string) => Promise<void>): Promise<void> {
  const partial = `${folder}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  await download(partial);
  await rename(join(partial, 'files'), folder);
  await rm(partial, { recursive: true, force: true });
}

function folderOf(registry: string, name: string, version: string): string {
  return join(CACHE, `${registry}-${name.replace(/[^\w.+-]/g, '_')}-${version.replace(/[^\w.+~-]/g, '_')}`);
}

async function onlyFileIn(folder: string): Promise<string> {
  const [name] = (await readdir(folder)).filter((each) => /\.(?:deb|tgz)$/.test(each));
  if (name === undefined) throw new Error('nothing was downloaded');
  return join(folder, name);
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message.split('\n').find((line) => /^E:|npm error/.test(line)) ?? message.split('\n')[0] ?? '').slice(0, 200);
}
