import { describe, expect, test } from 'vitest';
import { debianPackagesOf, librariesNotFound } from '../../scripts/electron-libraries.mjs';

const DEBIAN_12 = 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_ID="12"\nID=debian\n';
const DEBIAN_13 = 'VERSION_ID="13"\nID=debian\n';
const UBUNTU_2204 = 'ID=ubuntu\nID_LIKE=debian\nVERSION_ID="22.04"\n';
const UBUNTU_2404 = 'ID=ubuntu\nID_LIKE=debian\nVERSION_ID="24.04"\n';

const LDD = `\tlinux-vdso.so.1 (0x00007ffd2a5f0000)
\tlibffmpeg.so => /dist/libffmpeg.so (0x00007f6b3c000000)
\tlibgtk-3.so.0 => not found
\tlibnss3.so => not found
\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f6b3b800000)
\tlibsmime3.so => not found
\tlibgtk-3.so.0 => not found
`;

test('missing libraries are read from the output of ldd', () => {
  expect(librariesNotFound(LDD)).toEqual(['libgtk-3.so.0', 'libnss3.so', 'libsmime3.so']);
  expect(librariesNotFound('\tnot a dynamic executable\n')).toEqual([]);
});

describe('libraries are named by the Debian package that brings them', () => {
  test('each package once', () => {
    expect(debianPackagesOf(['libnss3.so', 'libsmime3.so', 'libgbm.so.1', 'libgtk-3.so.0'], DEBIAN_12)).toEqual({
      packages: ['libgbm1', 'libgtk-3-0', 'libnss3'],
      unknown: [],
    });
  });

  test.each([
    ['Debian 12', DEBIAN_12, 'libasound2'],
    ['Debian 13', DEBIAN_13, 'libasound2t64'],
    ['Ubuntu 22.04', UBUNTU_2204, 'libasound2'],
    ['Ubuntu 24.04', UBUNTU_2404, 'libasound2t64'],
    ['a system that does not say', '', 'libasound2'],
  ])('a library is named by its package of %s', (_name, release, expected) => {
    expect(debianPackagesOf(['libasound.so.2'], release).packages).toEqual([expected]);
  });

  test('the package of an unknown library is not guessed', () => {
    expect(debianPackagesOf(['libfoo.so.3', 'libgbm.so.1', 'constructor.so'], DEBIAN_12)).toEqual({
      packages: ['libgbm1'],
      unknown: ['libfoo.so.3', 'constructor.so'],
    });
  });
});
