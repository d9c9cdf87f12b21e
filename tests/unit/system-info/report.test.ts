import { expect, test } from 'vitest';
import { diskReport, networkReport, systemReport } from '../../../resources/system-info/report.ts';

const GB = 1024 ** 3;

test('the three reports, as the tool catalogue fixes them', () => {
  expect(
    systemReport({
      os: 'Debian GNU/Linux 12 (bookworm) (Linux 6.1.0, x64)',
      machineName: 'desk',
      user: 'ada',
      processorCount: 8,
      memoryBytes: 15.55 * GB,
      uptimeSeconds: 2 * 86_400 + 3 * 3_600 + 4 * 60 + 59,
      nodeVersion: '24.21.0',
    }),
  ).toBe(
    [
      'System Information',
      '==================',
      'OS: Debian GNU/Linux 12 (bookworm) (Linux 6.1.0, x64)',
      'Machine Name: desk',
      'Current User: ada',
      'Processor Count: 8',
      'Total Memory: 15.6 GB',
      'System Uptime: 2d 3h 4m',
      'Runtime: Node.js 24.21.0',
    ].join('\n'),
  );
  expect(
    diskReport([
      { name: 'C:', label: 'System', format: 'NTFS', totalBytes: 100 * GB, freeBytes: 25 * GB },
      { name: 'D:', label: '', format: 'exFAT', totalBytes: 0, freeBytes: 0 },
    ]),
  ).toBe(
    [
      'Disk Information',
      '================',
      'Drive C:',
      'Label: System',
      'Format: NTFS',
      'Total Size: 100.0 GB',
      'Free Space: 25.0 GB',
      'Used: 75.0%',
      '',
      'Drive D:',
      'Label: (none)',
      'Format: exFAT',
      'Total Size: 0.0 GB',
      'Free Space: 0.0 GB',
      'Used: 0.0%',
    ].join('\n'),
  );
  expect(
    networkReport([
      {
        name: 'eth0',
        type: 'Ethernet',
        speedMbps: 1_000,
        addresses: [
          { family: 'IPv4', address: '192.0.2.7' },
          { family: 'IPv6', address: '2001:db8::7' },
        ],
      },
      { name: 'lo', type: 'Loopback', addresses: [{ family: 'IPv4', address: '127.0.0.1' }] },
    ]),
  ).toBe(
    [
      'Network Interfaces',
      '==================',
      'eth0',
      'Type: Ethernet',
      'Speed: 1000 Mbps',
      'IPv4: 192.0.2.7',
      'IPv6: 2001:db8::7',
      '',
      'lo',
      'Type: Loopback',
      'Speed: unknown',
      'IPv4: 127.0.0.1',
    ].join('\n'),
  );
});

test('nothing to list is said', () => {
  expect(diskReport([]).split('\n')).toHaveLength(3);
  expect(networkReport([]).split('\n')).toHaveLength(3);
});
