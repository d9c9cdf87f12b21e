import { win32 } from 'node:path';

/** Windows's own programs, below its folder. */
const WINDOWS_PROGRAMS = {
  taskkill: 'System32\\taskkill.exe',
  powershell: 'System32\\WindowsPowerShell\\v1.0\\powershell.exe',
} as const;

/**
 * Where a program of Windows lies. A bare name would be looked for in the folder it is started in first
 * (https://github.com/libuv/libuv/issues/3888), and that may hold anybody's programs.
 */
export function windowsProgram(
  name: keyof typeof WINDOWS_PROGRAMS,
  environment: NodeJS.ProcessEnv = process.env,
): string {
  return win32.join(environment.SystemRoot ?? environment.windir ?? 'C:\\Windows', WINDOWS_PROGRAMS[name]);
}

/** Ends these processes with all that descends from them by parents that live. */
export function taskkillArguments(leaders: readonly number[]): string[] {
  return [...leaders.flatMap((leader) => ['/pid', String(leader)]), '/T', '/F'];
}

/** One option per column: in a list, all behind the first `=` may count as that column's title (POSIX, BSD). */
export function psArguments(columns: readonly string[]): string[] {
  return ['-A', '-ww', ...columns.flatMap((column) => ['-o', `${column}=`])];
}
