import { z } from 'zod';

export interface ListedProcess {
  readonly user: string;
  readonly pid: number;
  /** The processor time in per cent of one processor, averaged over the life of the process. */
  readonly cpuPercent: number;
  /** The resident memory, in per cent of the machine's. */
  readonly memoryPercent: number;
  /** The whole command line; if there is none, the name in brackets, as in ps. */
  readonly command: string;
}

/** Parses lines of `ps` with user, pid, pcpu, pmem and args. Some countries write `0,5`. */
export function parsePs(output: string): readonly ListedProcess[] {
  return output.split('\n').flatMap((line) => {
    const [, user = '', pid, cpu = '', memory = '', command = ''] =
      /^\s*(\S+)\s+(\d+)\s+([\d.,]+)\s+([\d.,]+)\s+(\S.*)$/.exec(line) ?? [];
    if (pid === undefined) return [];
    return [
      { user, pid: Number(pid), cpuPercent: decimal(cpu), memoryPercent: decimal(memory), command: command.trimEnd() },
    ];
  });
}

function decimal(text: string): number {
  return Number(text.replace(',', '.'));
}

/**
 * A script that prints processes as JSON. Without more rights, other users' processes have no owner or command line.
 */
export const WINDOWS_PROCESSES_SCRIPT = `
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
[Console]::OutputEncoding = New-Object Text.UTF8Encoding $false
$now = Get-Date
ConvertTo-Json -Compress @(Get-CimInstance Win32_Process | ForEach-Object {
  [pscustomobject]@{
    user = (Invoke-CimMethod -InputObject $_ -MethodName GetOwner -ErrorAction SilentlyContinue).User
    pid = $_.ProcessId
    usedSeconds = ($_.KernelModeTime + $_.UserModeTime) / 1e7
    aliveSeconds = $(if ($_.CreationDate) { ($now - $_.CreationDate).TotalSeconds } else { 0 })
    residentBytes = $_.WorkingSetSize
    command = $(if ($_.CommandLine) { $_.CommandLine } else { '[' + $_.Name + ']' })
  }
})`;

const WindowsProcesses = z.array(
  z.object({
    user: z.string().nullable(),
    pid: z.number(),
    usedSeconds: z.number(),
    aliveSeconds: z.number(),
    residentBytes: z.number(),
    command: z.string(),
  }),
);

/** Parses the output of that script. `totalBytes` is the machine's memory. */
export function parseWindowsProcesses(json: string, totalBytes: number): readonly ListedProcess[] {
  // The byte order mark is dropped, which some consoles write before UTF-8.
  return WindowsProcesses.parse(JSON.parse(json.replace(/^\ufeff/, ''))).map(
    ({ user, pid, usedSeconds, aliveSeconds, residentBytes, command }) => ({
      user: user ?? '?',
      pid,
      cpuPercent: aliveSeconds > 0 ? (100 * usedSeconds) / aliveSeconds : 0,
      memoryPercent: (100 * residentBytes) / totalBytes,
      command,
    }),
  );
}
