import { fileURLToPath } from 'node:url';
import { workerUrl } from '../../base/job-threads.ts';
import type { StartUtility } from '../../processes/utility-process.ts';

/**
 * How the bundled server is started where this process can't run it as Node: by the desktop app, or by a command line.
 */
export interface BundledProcess {
  readonly startUtility?: StartUtility | undefined;
  readonly command?: CommandLine | undefined;
}

/** A program and its arguments. */
export type CommandLine = readonly [program: string, ...args: string[]];

/** The absolute path. The server is an entry of vite.config.ts. */
export function bundledServerPath(): string {
  return fileURLToPath(workerUrl('system-info', import.meta.url, '../../../resources/system-info/main.ts'));
}
