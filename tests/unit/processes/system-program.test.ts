import { expect, test } from 'vitest';
import { psArguments, taskkillArguments, windowsProgram } from '../../../src-main/processes/system-program.ts';

test('programs of Windows are named in full, wherever Windows lies', () => {
  expect(windowsProgram('taskkill', { SystemRoot: 'D:\\WINNT' })).toBe('D:\\WINNT\\System32\\taskkill.exe');
  expect(windowsProgram('powershell', {})).toBe('C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe');
});

test('taskkill ends several trees at once', () => {
  expect(taskkillArguments([12, 345])).toEqual(['/pid', '12', '/pid', '345', '/T', '/F']);
});

test('ps gets each column as a separate option', () => {
  expect(psArguments(['pid', 'args'])).toEqual(['-A', '-ww', '-o', 'pid=', '-o', 'args=']);
});
