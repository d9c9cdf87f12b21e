// @ts-check
// Extracts selected files from a zip archive, because unpacking all of it would take minutes: the evaluation runtime is
// 70 files of 25,000. It is for archives with a verified checksum: entries must be plain, stored or deflated, and below
// 4 GiB; anything else is rejected.
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw } from 'node:zlib';

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_ENTRY = 0x04034b50;
const END_MAX_BYTES = 22 + 0xffff;
const STORED = 0;
const DEFLATED = 8;

/**
 * @typedef {{ name: string, method: number, crc: number, compressedBytes: number, bytes: number, isExecutable: boolean,
 * offset: number }} ZipEntry
 */

/**
 * @param {string} archive
 * @param {string} folder the folder that the files go to
 * @param {(name: string) => string | undefined} place returns the path in `folder` for a file's name in the archive, or
 * undefined to leave it out
 */
export async function unpackZip(archive, folder, place) {
  const file = await open(archive);
  try {
    for (const entry of await readDirectory(file)) {
      const path = entry.name.endsWith('/') ? undefined : place(entry.name);
      if (path !== undefined) await unpackEntry(archive, file, entry, join(folder, path));
    }
  } finally {
    await file.close();
  }
}

/**
 * @param {import('node:fs/promises').FileHandle} file
 * @returns {Promise<ZipEntry[]>}
 */
async function readDirectory(file) {
  const { size } = await file.stat();
  const tailBytes = Math.min(size, END_MAX_BYTES);
  const tail = await readAt(file, size - tailBytes, tailBytes);
  let end = tail.length - 22;
  while (end >= 0 && tail.readUInt32LE(end) !== END_OF_DIRECTORY) end--;
  if (end < 0) throw new Error('not a zip archive: it has no directory');
  const directory = await readAt(file, tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12));

  /** @type {ZipEntry[]} */
  const entries = [];
  let at = 0;
  for (let remaining = tail.readUInt16LE(end + 10); remaining > 0; remaining--) {
    if (directory.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new Error(`damaged zip directory at byte ${at}`);
    const nameBytes = directory.readUInt16LE(at + 28);
    entries.push({
      name: directory.toString('utf8', at + 46, at + 46 + nameBytes),
      method: directory.readUInt16LE(at + 10),
      crc: directory.readUInt32LE(at + 16),
      compressedBytes: directory.readUInt32LE(at + 20),
      bytes: directory.readUInt32LE(at + 24),
      isExecutable: ((directory.readUInt32LE(at + 38) >>> 16) & 0o111) !== 0,
      offset: directory.readUInt32LE(at + 42),
    });
    at += 46 + nameBytes + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return entries;
}

/**
 * @param {string} archive
 * @param {import('node:fs/promises').FileHandle} file the same, open
 * @param {ZipEntry} entry
 * @param {string} path
 */
async function unpackEntry(archive, file, entry, path) {
  if (entry.method !== STORED && entry.method !== DEFLATED) {
    throw new Error(`${entry.name} is packed with method ${entry.method}, which is not read here`);
  }
  const header = await readAt(file, entry.offset, 30);
  if (header.readUInt32LE(0) !== LOCAL_ENTRY) throw new Error(`${entry.name} is not where the zip directory says`);
  const start = entry.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);

  await mkdir(dirname(path), { recursive: true });
  const output = createWriteStream(path, { flags: 'wx' });
  let crc = 0;
  let bytes = 0;
  const check = new Transform({
    transform(chunk, _encoding, done) {
      crc = crc32(chunk, crc);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  const packed =
    entry.compressedBytes === 0 ? [] : createReadStream(archive, { start, end: start + entry.compressedBytes - 1 });
  await (entry.method === DEFLATED
    ? pipeline(packed, createInflateRaw(), check, output)
    : pipeline(packed, check, output));
  if (crc !== entry.crc || bytes !== entry.bytes) throw new Error(`${entry.name} is damaged in the archive`);
  // The mode is not set with the stream, because the umask would narrow it.
  await chmod(path, entry.isExecutable ? 0o755 : 0o644);
}

/**
 * @param {import('node:fs/promises').FileHandle} file
 * @param {number} position
 * @param {number} length
 */
async function readAt(file, position, length) {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  if (bytesRead !== length) throw new Error(`the zip archive ends early, at byte ${position + bytesRead}`);
  return buffer;
}
