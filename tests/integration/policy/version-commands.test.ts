import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { versionWords } from '../../../src-main/policy/commands/reading/version-commands.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'steward-version-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function program(path: string, content: string): string {
  writeFileSync(path, content);
  chmodSync(path, 0o755);
  return path;
}

test('the version of node and npm is asked for, and nothing else of them', async () => {
  const path = program(join(folder(), 'node'), '\u007fELF');
  for (const asked of ['--version', '-v']) expect(await versionWords('node', path, [asked])).toEqual(['--version']);
  for (const words of [[], ['--version', 'x.js'], ['-e', '1'], ['x.js']])
    expect(await versionWords('node', path, words)).toBeUndefined();
  expect(await versionWords('python3', path, ['--version'])).toBeUndefined();
  const npm = join(folder(), 'npm');
  symlinkSync(program(join(folder(), 'npm-cli.js'), '#!/usr/bin/env node\n'), npm);
  expect(await versionWords('npm', npm, ['-v'])).toContain('--prefix=/');
});

test('the shim of a version manager is not run', async () => {
  const shim = join(folder(), 'node');
  symlinkSync(program(join(folder(), 'volta-shim'), '\u007fELF'), shim);
  expect(await versionWords('node', shim, ['--version'])).toBeUndefined();
  expect(await versionWords('node', program(join(folder(), 'node'), '#!/bin/sh\n'), ['--version'])).toBeUndefined();
  expect(await versionWords('npm', program(join(folder(), 'npm'), '#!/bin/sh\n'), ['--version'])).toBeUndefined();
});
