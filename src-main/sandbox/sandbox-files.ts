import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, open, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seccompFilter } from './seccomp-filter.ts';

/** The files that bubblewrap is given, which only this user can read. */
export interface SandboxFiles {
  /** The filter of system calls. */
  readonly filter: string;
  /** It covers what is hidden, and nobody may open it. */
  readonly hiding: string;
}

let made: Promise<SandboxFiles> | undefined;

/** Makes them once, and again if the system has tidied them away. Their folder goes when this process ends. */
export async function sandboxFiles(): Promise<SandboxFiles> {
  const files = await made?.catch(() => undefined);
  if (files !== undefined && existsSync(files.filter) && existsSync(files.hiding)) return files;
  made = makeSandboxFiles(seccompFilter(process.arch));
  return made;
}

async function makeSandboxFiles(filter: Uint8Array): Promise<SandboxFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'steward-sandbox-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const files = { filter: join(folder, 'filter'), hiding: join(folder, 'hidden') };
  await writeFile(files.filter, filter, { mode: 0o400 });
  await (await open(files.hiding, 'wx', 0o000)).close();
  return files;
}
