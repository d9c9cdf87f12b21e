// @ts-check
// Preloaded into a measured process: leaves its peak resident memory (kilobytes) in a file when it ends.
import { writeFileSync } from 'node:fs';

process.on('exit', () => writeFileSync(process.env.PEAK_MEMORY_FILE ?? '', String(process.resourceUsage().maxRSS)));
