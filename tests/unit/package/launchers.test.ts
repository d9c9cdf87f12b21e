import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { linkedToLauncher } from '../../../scripts/launcher-link.mjs';
import { WITHOUT_PAGES } from '../../../src-main/desktop/terminal-start.ts';
import { needPosix } from '../../fixtures/machine-needs.ts';

const LAUNCHERS = join(import.meta.dirname, '../../../resources/bin');
const ECHO = '#!/bin/sh\nfor each in "$@"; do printf "<%s>" "$each"; done\nexit 7\n';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'steward launcher-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
}

test.for([
  ['steward', 'resources/bin/steward'],
  ['Steward.app/Contents/MacOS/steward', 'Steward.app/Contents/Resources/bin/steward'],
] as const)(
  'the launcher of %s, started through a link, keeps what was typed and the exit code',
  ([program, launcher], context) => {
    needPosix(context);
    const root = folder();
    write(join(root, program), ECHO);
    mkdirSync(dirname(join(root, launcher)), { recursive: true });
    cpSync(join(LAUNCHERS, 'steward'), join(root, launcher));
    const link = join(root, 'in-path');
    symlinkSync(join(root, launcher), link);
    const run = (...argv: string[]) => {
      const { stdout, stderr, status } = spawnSync(link, argv, { encoding: 'utf8', cwd: '/' });
      expect([stderr, status]).toEqual(['', 7]);
      return stdout;
    };
    const shown = (argv: readonly string[]) => argv.map((each) => `<${each}>`).join('');

    const typed = ['ask', '--json', ' --inspect', '$(touch x)', "it's *", '', 'two\nlines'];
    for (const argv of [typed, ['--version'], ['--help'], ['-h']])
      expect(run(...argv)).toBe(shown([...WITHOUT_PAGES, ...argv]));
    for (const argv of [[], ['--profile', 'ask'], ['file', 'ask'], ['-'], ['']]) expect(run(...argv)).toBe(shown(argv));
  },
);

test('the launcher of Windows passes the same switches, and is written for cmd.exe', () => {
  const text = readFileSync(join(LAUNCHERS, 'steward.cmd'), 'utf8');
  expect(text).toContain(`"%~dp0..\\steward.exe" ${WITHOUT_PAGES.join(' ')} %*\r\n`);
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
});

test.for([false, true])(
  'a .deb and .rpm link the launcher into the PATH, and remove it (update-alternatives: %s)',
  (has, context) => {
    needPosix(context);
    const root = folder();
    const alternatives = join(root, 'alternatives');
    const bin = join(root, 'bin');
    write(join(root, 'opt/Steward/resources/bin/steward'), '');
    for (const each of ['opt/Steward/chrome-sandbox', 'usr/bin/other']) write(join(root, each), '');
    const programs = ['rm', 'ln', 'chmod', 'readlink', 'unshare'];
    for (const each of programs) write(join(bin, each), `#!/bin/sh\nPATH=/usr/bin:/bin exec ${each} "$@"\n`);
    if (has) write(join(bin, 'update-alternatives'), `#!/bin/sh\nprintf '%s ' "$@" >> '${alternatives}'\n`);
    const run = (name: Parameters<typeof linkedToLauncher>[0]) => {
      const script = linkedToLauncher(name)
        .replaceAll(/\$\{executable\}/g, 'steward')
        .replaceAll(/\$\{sanitizedProductName\}/g, 'Steward')
        .replaceAll(/'\/(opt|usr|etc)\//g, `'${root}/$1/`);
      const { status, stderr } = spawnSync('/bin/bash', ['--norc', '-c', script], {
        encoding: 'utf8',
        env: { PATH: bin },
      });
      expect([status, stderr]).toEqual([0, '']);
    };
    const launcher = join(root, 'opt/Steward/resources/bin/steward');
    const link = join(root, 'usr/bin/steward');
    run('after-install.tpl');
    if (has) expect(readFileSync(alternatives, 'utf8')).toBe(`--install ${link} steward ${launcher} 100 `);
    else expect(readlinkSync(link)).toBe(launcher);
    run('after-remove.tpl');
    if (has) expect(readFileSync(alternatives, 'utf8')).toContain(`--remove steward ${launcher} `);
    else expect(existsSync(link)).toBe(false);
  },
);
