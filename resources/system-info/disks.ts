import { readdir, readFile, readlink, realpath, stat, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type objectsIn, outputOf, powershellObjects } from './system-command.ts';

/** A fixed drive that is ready. */
export interface Disk {
  /** `C:` or where it is mounted. */
  readonly name: string;
  /** Empty: it has none. */
  readonly label: string;
  /** `ext4`, `apfs`, `NTFS`. */
  readonly format: string;
  readonly totalBytes: number;
  /** For who asks, without what is held back for root. */
  readonly freeBytes: number;
}

export interface Mount {
  readonly device: string;
  readonly path: string;
  readonly format: string;
}

/** Images and discs: they look like drives and are not. */
const NOT_DRIVES = ['squashfs', 'erofs', 'iso9660', 'udf'];
/** DriveType 3 is a fixed drive. Source: https://learn.microsoft.com/windows/win32/cimwin32prov/win32-logicaldisk. */
const WINDOWS_DRIVES =
  "Get-CimInstance Win32_LogicalDisk -Filter 'DriveType=3' | Select-Object DeviceID,VolumeName,FileSystem,Size,FreeSpace";

export async function readDisks(): Promise<readonly Disk[]> {
  if (process.platform === 'win32') return windowsDisks(await powershellObjects(WINDOWS_DRIVES));
  const isMac = process.platform === 'darwin';
  const mounts = isMac ? macMounts(await outputOf('/sbin/mount', [])) : await fixedMounts(await linuxMounts());
  const labels = isMac ? await macLabels() : await linuxLabels();
  const disks = await Promise.all(mounts.map((mount) => diskAt(mount, labels)));
  return disks.filter((disk) => disk !== undefined);
}

/** Of /proc/mounts: one for each device, where it is mounted highest up. Containers mount single files of one, too. */
export function drivesIn(procMounts: string): readonly Mount[] {
  const byDevice = new Map<string, Mount>();
  for (const line of procMounts.split('\n')) {
    const [device = '', path = '', format = ''] = line.split(' ').map(unescaped);
    const isBlockDevice = device.startsWith('/dev/') && !device.startsWith('/dev/loop');
    if ((!isBlockDevice && path !== '/') || NOT_DRIVES.includes(format)) continue;
    const before = byDevice.get(device);
    if (before === undefined || path.length < before.path.length) byDevice.set(device, { device, path, format });
  }
  return [...byDevice.values()];
}

/**
 * Of what `mount` prints: `/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)`. System volumes are
 * `nobrowse`.
 */
export function macMounts(output: string): readonly Mount[] {
  return output.split('\n').flatMap((line): Mount[] => {
    const [, device, path, options] = /^(\/dev\/\S+) on (.+) \(([^()]*)\)$/.exec(line) ?? [];
    if (device === undefined || path === undefined || options === undefined) return [];
    const [format = '', ...flags] = options.split(', ');
    return flags.includes('local') && !flags.includes('nobrowse') ? [{ device, path, format }] : [];
  });
}

export function windowsDisks(drives: ReturnType<typeof objectsIn>): readonly Disk[] {
  return drives.flatMap(({ DeviceID, VolumeName, FileSystem, Size, FreeSpace }): Disk[] => {
    // A drive that is locked or not formatted has no size.
    if (typeof DeviceID !== 'string' || typeof Size !== 'number' || typeof FreeSpace !== 'number') return [];
    const text = (value: unknown) => (typeof value === 'string' ? value : '');
    return [
      {
        name: DeviceID,
        label: text(VolumeName),
        format: text(FileSystem) || 'unknown',
        totalBytes: Size,
        freeBytes: FreeSpace,
      },
    ];
  });
}

async function linuxMounts(): Promise<readonly Mount[]> {
  const mounts = drivesIn(await readFile('/proc/mounts', 'utf8').catch(() => ''));
  const isFolder = await Promise.all(mounts.map(({ path }) => stat(path).then((entry) => entry.isDirectory(), isGone)));
  return mounts.filter((_, index) => isFolder[index]);
}

async function fixedMounts(mounts: readonly Mount[]): Promise<readonly Mount[]> {
  const removable = await Promise.all(mounts.map(({ device }) => isRemovable(device)));
  return mounts.filter((_, index) => !removable[index]);
}

/**
 * A partition's folder lies in the one of its disk. Source:
 * https://www.kernel.org/doc/Documentation/ABI/stable/sysfs-block.
 */
async function isRemovable(device: string): Promise<boolean> {
  try {
    const folder = await realpath(join('/sys/class/block', basename(await realpath(device))));
    const flags = await Promise.allSettled([folder, dirname(folder)].map((each) => readFile(join(each, 'removable'))));
    return flags.some((flag) => flag.status === 'fulfilled' && flag.value.toString().trim() === '1');
  } catch {
    return false;
  }
}

/** `undefined`: it has gone, or may not be looked at. */
async function diskAt({ device, path, format }: Mount, labels: ReadonlyMap<string, string>): Promise<Disk | undefined> {
  try {
    const { bsize, blocks, bavail } = await statfs(path);
    const label = labels.get(path) ?? labels.get(await realpath(device).catch(() => device)) ?? '';
    return { name: path, label, format, totalBytes: bsize * blocks, freeBytes: bsize * bavail };
  } catch {
    return undefined;
  }
}

/** By device; names are written with `\x20` for a blank. */
async function linuxLabels(): Promise<ReadonlyMap<string, string>> {
  const folder = '/dev/disk/by-label';
  const names = await readdir(folder).catch(() => []);
  const labelled = names.map(async (name) => {
    const label = name.replace(/\\x([\da-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
    return [await realpath(join(folder, name)).catch(() => ''), label] as const;
  });
  return new Map(await Promise.all(labelled));
}

/** By mount point: volumes lie in /Volumes under their names, the one of the system as a link to the root. */
async function macLabels(): Promise<ReadonlyMap<string, string>> {
  const names = await readdir('/Volumes').catch(() => []);
  const labelled = names.map(async (name) => {
    const path = join('/Volumes', name);
    return [await readlink(path).catch(() => path), name] as const;
  });
  return new Map(await Promise.all(labelled));
}

/** Blanks, tabs, line breaks and backslashes are written in octal. Source: fstab(5). */
function unescaped(field: string): string {
  return field.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
}

function isGone(): boolean {
  return false;
}
