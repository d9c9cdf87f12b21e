import { accessSync, constants } from 'node:fs';

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
  const isPossible = process.platform === 'linux' && ARCHITECTURES.includes(process.arch) && isProgram(BASH);
  program = isPossible ? BUBBLEWRAP.find(isProgram) : undefined;
  return program;
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
