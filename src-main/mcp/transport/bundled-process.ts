import { fileURLToPath } from 'node:url';
import { workerUrl } from '../../base/job-threads.ts';
import type { StartUtility } from '../../processes/utility-process.ts';

/** How the bundled server is started: by the desktop app, whose executable can't run as Node; otherwise as a child of this process. */
export interface BundledProcess {
  readonly startUtility: StartUtility | undefined;
  /** See `ServicesOptions`. */
  readonly command?: CommandLine | undefined;
}

/** A program and its arguments. */
export type CommandLine = readonly [program: string, ...args: string[]];

/** Absolute. An entry of vite.config.ts. */
export function bundledServerPath(): string {
  return fileURLToPath(workerUrl('system-info', import.meta.url, '../../../resources/system-info/main.ts'));
}
