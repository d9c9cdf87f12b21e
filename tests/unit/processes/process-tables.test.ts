import { expect, test } from 'vitest';
import { parsePs, parseWindowsProcesses } from '../../../src-main/processes/process-tables.ts';

test('output of ps, with either decimal sign and blanks in the command line', () => {
  const output = [
    'root                 1   0.0  0.1 /sbin/launchd',
    '_windowserver      412  12,5  1,4 /System/Library/Window Server -daemon  x ',
    'not a row',
    '',
  ].join('\n');
  expect(parsePs(output)).toEqual([
    { user: 'root', pid: 1, cpuPercent: 0, memoryPercent: 0.1, command: '/sbin/launchd' },
    {
      user: '_windowserver',
      pid: 412,
      cpuPercent: 12.5,
      memoryPercent: 1.4,
      command: '/System/Library/Window Server -daemon  x',
    },
  ]);
});

test('output of PowerShell', () => {
  const json = JSON.stringify([
    { user: null, pid: 0, usedSeconds: 9, aliveSeconds: 0, residentBytes: 8192, command: '[System Idle Process]' },
    { user: 'Ada', pid: 42, usedSeconds: 5, aliveSeconds: 50, residentBytes: 1024, command: '"C:\\a b\\x.exe" -v' },
  ]);
  expect(parseWindowsProcesses(json, 8192)).toEqual([
    { user: '?', pid: 0, cpuPercent: 0, memoryPercent: 100, command: '[System Idle Process]' },
    { user: 'Ada', pid: 42, cpuPercent: 10, memoryPercent: 12.5, command: '"C:\\a b\\x.exe" -v' },
  ]);
  expect(parseWindowsProcesses(`\ufeff${json}\r\n`, 8192)).toHaveLength(2);
  expect(() => parseWindowsProcesses('{}', 1)).toThrow();
});
