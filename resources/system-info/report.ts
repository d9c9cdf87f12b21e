import type { Disk } from './disks.ts';
import type { NetworkInterface } from './network.ts';
import type { SystemFacts } from './system.ts';

/** Titles and lines are fixed by the tool catalogue, C.6. */
export function systemReport(facts: SystemFacts): string {
  return [
    ...titled('System Information'),
    `OS: ${facts.os}`,
    `Machine Name: ${facts.machineName}`,
    `Current User: ${facts.user}`,
    `Processor Count: ${facts.processorCount}`,
    `Total Memory: ${gigabytes(facts.memoryBytes)}`,
    `System Uptime: ${duration(facts.uptimeSeconds)}`,
    `Runtime: Node.js ${facts.nodeVersion}`,
  ].join('\n');
}

export function diskReport(disks: readonly Disk[]): string {
  const blocks = disks.map(({ name, label, format, totalBytes, freeBytes }) => [
    `Drive ${name}`,
    `Label: ${label === '' ? '(none)' : label}`,
    `Format: ${format}`,
    `Total Size: ${gigabytes(totalBytes)}`,
    `Free Space: ${gigabytes(freeBytes)}`,
    `Used: ${(totalBytes === 0 ? 0 : (1 - freeBytes / totalBytes) * 100).toFixed(1)}%`,
  ]);
  return report('Disk Information', blocks, 'No fixed drive was found.');
}

export function networkReport(interfaces: readonly NetworkInterface[]): string {
  const blocks = interfaces.map(({ name, type, speedMbps, addresses }) => [
    name,
    `Type: ${type}`,
    `Speed: ${speedMbps === undefined ? 'unknown' : `${speedMbps} Mbps`}`,
    ...addresses.map(({ family, address }) => `${family}: ${address}`),
  ]);
  return report('Network Interfaces', blocks, 'No interface is up.');
}

function report(title: string, blocks: readonly (readonly string[])[], none: string): string {
  const body = blocks.length === 0 ? [none] : blocks.map((lines) => lines.join('\n'));
  return `${titled(title).join('\n')}\n${body.join('\n\n')}`;
}

function titled(title: string): string[] {
  return [title, '='.repeat(title.length)];
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(1)} GB`;
}

function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return `${Math.floor(minutes / 1_440)}d ${Math.floor(minutes / 60) % 24}h ${minutes % 60}m`;
}
