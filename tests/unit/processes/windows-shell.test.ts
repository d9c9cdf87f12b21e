import { describe, expect, test } from 'vitest';
import { systemPrompt } from '../../../src-main/assistant/system-prompt.ts';
import { batchFileCommand } from '../../../src-main/processes/batch-file.ts';
import { shellCommand } from '../../../src-main/processes/shell-line.ts';
import { bashDescription, shellName } from '../../../src-main/tools/shell/shell-names.ts';

const SYSTEM = 'D:\\Windows';
const CMD = 'D:\\Windows\\System32\\cmd.exe';

describe('command lines on Windows', () => {
  test.each(['ComSpec', 'COMSPEC', 'comspec'])('run in the interpreter that %s names', (name) => {
    const environment = { [name]: CMD, SYSTEMROOT: SYSTEM };
    expect(shellCommand('dir', 'sh', environment, 'win32').command).toBe(CMD);
    expect(batchFileCommand('npx.cmd', [], environment).command).toBe(CMD);
  });

  test('run in cmd.exe where nothing is named', () => {
    expect(shellCommand('dir', 'sh', { ComSpec: '' }, 'win32').command).toBe('cmd.exe');
  });

  test('print UTF-8, set by a program of the system, never by one in the working folder', () => {
    const { args, windowsVerbatimArguments } = shellCommand('echo "ä" & exit 3', 'sh', { SystemRoot: SYSTEM }, 'win32');
    expect(windowsVerbatimArguments).toBe(true);
    expect(args).toEqual(['/d', '/s', '/c', '""D:\\Windows\\System32\\chcp.com" 65001>nul&echo "ä" & exit 3"']);
  });
});

test('elsewhere a line is one argument of the shell', () => {
  expect(shellCommand('ls | wc', 'bash', {}, 'linux')).toEqual({ command: 'bash', args: ['-c', 'ls | wc'] });
});

test('the model is told which shell it is', () => {
  const facts = { workspace: 'C:\\work', folders: [], now: new Date(2026, 10, 24), servers: [] };
  expect(systemPrompt({ ...facts, platform: 'win32' })).toContain(
    'The computer runs Windows. Shell command lines run in cmd.exe. Today is 2026-11-24.',
  );
  expect(systemPrompt({ ...facts, platform: 'linux' })).toContain('The computer runs Linux. Today is 2026-11-24.');
  expect([shellName('win32'), shellName('linux')]).toEqual(['cmd.exe', 'sh']);
  expect(bashDescription('win32')).toContain('cmd.exe');
  expect(bashDescription('darwin')).not.toContain('cmd.exe');
});
