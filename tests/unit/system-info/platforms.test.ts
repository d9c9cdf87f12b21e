import { expect, test } from 'vitest';
import { drivesIn, macMounts, windowsDisks } from '../../../resources/system-info/disks.ts';
import { macLinks, windowsLinks } from '../../../resources/system-info/network.ts';
import { linuxName, macName } from '../../../resources/system-info/system.ts';
import { objectsIn } from '../../../resources/system-info/system-command.ts';

test('Linux: one drive for each device, where it is mounted highest up; no images, no loops, no pseudo file systems', () => {
  const mounts = [
    'proc /proc proc rw 0 0',
    'overlay / overlay rw 0 0',
    '/dev/vda1 /etc/hosts ext4 rw 0 0',
    '/dev/vda1 /srv ext4 rw 0 0',
    '/dev/vda1 /srv/deep/er ext4 rw 0 0',
    '/dev/loop3 /snap/core/1 squashfs ro 0 0',
    '/dev/sr0 /media/disc iso9660 ro 0 0',
    '/dev/mapper/data /home/My\\040files btrfs rw 0 0',
    'server:/export /mnt nfs4 rw 0 0',
    '',
  ].join('\n');
  expect(drivesIn(mounts)).toEqual([
    { device: 'overlay', path: '/', format: 'overlay' },
    { device: '/dev/vda1', path: '/srv', format: 'ext4' },
    { device: '/dev/mapper/data', path: '/home/My files', format: 'btrfs' },
  ]);
});

test('macOS: volumes that are local and shown to people', () => {
  const output = [
    '/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)',
    'devfs on /dev (devfs, local, nobrowse)',
    '/dev/disk3s6 on /System/Volumes/VM (apfs, local, noexec, journaled, noatime, nobrowse)',
    '/dev/disk5s1 on /Volumes/Photos (2024) (exfat, local, nodev, nosuid, noowners)',
    '//ada@server/share on /Volumes/share (smbfs, nodev, nosuid, mounted by ada)',
  ].join('\n');
  expect(macMounts(output)).toEqual([
    { device: '/dev/disk3s1s1', path: '/', format: 'apfs' },
    { device: '/dev/disk5s1', path: '/Volumes/Photos (2024)', format: 'exfat' },
  ]);
});

test('Windows: one drive or several, and what is not ready left out', () => {
  const c = { DeviceID: 'C:', VolumeName: 'OS', FileSystem: 'NTFS', Size: 1_000, FreeSpace: 400 };
  const locked = { DeviceID: 'E:', VolumeName: null, FileSystem: null, Size: null, FreeSpace: null };
  const expected = { name: 'C:', label: 'OS', format: 'NTFS', totalBytes: 1_000, freeBytes: 400 };
  expect(windowsDisks(objectsIn(JSON.stringify(c)))).toEqual([expected]);
  expect(windowsDisks(objectsIn(JSON.stringify([c, locked])))).toEqual([expected]);
  expect(windowsDisks(objectsIn('\r\n'))).toEqual([]);
});

test('kinds and speeds of interfaces on macOS and Windows', () => {
  const ports = [
    '',
    'Hardware Port: Ethernet',
    'Device: en0',
    'Ethernet Address: 00:00:5e:00:53:01',
    '',
    'Hardware Port: Wi-Fi',
    'Device: en1',
    'Ethernet Address: 00:00:5e:00:53:02',
  ].join('\n');
  const settings = [
    'en0: flags=8863<UP> mtu 1500',
    '\tmedia: autoselect (2.5Gbase-T <full-duplex>)',
    '\tstatus: active',
    'en1: flags=8863<UP> mtu 1500',
    '\tmedia: autoselect',
    'en7: flags=8863<UP> mtu 1500',
    '\tmedia: autoselect (1000baseT <full-duplex>)',
  ].join('\n');
  expect([...macLinks(ports, settings)]).toEqual([
    ['en0', { type: 'Ethernet', speedMbps: 2_500 }],
    ['en1', { type: 'Wireless', speedMbps: undefined }],
  ]);
  const adapters = [
    { Name: 'Ethernet', MediaType: '802.3', ReceiveLinkSpeed: 1_000_000_000 },
    { Name: 'Wi-Fi', MediaType: 'Native 802.11', ReceiveLinkSpeed: 866_700_000 },
    { Name: 'Local Area Connection* 1', MediaType: '', ReceiveLinkSpeed: null },
  ];
  expect([...windowsLinks(adapters)]).toEqual([
    ['Ethernet', { type: 'Ethernet', speedMbps: 1_000 }],
    ['Wi-Fi', { type: 'Wireless', speedMbps: 867 }],
    ['Local Area Connection* 1', { type: 'Unknown', speedMbps: undefined }],
  ]);
});

test('systems by their names', () => {
  expect(linuxName('NAME="Debian"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n')).toBe(
    'Debian GNU/Linux 12 (bookworm)',
  );
  expect(linuxName('PRETTY_NAME=Alpine\n')).toBe('Alpine');
  expect(linuxName('')).toBeUndefined();
  expect(macName('<key>ProductVersion</key>\n\t<string>15.1</string>')).toBe('macOS 15.1');
});
