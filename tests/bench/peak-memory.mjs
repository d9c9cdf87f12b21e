// @ts-check
// Preloaded into a measured process: leaves its peak resident memory (kilobytes) in a file when it ends.
import { readFileSync, writeFileSync } from 'node:fs';

process.on('exit', () => writeFileSync(process.env.PEAK_MEMORY_FILE ?? '', String(peakKilobytes())));

/**
 * Linux counts in `maxRSS` what the process that started this one held; `VmHWM` begins anew with the program (proc(5)).
 */
function peakKilobytes() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS;
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);
}
