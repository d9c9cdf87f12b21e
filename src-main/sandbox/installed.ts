import { accessSync, constants } from 'node:fs';
import type { SandboxLack } from '../../src-preload/contract/sandbox-lack.ts';

/** Steward may have been started with open descriptors, and only bash can close all of them. */
export const BASH = '/bin/bash';
/** Where packages of Linux systems put bubblewrap. PATH is not searched: any folder in it could bring another. */
const BUBBLEWRAP = ['/usr/bin/bwrap', '/usr/local/bin/bwrap'];
/** Those whose system calls are known here. */
const ARCHITECTURES: readonly NodeJS.Architecture[] = ['x64', 'arm64'];

let program: string | undefined;
let hasLooked = false;

/** The path of bubblewrap, or undefined if this system has no sandbox. Looked for once. */
export function bubblewrapHere(): string | undefined {
  if (hasLooked) return program;
  hasLooked = true;
  program = isPossible() ? BUBBLEWRAP.find(isProgram) : undefined;
  return program;
}

/** Why there is no bubblewrap to start, or undefined if there is. */
export function lackHere(): SandboxLack | undefined {
  if (bubblewrapHere() !== undefined) return undefined;
  return { code: isPossible() ? 'no_bubblewrap' : 'system' };
}

function isPossible(): boolean {
  return process.platform === 'linux' && ARCHITECTURES.includes(process.arch) && isProgram(BASH);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // It isn't installed there.
    return false;
  }
}
