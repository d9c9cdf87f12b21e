import { accessSync, constants } from 'node:fs';
import type { SandboxLack } from '../../src-preload/contract/sandbox-lack.ts';

/** Steward may have been started with open descriptors, and only bash can close all of them. */
export const BASH = '/bin/bash';
/** Where packages of Linux systems put bubblewrap. PATH is not searched: any folder in it could bring another. */
const BUBBLEWRAP = ['/usr/bin/bwrap', '/usr/local/bin/bwrap'];
/** Those whose system calls are known here. */
const ARCHITECTURES: readonly NodeJS.Architecture[] = ['x64', 'arm64'];

/** What makes networks for commands, with the places where packages of Linux systems put it. */
const GATE_PROGRAMS = {
  ip: ['/usr/sbin/ip', '/sbin/ip', '/usr/bin/ip', '/bin/ip'],
  socat: ['/usr/bin/socat', '/usr/local/bin/socat'],
  nsenter: ['/usr/bin/nsenter'],
  unshare: ['/usr/bin/unshare'],
} as const;
export type GatePrograms = Readonly<Record<keyof typeof GATE_PROGRAMS, string>>;

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

/** The paths of what makes networks for commands, or undefined if one is missing. */
export function gateProgramsHere(): GatePrograms | undefined {
  const { ip, socat, nsenter, unshare } = foundForGate();
  if (!isPossible() || !ip || !socat || !nsenter || !unshare) return undefined;
  return { ip, socat, nsenter, unshare };
}

/** The program without which commands have no network, or undefined if all are there. */
export function gateLack(): string | undefined {
  const found = foundForGate();
  if (!isPossible()) return 'Linux';
  return Object.entries(found).find(([, path]) => path === undefined)?.[0];
}

function foundForGate(): Readonly<Record<keyof typeof GATE_PROGRAMS, string | undefined>> {
  const { ip, socat, nsenter, unshare } = GATE_PROGRAMS;
  return {
    ip: ip.find(isProgram),
    socat: socat.find(isProgram),
    nsenter: nsenter.find(isProgram),
    unshare: unshare.find(isProgram),
  };
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
