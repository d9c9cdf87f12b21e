import { execFile } from 'node:child_process';
import { join } from 'node:path';

const TIMEOUT_MS = 15_000;

/**
 * What a program of the system prints; empty if it cannot be asked. Named by its full path: no PATH decides which one
 * runs.
 */
export function outputOf(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, [...args], { timeout: TIMEOUT_MS, windowsHide: true }, (error, stdout) =>
      resolve(error === null ? stdout : ''),
    );
  });
}

/** Windows: the objects that a fixed PowerShell pipeline gives. */
export async function powershellObjects(pipeline: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const windows = process.env.SystemRoot ?? 'C:\\Windows';
  const program = join(windows, 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe');
  // Its own code page would garble names.
  const script = `[Console]::OutputEncoding = [Text.Encoding]::UTF8; ${pipeline} | ConvertTo-Json -Compress`;
  return objectsIn(await outputOf(program, ['-NoLogo', '-NoProfile', '-NonInteractive', '-Command', script]));
}

/** One object is printed without a list around it, none as nothing. */
export function objectsIn(json: string): readonly Readonly<Record<string, unknown>>[] {
  if (json.trim() === '') return [];
  const value: unknown = JSON.parse(json);
  return (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'object' && each !== null);
}
