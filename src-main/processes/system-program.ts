import { win32 } from 'node:path';

/** The programs of Windows itself that are used, with their paths below its folder. */
const WINDOWS_PROGRAMS = {
  chcp: 'System32\\chcp.com',
  taskkill: 'System32\\taskkill.exe',
  powershell: 'System32\\WindowsPowerShell\\v1.0\\powershell.exe',
} as const;

/**
 * The path of a Windows program. A bare name would first be looked up in the working folder
 * (https://github.com/libuv/libuv/issues/3888), which may contain anyone's programs.
 */
export function windowsProgram(
  name: keyof typeof WINDOWS_PROGRAMS,
  environment: NodeJS.ProcessEnv = process.env,
): string {
  const named = (wanted: string) => Object.entries(environment).find(([each]) => each.toUpperCase() === wanted)?.[1];
  return win32.join(named('SYSTEMROOT') ?? named('WINDIR') ?? 'C:\\Windows', WINDOWS_PROGRAMS[name]);
}

/** The arguments with which taskkill ends these processes and all descendants whose parents are alive. */
export function taskkillArguments(leaders: readonly number[]): string[] {
  return [...leaders.flatMap((leader) => ['/pid', String(leader)]), '/T', '/F'];
}

/**
 * There is one option per column: in a list, everything after the first `=` may be taken as that column's title (POSIX,
 * BSD).
 */
export function psArguments(columns: readonly string[]): string[] {
  return ['-A', '-ww', ...columns.flatMap((column) => ['-o', `${column}=`])];
}
